import type { EndReason } from '@sightline/contract/recordings'
import { localDate, timeOfDay } from '@sightline/shell/local-day'
import type { Text, Translate } from '../text.ts'
import { MINUTE, type Span } from './span.ts'

const reasons: Readonly<Record<EndReason, Text>> = {
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

/**
 * Start and end, with seconds if they are less than two minutes apart, and with dates if they are on different days.
 */
function endsOf({ from, till }: Span, { timeZone, locale }: LocalFormat): { from: string; till: string } {
  const isShort = till - from < 2 * MINUTE
  const spansDays = localDate(from, timeZone) !== localDate(till, timeZone)
  const date = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short' })
  const say = (time: number) => {
    const clock = timeOfDay(time, timeZone, !isShort)
    return spansDays ? `${date.format(time)} ${clock}` : clock
  }
  return { from: say(from), till: say(till) }
}

/** `No footage 10:31–10:34: camera offline`. */
export const gapText = (gap: Span & { readonly reason: EndReason }, place: LocalFormat, t: Translate): string =>
  t('No footage {from}–{till}: {reason}', { ...endsOf(gap, place), reason: t(reasons[gap.reason]) })

/** `10:31–10:34: from the camera’s card`. */
export const cardText = (span: Span, place: LocalFormat, t: Translate): string =>
  t('{from}–{till}: from the camera’s card', endsOf(span, place))

/** The text after playback continued behind the gap; the cause may not be known yet. */
export function skippedText(gap: Gap, place: LocalFormat, t: Translate): string {
  const ends = endsOf(gap, place)
  if (gap.reason === undefined) return t('Nothing was recorded {from}–{till}; it was skipped.', ends)
  const reason = t(reasons[gap.reason])
  return t('Nothing was recorded {from}–{till} ({reason}); it was skipped.', { ...ends, reason })
}
