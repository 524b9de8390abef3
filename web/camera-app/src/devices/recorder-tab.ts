import type { RecorderDevice } from '@sightline/contract/devices'
import type { Rule } from '@sightline/contract/rights'
import type { ComponentType, LazyExoticComponent } from 'react'
import type { OwnPermissions } from '../rights/index.ts'
import type { Text } from './text.ts'

export interface RecorderTabProps {
  readonly device: RecorderDevice
  readonly own: OwnPermissions
}

/** A page of one recorder. */
export interface RecorderTab {
  /** The last part of its address. */
  readonly path: string
  readonly label: Text
  /** The call that the tab depends on. */
  readonly needs: Rule
  readonly Content: LazyExoticComponent<ComponentType<RecorderTabProps>>
}
