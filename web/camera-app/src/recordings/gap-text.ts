import type { EndReason } from '@sightline/contract/recordings'
import type { Text, Translate } from '../text.ts'
import { DAY, MINUTE, type Span } from './timeline/span.ts'
import { zoneClock } from './timeline/zone-clock.ts'

/** Why there is no footage. */
export const reasonTexts: Readonly<Record<EndReason, Text>> = {
  cameraOffline: 'camera offline',
  network: 'network trouble',
  disk: 'disk full or slow',
  schedule: 'not scheduled',
  mode: 'turned off by the camera’s mode',
  restart: 'server restarted',
  clock: 'clock changed',
  stopped: 'server or recording stopped',
  takeover: 'recording moved to another server',
  database: 'database didn’t respond',
  noEvent: 'no events',
  deleted: 'deleted',
  deletedByRetention: 'deleted because of its age',
  deletedByQuota: 'deleted because the account’s storage was full',
  deletedForSpace: 'deleted because the server’s disk was full',
  deletedByUser: 'deleted by a user',
  unknown: 'reason unknown',
}

type Gap = Span & { readonly reason?: EndReason | undefined }

/** The time zone, and the date format. */
export interface LocalFormat {
  readonly timeZone: string
  readonly locale: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `20 Nov`. A format is kept, because making one takes longer than a frame of the timeline may. */
export function dayFormat({ timeZone, locale }: LocalFormat): Intl.DateTimeFormat {
  const key = `${timeZone} ${locale}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short' })
  formats.set(key, format)
  return format
}

/**
 * Start and end, with seconds if they are less than two minutes apart, and with dates if they are on different days.
 */
function endsOf({ from, till }: Span, place: LocalFormat): { from: string; till: string } {
  const clock = zoneClock(place.timeZone)
  const isShort = till - from < 2 * MINUTE
  const dayOf = (time: number) => Math.floor((time + clock.offsetAt(time)) / DAY)
  const spansDays = dayOf(from) !== dayOf(till)
  const say = (time: number) => {
    const text = clock.timeText(time, isShort)
    return spansDays ? `${dayFormat(place).format(time)} ${text}` : text
  }
  return { from: say(from), till: say(till) }
}

/** `No footage 10:31–10:34: camera offline`. */
export const gapText = (gap: Span & { readonly reason: EndReason }, place: LocalFormat, t: Translate): string =>
  t('No footage {from}–{till}: {reason}', { ...endsOf(gap, place), reason: t(reasonTexts[gap.reason]) })

/** `10:31–10:34: from the camera’s card`. */
export const cardText = (span: Span, place: LocalFormat, t: Translate): string =>
  t('{from}–{till}: from the camera’s card', endsOf(span, place))

/** The text after playback continued behind the gap; the cause may not be known yet. */
export function skippedText(gap: Gap, place: LocalFormat, t: Translate): string {
  const ends = endsOf(gap, place)
  if (gap.reason === undefined) return t('Nothing was recorded {from}–{till}; it was skipped.', ends)
  const reason = t(reasonTexts[gap.reason])
  return t('Nothing was recorded {from}–{till} ({reason}); it was skipped.', { ...ends, reason })
}
