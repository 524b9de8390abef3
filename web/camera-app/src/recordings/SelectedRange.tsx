import { dayFormat, type LocalFormat } from './gap-text.ts'
import { useText } from './text.ts'
import { zoneClock } from './timeline/zone-clock.ts'
import { type Marks, markedSpan } from './timeline-props.ts'
import { useSettled } from './use-settled.ts'

/** Tells screen readers which range is selected, once its ends stand still. */
export function SelectedRange({ marks, place }: { marks: Marks; place: LocalFormat }) {
  const t = useText()
  const span = markedSpan(useSettled(marks))
  const moment = (time: number) => `${dayFormat(place).format(time)}, ${zoneClock(place.timeZone).timeText(time, true)}`
  return (
    <p role="status" className="sr-only" data-selected-range>
      {span === undefined ? '' : t('Selected: {from} to {till}', { from: moment(span.from), till: moment(span.till) })}
    </p>
  )
}
