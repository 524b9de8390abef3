import { randomBytes } from 'node:crypto'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import {
  CLIP_PATH,
  getStreams,
  postStreamTicket,
  SNAPSHOT_PATH,
  type StreamName,
  streamNames,
  TICKET_LIFE_MS,
  type TicketUse,
} from '@sightline/contract/streams'
import { toDateTime } from '@sightline/contract/wire'
import type { Db, Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { serve, serveChange } from '@sightline/platform/http'
import { createRateLimiter, type RateLimit } from '@sightline/platform/limits'
import { fail, ok } from '@sightline/platform/result'
import { type MemberCaller, tokenSha256 } from '@sightline/platform/sessions'
import { cameraPasswordContext } from '../camera-connection/index.ts'
import { findCameraInScope } from '../cameras/index.ts'
import { localRtspUrl, maySeeLocalRtsp } from './local-rtsp.ts'
import { getTicketDenyReason, tooManyTickets } from './rules.ts'
import { insertTicket, loadExporter, loadLocalStreams, loadStreams } from './store.ts'
import { chosenUrls, mseAddress, toHttp, toStreamUrls } from './urls.ts'

export { chosenUrls, rtspUrls, toHttp } from './urls.ts'

/** Random bits of a ticket: 256 (docs/design requires at least 128). */
const TICKET_BYTES = 32

export interface StreamDeps {
  readonly db: Db
  readonly now: () => number
  readonly encryption: Pick<EnvelopeEncryption, 'open'>
  readonly mediaOrigin: (host: string) => string
  /** Whether streams are offered over WebRTC; not if omitted. */
  readonly servesWebRtc?: boolean | undefined
  /** Where RTSP is served; undefined if it is off. */
  readonly rtspOrigin?: ((host: string) => string | undefined) | undefined
  readonly media: Pick<MediaPlane, 'clipEnd' | 'makesPictures'>
  /** Tickets that one user may request; unlimited if omitted. */
  readonly streamTickets?: RateLimit | undefined
}

export const streams = (deps: StreamDeps) => {
  const { db, now, mediaOrigin, media } = deps
  return [getStreamsOf(deps), postTicket({ db, now, mediaOrigin, media, limit: ticketLimit(deps.streamTickets) })]
}

const getStreamsOf = ({
  db,
  encryption,
  mediaOrigin,
  rtspOrigin,
  servesWebRtc = false,
  media,
}: Omit<StreamDeps, 'now' | 'streamTickets'>) =>
  serve(getStreams, async (caller, { params, query, host }) => {
    const camera = await findCameraInScope(db, caller, params.cameraId)
    if (!camera.ok) return camera
    const { main, sub, hasOnvif, local } = await db.inTenant(caller, async (tx) => ({
      ...(await loadStreams(tx, camera.value)),
      local: maySeeLocalRtsp(caller) ? await loadLocalStreams(tx, camera.value) : undefined,
    }))
    const asked = {
      origin: mediaOrigin(host),
      rtspOrigin: rtspOrigin?.(host),
      servesWebRtc,
      cameraId: params.cameraId,
      caller,
      hasPictures: media.makesPictures || hasOnvif,
    }
    const sealed = local?.passwordSealed
    const password = sealed ? encryption.open(cameraPasswordContext(camera.value), sealed) : undefined
    const urlsOf = (stream: StreamName) => {
      const localRtsp = local && localRtspUrl(local[stream], password)
      const urls = { ...toStreamUrls({ ...asked, stream }), ...(localRtsp !== undefined && { localRtsp }) }
      return chosenUrls(urls, query.urlTypes)
    }
    const listed = [{ streamId: { value: 0 }, stream: 'main' as const, ...main, urls: urlsOf('main') }]
    if (sub === undefined) return ok(listed)
    return ok([...listed, { streamId: { value: 1 }, stream: 'sub' as const, ...sub, urls: urlsOf('sub') }])
  })

/** Where a file ends. */
const findEnd = async (
  media: StreamDeps['media'],
  wanted: { readonly accountId: number; readonly cameraId: number; readonly stream: StreamName | undefined },
  { from, till }: { readonly from?: number | undefined; readonly till?: number | undefined },
): Promise<number | undefined> =>
  from === undefined || till === undefined
    ? till
    : await media.clipEnd({ ...wanted, stream: wanted.stream ?? 'main', from, till })

/** Support sessions don't use up the owner's limit. */
const personOf = ({ userId, support }: MemberCaller): string =>
  support === undefined ? `member ${userId}` : `staff ${support.staffId}`

/** Counts the tickets of each user: an error if one asks for them faster than streams can reasonably be opened. */
export function ticketLimit(rate: RateLimit | undefined): (caller: MemberCaller) => ApiError | undefined {
  const limit = rate && createRateLimiter(rate, () => performance.now())
  return (caller) => {
    const waitMs = limit?.consume(personOf(caller))
    return waitMs === undefined ? undefined : tooManyTickets(waitMs)
  }
}

/** Stores a new ticket; only its holder knows its text. */
export async function issueTicket(
  tx: Tx,
  caller: MemberCaller,
  opened: Omit<Parameters<typeof insertTicket>[2], 'sha256'>,
): Promise<string> {
  const ticket = randomBytes(TICKET_BYTES).toString('base64url')
  await insertTicket(tx, caller, { ...opened, sha256: tokenSha256(ticket) })
  return ticket
}

/** Where what isn't watched is; streams have their addresses in the list. */
const ticketPaths: Partial<Record<TicketUse, string>> = { mp4: CLIP_PATH, snapshot: SNAPSHOT_PATH }

/** Where the camera's streams are, so that a client that watches needs no other call. */
async function watchedStreams(
  tx: Tx,
  { accountId, cameraId, use, origin }: { accountId: number; cameraId: number; use: TicketUse; origin: string },
) {
  if (use !== 'live' && use !== 'playback') return undefined
  const { sub } = await loadStreams(tx, { accountId, cameraId })
  const names = sub === undefined ? (['main'] as const) : streamNames
  return names.map((stream) => ({ stream, mseWss: mseAddress(origin, { cameraId, stream }) }))
}

const endOf = (till: number | undefined) => (till === undefined ? {} : { till: toDateTime(till) })

type TicketDeps = Pick<StreamDeps, 'db' | 'now' | 'mediaOrigin' | 'media'> & {
  readonly limit: ReturnType<typeof ticketLimit>
}

const postTicket = ({ db, now, mediaOrigin, media, limit }: TicketDeps) =>
  serveChange(postStreamTicket, async (change, { params, body, host }) => {
    const { caller } = change
    const isTooFast = limit(caller)
    if (isTooFast !== undefined) return fail(isTooFast)
    const camera = await findCameraInScope(db, caller, params.cameraId)
    if (!camera.ok) return camera
    const refusal = getTicketDenyReason(body.use, body, caller)
    if (refusal !== undefined) return fail(refusal)
    const expiresAt = now() + TICKET_LIFE_MS
    const { use, stream, from } = body
    const origin = mediaOrigin(host)
    const till =
      use === 'mp4'
        ? await findEnd(media, { accountId: caller.accountId, cameraId: params.cameraId, stream }, body)
        : body.till
    const kept = await change.tx(caller, async (tx) => {
      const { cameraId } = params
      const proof = body.proof && { ...body.proof, ...(await loadExporter(tx, caller, cameraId)) }
      const ticket = await issueTicket(tx, caller, { cameraId, use, stream, from, till, proof, expiresAt })
      return ok({ ticket, watched: await watchedStreams(tx, { ...camera.value, use, origin }) })
    })
    if (!kept.ok) return kept
    const { ticket, watched } = kept.value
    const made = { ticket, expiresAt: toDateTime(expiresAt) }
    const path = ticketPaths[use]
    if (path === undefined) return ok({ ...made, ...(watched && { streams: watched }) })
    // The same host and scheme as for sockets.
    const url = `${toHttp(origin)}${path}?camera_id=${params.cameraId}&ticket=${ticket}`
    return ok({ ...made, ...(use === 'mp4' && endOf(till)), url })
  })
