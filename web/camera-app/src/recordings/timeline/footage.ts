import type { RecordedEvent } from '@sightline/contract/events'
import { type EndReason, endReason, type RecordingSums, type RecordingTimeline } from '@sightline/contract/recordings'
import type { Span } from './span.ts'

/** Kinds of causes that a person tells apart at a glance. The most important one is drawn where several meet. */
export const gapClasses = ['planned', 'deleted', 'camera', 'server'] as const
export type GapClass = (typeof gapClasses)[number]

/** Whether nothing was to be recorded, the footage is gone, the camera or its network failed, or the server or its disk. */
export const gapClassByReason: Readonly<Record<EndReason, GapClass>> = {
  schedule: 'planned',
  mode: 'planned',
  noEvent: 'planned',
  deleted: 'deleted',
  deletedByRetention: 'deleted',
  deletedByQuota: 'deleted',
  deletedForSpace: 'deleted',
  deletedByUser: 'deleted',
  cameraOffline: 'camera',
  network: 'camera',
  disk: 'server',
  restart: 'server',
  clock: 'server',
  stopped: 'server',
  takeover: 'server',
  database: 'server',
  unknown: 'server',
}

export const reasons = endReason.options

/** Bits of what a stretch of footage is besides recorded. */
export const CARD = 1
export const LOCKED = 2
export const BY_EVENT = 4

/**
 * Stretches of time, in order, in arrays, because thousands of them are walked through in each frame.
 * `times` has two numbers per stretch: start and end.
 */
export interface Stretches {
  readonly times: Float64Array
  /** One per stretch: bits of footage, or the index of a gap's cause in {@link reasons}. */
  readonly codes: Uint8Array
  /** One per stretch: how much of it, 1 to 255. Less than 255 only in sums. */
  readonly shares: Uint8Array
}

export interface TimelineEvent extends Span {
  readonly eventId: number
  readonly type: RecordedEvent['type']
}

/** The footage of a camera in a range. */
export interface Footage {
  readonly recorded: Stretches
  readonly gaps: Stretches
  /** By their start. Only where each stretch is read. */
  readonly events: readonly TimelineEvent[]
}

export type Stretch = Span & { readonly code: number; readonly share?: number }

export function toStretches(given: readonly Stretch[]): Stretches {
  const times = new Float64Array(given.length * 2)
  const codes = new Uint8Array(given.length)
  const shares = new Uint8Array(given.length)
  for (const [index, { from, till, code, share = 255 }] of given.entries()) {
    times[index * 2] = from
    times[index * 2 + 1] = till
    codes[index] = code
    shares[index] = share
  }
  return { times, codes, shares }
}

export const stretchCount = ({ codes }: Stretches): number => codes.length

/** One stretch as an object. */
export const readStretch = ({ times, codes, shares }: Stretches, index: number): Required<Stretch> => ({
  from: times[index * 2] ?? 0,
  till: times[index * 2 + 1] ?? 0,
  code: codes[index] ?? 0,
  share: shares[index] ?? 0,
})

/** The index of the first stretch that ends after a time. */
export function findFirstEnding({ times, codes }: Stretches, time: number): number {
  let [low, high] = [0, codes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle * 2 + 1] ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low
}

const flagsOf = (segment: RecordingTimeline['segments'][number]): number =>
  (segment.origin === 'card' ? CARD : 0) | (segment.locked ? LOCKED : 0) | (segment.type === 'event' ? BY_EVENT : 0)

const spanOf = ({ start, end }: { start: string; end: string }): Span => ({
  from: Date.parse(start),
  till: Date.parse(end),
})

/** The stretches of a camera as the server lists them. */
export const toFootage = (
  { segments, gaps }: Pick<RecordingTimeline, 'segments' | 'gaps'>,
  events: readonly TimelineEvent[],
): Footage => ({
  recorded: toStretches(segments.map((segment) => ({ ...spanOf(segment), code: flagsOf(segment) }))),
  gaps: toStretches(gaps.map((gap) => ({ ...spanOf(gap), code: reasons.indexOf(gap.reason) }))),
  events,
})

/** Sums of a camera as stretches: one per interval with footage, and one per interval and cause. */
export function sumsToFootage(
  { recorded, event = [], locked = [], gaps }: RecordingSums['cameras'][number],
  { from, intervalMs }: { readonly from: number; readonly intervalMs: number },
): Footage {
  const at = (index: number) => ({ from: from + index * intervalMs, till: from + (index + 1) * intervalMs })
  // A second of a day must stay visible.
  const shareOf = (seconds: number) => Math.max(1, Math.round((seconds * 1000 * 255) / intervalMs))
  const footage = recorded.flatMap((seconds, index): Stretch[] => {
    if (seconds === 0) return []
    const code = ((locked[index] ?? 0) > 0 ? LOCKED : 0) | ((event[index] ?? 0) > 0 ? BY_EVENT : 0)
    return [{ ...at(index), code, share: Math.min(255, shareOf(seconds)) }]
  })
  const causes = Object.entries(gaps) as [EndReason, readonly number[]][]
  const missing = causes.flatMap(([reason, sums]) =>
    sums.flatMap((seconds, index): Stretch[] =>
      seconds === 0 ? [] : [{ ...at(index), code: reasons.indexOf(reason), share: Math.min(255, shareOf(seconds)) }],
    ),
  )
  return {
    recorded: toStretches(footage),
    gaps: toStretches(missing.sort((one, other) => one.from - other.from)),
    events: [],
  }
}

const cut = (stretches: Stretches, { from, till }: Span): Stretches => {
  const found: Stretch[] = []
  for (let index = findFirstEnding(stretches, from); index < stretchCount(stretches); index += 1) {
    const one = readStretch(stretches, index)
    if (one.from >= till) break
    found.push({ ...one, from: Math.max(one.from, from), till: Math.min(one.till, till) })
  }
  return toStretches(found)
}

/** The part of it in a range. */
export const cutFootage = ({ recorded, gaps, events }: Footage, span: Span): Footage => ({
  recorded: cut(recorded, span),
  gaps: cut(gaps, span),
  events: events.filter(({ from }) => from >= span.from && from < span.till),
})
