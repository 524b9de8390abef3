import { getAdjacentEvent } from '@sightline/contract/recording-list'
import { IconButton } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { lazy, Suspense, useState } from 'react'
import { useFreshDialog } from '../use-fresh-dialog.ts'
import { useText } from './text.ts'
import { type Marks, NO_MARKS, withEnd, withStart } from './timeline-props.ts'

const TimelineLegend = lazy(() => import('./TimelineLegend.tsx').then((module) => ({ default: module.TimelineLegend })))

interface EventButtonsProps {
  cameraIds: readonly number[]
  /** The time that is watched, or on its way. */
  position: () => number
  onGo: (time: number) => void
}

/** The picture is a little before or after the event's start, so the next search would find it again. */
const SAME_EVENT_MS = 500

/** Go to the nearest event of any of the cameras. */
export function EventButtons({ cameraIds, position, onGo }: EventButtonsProps) {
  const t = useText()
  const { client, snackBar } = useApplication()
  const [isBusy, setBusy] = useState(false)
  const go = async (direction: 'next' | 'previous') => {
    setBusy(true)
    const from = position()
    const time = new Date(direction === 'next' ? from + SAME_EVENT_MS : from - SAME_EVENT_MS).toISOString()
    try {
      const found = await Promise.all(
        cameraIds.map((cameraId) =>
          client.call(getAdjacentEvent, { params: { cameraId }, query: { time, direction } }),
        ),
      )
      const times = found.flatMap((event) => (event === undefined ? [] : [Date.parse(event.timestamp)]))
      if (times.length > 0) onGo(direction === 'next' ? Math.min(...times) : Math.max(...times))
      else snackBar.info(t(direction === 'next' ? 'No later event' : 'No earlier event'))
    } catch {
      snackBar.error(t('Couldn’t look for events. Try again.'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <span dir="ltr" className="flex">
      <IconButton
        icon="previousEvent"
        label={t('Previous event')}
        aria-disabled={isBusy || undefined}
        onClick={() => void go('previous')}
      />
      <IconButton
        icon="nextEvent"
        label={t('Next event')}
        aria-disabled={isBusy || undefined}
        onClick={() => void go('next')}
      />
    </span>
  )
}

interface MarkButtonsProps {
  marks: Marks
  position: number
  onMarks: (marks: Marks) => void
}

/** Choose a range: it starts and ends at what is watched. */
export function MarkButtons({ marks, position, onMarks }: MarkButtonsProps) {
  const t = useText()
  const isSet = marks.from !== undefined || marks.till !== undefined
  return (
    <span dir="ltr" className="flex">
      <IconButton
        icon="markStart"
        label={t('Selection starts here')}
        aria-pressed={marks.from !== undefined}
        onClick={() => onMarks(withStart(marks, position))}
      />
      <IconButton
        icon="markEnd"
        label={t('Selection ends here')}
        aria-pressed={marks.till !== undefined}
        onClick={() => onMarks(withEnd(marks, position))}
      />
      {isSet ? <IconButton icon="close" label={t('Clear selection')} onClick={() => onMarks(NO_MARKS)} /> : null}
    </span>
  )
}

/** Opens what the colors and patterns mean: an icon among the timeline's buttons, or where they leave no room, a line below it. */
export function LegendButton({ look }: { look: 'icon' | 'line' }) {
  const t = useText()
  const { opened, open, close } = useFreshDialog()
  return (
    <>
      {look === 'icon' ? (
        <IconButton icon="info" label={t('Timeline legend')} className="max-sm:hidden" onClick={open} />
      ) : (
        <button
          type="button"
          className="mx-auto mt-1 block px-3 py-1 text-xs text-muted underline sm:hidden"
          onClick={open}
        >
          {t('Timeline legend')}
        </button>
      )}
      {opened === undefined ? null : (
        <Suspense fallback={null}>
          <TimelineLegend key={opened.number} open={opened.isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
