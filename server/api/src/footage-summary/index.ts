import { getCameraSummary, SUMMARY_HOURS } from '@sightline/contract/footage-summary'
import { SUMMARY_PATH, TICKET_LIFE_MS } from '@sightline/contract/streams'
import { toDateTime } from '@sightline/contract/wire'
import type { Db } from '@sightline/platform/db'
import { serveChange } from '@sightline/platform/http'
import type { RateLimit } from '@sightline/platform/limits'
import { fail, ok } from '@sightline/platform/result'
import { findCameraInScope } from '../cameras/index.ts'
import { issueTicket, ticketLimit, toHttp } from '../streams/index.ts'
import { hasFootage } from './store.ts'

interface Deps {
  readonly db: Db
  readonly now: () => number
  readonly mediaOrigin: (host: string) => string
  readonly streamTickets?: RateLimit | undefined
}

const ROUND_MS = 10_000
const HOUR_MS = 3_600_000

/**
 * The last day of a camera in half a minute. The media worker puts it together while it is sent (docs/decisions/0152), so the reply
 * is never 202.
 */
export const footageSummary = ({ db, now, mediaOrigin, streamTickets }: Deps) => {
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
      const { accountId } = caller
      const isRecorded = await db.inTenant(caller, (tx) => hasFootage(tx, { accountId, cameraId, from, till }))
      if (!isRecorded) return fail({ error: 'notFound', detail: 'nothing was recorded in the last 24 hours' })
      const opened = { cameraId, use: 'playback', from, till, stream: undefined, proof: undefined } as const
      const ticket = await change.tx(caller, async (tx) =>
        ok(await issueTicket(tx, caller, { ...opened, expiresAt: createdAt + TICKET_LIFE_MS })),
      )
      if (!ticket.ok) return ticket
      return ok({
        url: `${toHttp(mediaOrigin(host))}${SUMMARY_PATH}?camera_id=${cameraId}&ticket=${ticket.value}`,
        from: toDateTime(from),
        till: toDateTime(till),
        createdAt: toDateTime(createdAt),
      })
    }),
  ]
}
