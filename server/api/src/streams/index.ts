import { randomBytes } from 'node:crypto'
import { getStreams, MSE_PATH, postStreamTicket, TICKET_LIFE_MS } from '@sightline/contract/streams'
import { toDateTime } from '@sightline/contract/wire'
import type { Db } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { tokenSha256 } from '@sightline/platform/sessions'
import { reachCamera } from '../cameras/index.ts'
import { ticketRefusal } from './rules.ts'
import { insertTicket } from './store.ts'

/** Random bits of a ticket: 256 (docs/design asks for 128 at least). */
const TICKET_BYTES = 32

export const streams = ({
  db,
  now,
  mediaOrigin,
}: {
  db: Db
  now: () => number
  mediaOrigin: (host: string) => string
}) => [
  serve(getStreams, async (caller, { params, host }) => {
    const camera = await reachCamera(db, caller, params.cameraId)
    if (!camera.ok) return camera
    const mseWss = `${mediaOrigin(host)}${MSE_PATH}?camera_id=${params.cameraId}`
    return ok([{ streamId: { value: 0 }, urls: { mseWss } }])
  }),

  serve(postStreamTicket, async (caller, { params, body }) => {
    const camera = await reachCamera(db, caller, params.cameraId)
    if (!camera.ok) return camera
    const refusal = ticketRefusal(body.use, body, caller.rights)
    if (refusal !== undefined) return fail(refusal)
    const ticket = randomBytes(TICKET_BYTES).toString('base64url')
    const expiresAt = now() + TICKET_LIFE_MS
    const { use, from, till } = body
    await db.inTenant(caller, (tx) =>
      insertTicket(tx, caller, { sha256: tokenSha256(ticket), cameraId: params.cameraId, use, from, till, expiresAt }),
    )
    return ok({ ticket, expiresAt: toDateTime(expiresAt) })
  }),
]
