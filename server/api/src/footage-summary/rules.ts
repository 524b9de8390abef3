import { MAX_SUMMARY_PARTS, SUMMARY_SECONDS } from '@sightline/contract/footage-summary'

/** Milliseconds since 1970. */
export interface SummarySpan {
  readonly from: number
  readonly till: number
}

export interface SpanShare extends SummarySpan {
  /** Of the main stream. */
  readonly recordedMs: number
}

/** Shorter videos show nothing. */
const LEAST_SECONDS = 1

/** The length of each span's video, by its share of the footage. A span without footage gets none, unless no span has any. */
export function shareSeconds(shares: readonly SpanShare[]): readonly (SummarySpan & { readonly seconds: number })[] {
  const most = shares.toSorted((a, b) => b.recordedMs - a.recordedMs).slice(0, MAX_SUMMARY_PARTS)
  const chosen = shares.filter((share) => most.includes(share) && (share.recordedMs > 0 || share === most[0]))
  const whole = chosen.reduce((sum, { recordedMs }) => sum + recordedMs, 0)
  return chosen.map(({ from, till, recordedMs }) => {
    const share = whole === 0 ? 1 : recordedMs / whole
    return { from, till, seconds: Math.max(LEAST_SECONDS, Math.round(share * SUMMARY_SECONDS * 10) / 10) }
  })
}
