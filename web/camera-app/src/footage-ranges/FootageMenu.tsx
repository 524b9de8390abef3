import type { Camera } from '@sightline/contract/cameras'
import { addRecordingLock, deleteRecordings } from '@sightline/contract/footage-ranges'
import { buttonClass, Icon, Menu, type MenuItem } from '@sightline/kit'
import { useMay } from '@sightline/shell'
import { useState } from 'react'
import type { ClipSpan } from '../clips/index.ts'
import { DeleteFootage } from './DeleteFootage.tsx'
import { LockFootage } from './LockFootage.tsx'
import { useText } from './text.ts'

export interface RangeProps {
  camera: Camera
  timeZone: string
  /** The time of the picture; undefined: live. */
  watched: number | undefined
  /** The range that is selected in the timeline. */
  marked?: ClipSpan | undefined
}

/** What can be done with a range of footage besides saving it. Nothing for those who may do none of it. */
export function FootageMenu(props: RangeProps) {
  const t = useText()
  const may = useMay()
  const [opened, setOpened] = useState<'lock' | 'delete'>()
  const items: readonly MenuItem[] = [
    ...(may(addRecordingLock) === true
      ? [{ label: t('Lock footage'), icon: 'lock', onSelect: () => setOpened('lock') } as const]
      : []),
    ...(may(deleteRecordings) === true
      ? [{ label: t('Delete footage'), icon: 'trash', danger: true, onSelect: () => setOpened('delete') } as const]
      : []),
  ]
  if (items.length === 0) return null
  const close = () => setOpened(undefined)
  return (
    <>
      <Menu
        label={t('More actions for footage')}
        trigger={<Icon name="more" />}
        triggerClass={`${buttonClass('secondary')} px-3!`}
        items={items}
        align="end"
      />
      {opened === 'lock' ? <LockFootage {...props} onClose={close} /> : null}
      {opened === 'delete' ? <DeleteFootage {...props} onClose={close} /> : null}
    </>
  )
}
