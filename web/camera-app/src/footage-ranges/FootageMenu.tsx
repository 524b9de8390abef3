import type { Camera } from '@sightline/contract/cameras'
import { addRecordingLock, deleteRecordings } from '@sightline/contract/footage-ranges'
import { getCameraSummary } from '@sightline/contract/footage-summary'
import { buttonClass, Icon, Menu, type MenuItem } from '@sightline/kit'
import { useMay } from '@sightline/shell'
import { lazy, Suspense, useState } from 'react'
import type { ClipSpan } from '../clips/index.ts'
import { DeleteFootage } from './DeleteFootage.tsx'
import { LockFootage } from './LockFootage.tsx'
import { useText } from './text.ts'

const SummaryDialog = lazy(() =>
  import('../footage-summary/index.ts').then((module) => ({ default: module.SummaryDialog })),
)

export interface RangeProps {
  camera: Camera
  timeZone: string
  /** The time of the picture; undefined: live. */
  watched: number | undefined
  /** The range that is selected in the timeline. */
  marked?: ClipSpan | undefined
}

/** What can be done with footage besides saving it. Nothing for those who may do none of it. */
export function FootageMenu({ goTo, ...props }: RangeProps & { goTo: (time: number) => void }) {
  const t = useText()
  const may = useMay()
  const [opened, setOpened] = useState<'summary' | 'lock' | 'delete'>()
  const items: readonly MenuItem[] = [
    ...(may(getCameraSummary) === true
      ? [{ label: t('24-hour summary'), icon: 'film', onSelect: () => setOpened('summary') } as const]
      : []),
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
        triggerClass={`${buttonClass('secondary')} px-3! max-sm:px-2!`}
        items={items}
        align="end"
      />
      {opened === 'summary' ? (
        <Suspense fallback={null}>
          <SummaryDialog camera={props.camera} timeZone={props.timeZone} onGo={goTo} onClose={close} />
        </Suspense>
      ) : null}
      {opened === 'lock' ? <LockFootage {...props} onClose={close} /> : null}
      {opened === 'delete' ? <DeleteFootage {...props} onClose={close} /> : null}
    </>
  )
}
