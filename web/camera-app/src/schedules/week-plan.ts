import { parseTimeOfDay, type ScheduleSpan, type Weekday, weekdays } from '@sightline/contract/schedules'

export const MINUTES_PER_DAY = 24 * 60
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY

/** What happens in a minute: nothing, the usual, or one type of recording. */
export type Paint = 'off' | 'on' | 'continuous' | 'event'
const paints: readonly Paint[] = ['off', 'on', 'continuous', 'event']

/** A week from Monday 00:00, minute by minute, so that spans of any minute stay as they are. */
export interface WeekPlan {
  readonly minutes: Uint8Array
}

/** Minutes since Monday 00:00; `end` may be beyond the week, in the next Monday. */
export interface PlanInterval {
  readonly start: number
  readonly end: number
  readonly paint: Exclude<Paint, 'off'>
}

export const emptyPlan: WeekPlan = { minutes: new Uint8Array(MINUTES_PER_WEEK) }

const codeOf = (paint: Paint): number => paints.indexOf(paint)
const paintOf = (code: number | undefined): Paint => paints[code ?? 0] ?? 'off'

/** What the plan has at a minute of the week. */
export const getPaint = ({ minutes }: WeekPlan, minute: number): Paint => paintOf(minutes[minute % MINUTES_PER_WEEK])

/** The plan with that stretch painted over; it may continue beyond the end of the week, in its Monday. */
export function withPaint(
  { minutes }: WeekPlan,
  { start, end, paint }: { readonly start: number; readonly end: number; readonly paint: Paint },
): WeekPlan {
  const next = minutes.slice()
  const code = codeOf(paint)
  const from = ((start % MINUTES_PER_WEEK) + MINUTES_PER_WEEK) % MINUTES_PER_WEEK
  const to = from + Math.min(end - start, MINUTES_PER_WEEK)
  next.fill(code, from, Math.min(to, MINUTES_PER_WEEK))
  if (to > MINUTES_PER_WEEK) next.fill(code, 0, to - MINUTES_PER_WEEK)
  return { minutes: next }
}

const dayStart = (day: Weekday): number => weekdays.indexOf(day) * MINUTES_PER_DAY

/** The minutes that a span covers on each of its days. */
export function toStretches({ days, from, to }: Pick<ScheduleSpan, 'days' | 'from' | 'to'>) {
  const begin = parseTimeOfDay(from) ?? 0
  const until = parseTimeOfDay(to) ?? 0
  const length = until > begin ? until - begin : until - begin + MINUTES_PER_DAY
  return days.map((day) => ({ start: dayStart(day) + begin, end: dayStart(day) + begin + length }))
}

export const toPlan = (spans: readonly ScheduleSpan[]): WeekPlan =>
  spans.reduce(
    (plan, span) =>
      toStretches(span).reduce((all, { start, end }) => withPaint(all, { start, end, paint: span.type ?? 'on' }), plan),
    emptyPlan,
  )

/** The plan as stretches of one paint, none longer than a day; one that crosses midnight stays one. */
function toIntervals({ minutes }: WeekPlan): readonly PlanInterval[] {
  const found: PlanInterval[] = []
  // Begins at a change, so that a stretch from Sunday into Monday isn't cut.
  const first = minutes.findIndex((code, at) => code !== minutes.at(at - 1))
  const begin = Math.max(first, 0)
  for (let at = begin; at < begin + MINUTES_PER_WEEK; ) {
    const code = minutes[at % MINUTES_PER_WEEK]
    let end = at + 1
    while (end < begin + MINUTES_PER_WEEK && minutes[end % MINUTES_PER_WEEK] === code) end++
    const paint = paintOf(code)
    if (paint !== 'off') found.push(...cutAtMidnights({ start: at, end, paint }))
    at = end
  }
  return found
    .map((one) => {
      const start = one.start % MINUTES_PER_WEEK
      return { ...one, start, end: start + one.end - one.start }
    })
    .toSorted((one, other) => one.start - other.start)
}

/** A stretch of more than a day in pieces, because a span has at most a day. */
function cutAtMidnights(interval: PlanInterval): readonly PlanInterval[] {
  const { start, end, paint } = interval
  if (end - start <= MINUTES_PER_DAY) return [interval]
  const midnight = (Math.floor(start / MINUTES_PER_DAY) + 1) * MINUTES_PER_DAY
  return [{ start, end: midnight, paint }, ...cutAtMidnights({ start: midnight, end, paint })]
}

const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** `09:30`, and `24:00` for the end of a day. */
const timeText = (minute: number): string => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`

/** The time at which an interval ends: `24:00` if that is the end of its first day. */
const endText = ({ start, end }: PlanInterval): string => {
  const ofDay = end - Math.floor(start / MINUTES_PER_DAY) * MINUTES_PER_DAY
  return timeText(ofDay > MINUTES_PER_DAY ? ofDay - MINUTES_PER_DAY : ofDay)
}

/** The plan as spans: the same times on several days are one span. */
export function toSpans(plan: WeekPlan): readonly ScheduleSpan[] {
  const spans = new Map<string, ScheduleSpan>()
  for (const interval of toIntervals(plan)) {
    const day = weekdays[Math.floor(interval.start / MINUTES_PER_DAY)] ?? 'mon'
    const from = timeText(interval.start % MINUTES_PER_DAY)
    const to = endText(interval)
    const key = `${from} ${to} ${interval.paint}`
    const type = interval.paint === 'on' ? {} : { type: interval.paint }
    spans.set(key, { days: [...(spans.get(key)?.days ?? []), day], from, to, ...type })
  }
  return [...spans.values()]
}

/** The plan with the times of one day on others too. */
export function withCopiedDay(plan: WeekPlan, from: Weekday, to: readonly Weekday[]): WeekPlan {
  const next = plan.minutes.slice()
  const day = plan.minutes.slice(dayStart(from), dayStart(from) + MINUTES_PER_DAY)
  for (const other of to) next.set(day, dayStart(other))
  return { minutes: next }
}

export const isSamePlan = (one: WeekPlan, other: WeekPlan): boolean =>
  one.minutes.every((code, at) => code === other.minutes[at])

/** The parts of the plan on one day, in minutes of that day. */
export function partsOfDay(plan: WeekPlan, day: Weekday): readonly PlanInterval[] {
  const first = dayStart(day)
  const parts: PlanInterval[] = []
  for (let at = 0; at < MINUTES_PER_DAY; ) {
    const paint = getPaint(plan, first + at)
    let end = at + 1
    while (end < MINUTES_PER_DAY && getPaint(plan, first + end) === paint) end++
    if (paint !== 'off') parts.push({ start: at, end, paint })
    at = end
  }
  return parts
}
