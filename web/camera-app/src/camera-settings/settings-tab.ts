import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import type { Right } from '@sightline/contract/rights'
import type { ComponentType, LazyExoticComponent } from 'react'
import type { OwnPermissions } from '../rights/index.ts'
import type { Text } from './text.ts'

/** What decides whether a camera has a tab. */
export interface CameraFacts {
  readonly camera: Camera
  /** Undefined until it is loaded. */
  readonly status: CameraStatus | undefined
}

export interface SettingsTabProps extends CameraFacts {
  readonly own: OwnPermissions
  /** Why nothing here can be changed, as a sentence that the frame shows; undefined if it can. */
  readonly readOnly: string | undefined
}

export interface SettingsTab {
  /** The last part of its address. */
  readonly path: string
  readonly label: Text
  /** Users with at least one of these rights have the tab. */
  readonly rights: readonly Right[]
  /**
   * `camera`: the settings are in the camera, so they can't be changed while it is offline. `connection`: they are how it is reached,
   * which may be why it is offline. `neither`: it doesn't matter.
   */
  readonly keptBy: 'camera' | 'server' | 'connection' | 'neither'
  /** Who may not make this call doesn't have the tab; the rights are not enough if it belongs to a module. */
  readonly call?: Parameters<OwnPermissions['may']>[0]
  /** Whether the camera can do what the tab sets; by default, every camera can that isn't body-worn. */
  readonly isSupported?: (facts: CameraFacts) => boolean
  readonly Content: LazyExoticComponent<ComponentType<SettingsTabProps>>
}
