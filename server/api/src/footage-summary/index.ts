import { getCameraSummary, SUMMARY_HOURS, type SummaryPart } from '@sightline/contract/footage-summary'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { SUMMARY_PATH, TICKET_LIFE_MS } from '@sightline/contract/streams'
import { toDateTime } from '@sightline/contract/wire'
import type { Db } from '@sightline/platform/db'
import { serveChange } from '@sightline/platform/http'
import type { RateLimit } from '@sightline/platform/limits'
import { fail, ok } from '@sightline/platform/result'
import { findCameraInScope } from '../cameras/index.ts'
import { issueTicket, ticketLimit, toHttp } from '../streams/index.ts'
import { type SummarySpan, shareSeconds } from './rules.ts'
import { hasFootage, readShares, type WantedSummary } from './store.ts'

interface Deps {
  readonly db: Db
  readonly now: () => number
  readonly mediaOrigin: (host: string) => string
  readonly media: Pick<MediaPlane, 'clipEnd'>
  readonly streamTickets?: RateLimit | undefined
}

const ROUND_MS = 10_000
const HOUR_MS = 3_600_000

/**
 * The last day of a camera in half a minute. The media worker puts it together while it is sent (docs/decisions/0152), so the reply
 * is never 202.
 */
export const footageSummary = ({ db, now, mediaOrigin, media, streamTickets }: Deps) => {
  const limit = ticketLimit(streamTickets)
  return [
    serveChange(getCameraSummary, async (change, { params: { cameraId }, host }) => {
      const { caller } = change
      const isTooFast = limit(caller)
      if (isTooFast !== undefined) return fail(isTooFast)
      const camera = await findCameraInScope(db, caller, cameraId)
      if (!camera.ok) return camera
      const createdAt = now()
      // Those who ask at about the same time get the same video, so it is planned once.
      const till = Math.floor(createdAt / ROUND_MS) * ROUND_MS
      const from = till - SUMMARY_HOURS * HOUR_MS
      const wanted = { accountId: caller.accountId, cameraId, from, till }
      const isRecorded = await db.inTenant(caller, (tx) => hasFootage(tx, wanted))
      if (!isRecorded) return fail({ error: 'notFound', detail: 'nothing was recorded in the last 24 hours' })
      const spans = await findSpans(media, wanted)
      const shares = await db.inTenant(caller, (tx) => readShares(tx, wanted, spans))
      const origin = toHttp(mediaOrigin(host))
      const issued = await change.tx(caller, async (tx) => {
        const parts: SummaryPart[] = []
        for (const { seconds, ...span } of shareSeconds(shares)) {
          const opened = { cameraId, use: 'playback', ...span, stream: undefined, proof: undefined } as const
          const ticket = await issueTicket(tx, caller, { ...opened, expiresAt: createdAt + TICKET_LIFE_MS })
          const address = `${origin}${SUMMARY_PATH}?camera_id=${cameraId}&seconds=${seconds}&ticket=${ticket}`
          parts.push({ url: address, from: toDateTime(span.from), till: toDateTime(span.till), seconds })
        }
        return ok(parts)
      })
      if (!issued.ok) return issued
      const parts = issued.value
      const url = parts.reduce((most, part) => (part.seconds > most.seconds ? part : most)).url
      return ok({ url, parts, from: toDateTime(from), till: toDateTime(till), createdAt: toDateTime(createdAt) })
    }),
  ]
}

/** The spans of which one machine each has the footage, in order (docs/decisions/0166). */
async function findSpans(
  media: Deps['media'],
  { from, till, ...camera }: WantedSummary,
): Promise<readonly SummarySpan[]> {
  const spans: SummarySpan[] = []
  for (let begin = from; begin < till; ) {
    const end = Math.min(till, await media.clipEnd({ ...camera, stream: 'main', from: begin, till }))
    if (end <= begin) break
    spans.push({ from: begin, till: end })
    begin = end
  }
  return spans.length === 0 ? [{ from, till }] : spans
}
