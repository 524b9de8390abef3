import {
  type CalendarDate,
  type CalendarDateTime,
  parseDate,
  parseDateTime,
  parseTime,
  type Time,
} from '@internationalized/date'
import { type RefObject, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { DateField, DateFieldStateContext, DateInput, DateSegment } from 'react-aria-components/DateField'
import { TimeField, TimeFieldStateContext } from 'react-aria-components/TimeField'
import type { DateFieldKind } from '../SegmentField.tsx'
import { AriaFrame } from './AriaFrame.tsx'

interface DateSegmentsProps {
  id: string
  kind: DateFieldKind
  value: string
  name: string | undefined
  required: boolean
  disabled: boolean
  autoFocus: boolean
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  onChange: (value: string) => void
  onIncomplete: (isIncomplete: boolean) => void
}

type Day = CalendarDate | CalendarDateTime

/** Years below are on their way to four digits. */
const FIRST_YEAR = 1000

/** The value of a text; null if it is empty or no date. */
function parseValue<T>(parse: (text: string) => T, text: string): T | null {
  try {
    return text === '' ? null : parse(text)
  } catch {
    return null
  }
}

const granularities = { date: 'day', dateTime: 'minute', dateTimeSecond: 'second' } as const

/** A date ends before the first length anyway. */
const dayText = (day: Day, kind: DateFieldKind): string =>
  day.toString().slice(0, (kind === 'dateTimeSecond' ? 'yyyy-mm-ddThh:mm:ss' : 'yyyy-mm-ddThh:mm').length)
const timeText = (time: Time): string => time.toString().slice(0, 'hh:mm'.length)

interface WatchProps {
  id: string
  /** The year has fewer than four digits. */
  isDraft?: boolean
  /** Holds whether a part is empty. */
  hasGap?: RefObject<boolean>
  onIncomplete: (isIncomplete: boolean) => void
}

/** Reports whether only some of the parts are filled in, and brings the focus to the first when the label is pressed. */
function Watch({ id, isDraft = false, hasGap, onIncomplete }: WatchProps) {
  const ofDate = useContext(DateFieldStateContext)
  const ofTime = useContext(TimeFieldStateContext)
  const editable = (ofDate ?? ofTime)?.segments.filter(({ isEditable }) => isEditable) ?? []
  const empty = editable.filter(({ isPlaceholder }) => isPlaceholder).length
  const isIncomplete = isDraft || (empty > 0 && empty < editable.length)
  useEffect(() => {
    if (hasGap !== undefined) hasGap.current = empty > 0
  }, [hasGap, empty])
  useEffect(() => onIncomplete(isIncomplete), [isIncomplete, onIncomplete])
  useEffect(() => {
    const label = document.querySelector(`label[for="${CSS.escape(id)}"]`)
    const focus = () => document.getElementById(id)?.querySelector<HTMLElement>('[role=spinbutton]')?.focus()
    label?.addEventListener('click', focus)
    return () => label?.removeEventListener('click', focus)
  }, [id])
  return null
}

/** Running text, not boxes in a row: a language that is written from the right orders the parts of a date itself. */
function Segments() {
  return (
    <DateInput className="block min-w-0 grow truncate py-2 tabular-nums">
      {(segment) => (
        <DateSegment
          segment={segment}
          className="rounded-sm px-px py-1 whitespace-pre outline-none data-focused:bg-control data-focused:text-on-control data-placeholder:text-muted data-focused:data-placeholder:text-on-control data-[type=literal]:px-0 data-[type=literal]:text-muted pointer-coarse:py-2.5"
        />
      )}
    </DateInput>
  )
}

/** What React Aria's fields of dates and times have in common. */
const sharedProps = (props: Omit<DateSegmentsProps, 'kind'>) =>
  ({
    id: props.id,
    name: props.name,
    'aria-labelledby': `${props.id}-label`,
    'aria-describedby': props['aria-describedby'],
    isDisabled: props.disabled,
    isRequired: props.required,
    isInvalid: props['aria-invalid'] === true,
    autoFocus: props.autoFocus,
    shouldForceLeadingZeros: true,
    validationBehavior: 'aria',
    className: 'flex min-w-0 grow',
  }) as const

/** A date, or a date and time. */
function DaySegments({ kind, ...props }: DateSegmentsProps & { kind: keyof typeof granularities }) {
  const { id, value, onChange, onIncomplete } = props
  const [draft, setDraft] = useState<Day>()
  const hasGap = useRef(false)
  const parse: (text: string) => Day = kind === 'date' ? parseDate : parseDateTime
  // The same object while the text is the same: with a new one React Aria discards what is typed in part.
  const saved = useMemo(() => parseValue(parse, value), [parse, value])
  const commit = (day: Day | null) => {
    const isDraft = day !== null && day.year < FIRST_YEAR
    setDraft(isDraft ? day : undefined)
    if (!isDraft) onChange(day === null ? '' : dayText(day, kind))
  }
  return (
    <DateField<Day>
      {...sharedProps(props)}
      granularity={granularities[kind]}
      value={draft ?? saved}
      onChange={commit}
      onFocusChange={(isFocused) => {
        // "26" is 2026, unless another part was cleared since.
        if (isFocused || draft === undefined || hasGap.current) return
        if (draft.year < 100) commit(draft.set({ year: 2000 + draft.year }))
      }}
    >
      <Watch id={id} isDraft={draft !== undefined} hasGap={hasGap} onIncomplete={onIncomplete} />
      <Segments />
    </DateField>
  )
}

function TimeSegments(props: DateSegmentsProps) {
  const { id, value, onChange, onIncomplete } = props
  const saved = useMemo(() => parseValue(parseTime, value), [value])
  return (
    <TimeField<Time>
      {...sharedProps(props)}
      granularity="minute"
      value={saved}
      onChange={(time) => onChange(time === null ? '' : timeText(time))}
    >
      <Watch id={id} onIncomplete={onIncomplete} />
      <Segments />
    </TimeField>
  )
}

/** The parts of a date or time, each typed or stepped with the arrow keys. */
export function DateSegments(props: DateSegmentsProps) {
  const { kind } = props
  return <AriaFrame>{kind === 'time' ? <TimeSegments {...props} /> : <DaySegments {...props} kind={kind} />}</AriaFrame>
}
