import type { EndReason } from '@sightline/contract/recordings'
import type { Text, Translate } from '../text.ts'
import { timeOfDay } from './local-day.ts'
import { MINUTE, type Span } from './span.ts'

const reasons: Readonly<Record<EndReason, Text>> = {
  cameraOffline: 'camera offline',
  network: 'network trouble',
  disk: 'disk full or slow',
  schedule: 'not scheduled',
  mode: 'switched off by mode',
  restart: 'the service restarted',
  clock: 'a clock was set',
  stopped: 'recording stopped',
  deleted: 'deleted',
  unknown: 'reason unknown',
}

/** `No footage 10:31–10:34: camera offline`; with seconds where the gap is shorter than two minutes. */
export function gapText(gap: Span & { readonly reason: EndReason }, timeZone: string, t: Translate): string {
  const isShort = gap.till - gap.from < 2 * MINUTE
  return t('No footage {from}–{till}: {reason}', {
    from: timeOfDay(gap.from, timeZone, !isShort),
    till: timeOfDay(gap.till, timeZone, !isShort),
    reason: t(reasons[gap.reason]),
  })
}
