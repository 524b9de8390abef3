import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorName } from '@sightline/contract/errors'
import { MULTIPART_AUDIO_PATH, PICTURE_WIDTHS } from '@sightline/contract/streams'
import { addressGroup, createSemaphore } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import type { Hub } from '../hub/index.ts'
import { MULTIPART_TYPE, type PictureEnd, toPart, type WaitingPieces } from '../pictures/index.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import { isEndCode, type RequestedStream, readStreamAddress, refuse, streamErrors } from './http-answers.ts'
import { type PictureOptions, PictureSources, type SharedPictures } from './picture-sources.ts'
import type { EndCode, StreamSession, StreamSessions } from './stream-sessions.ts'

export interface PictureStreamDeps {
  readonly sessions: Pick<StreamSessions, 'open'>
  readonly channels: Pick<ChannelKeeper, 'hubOf' | 'isPrivate' | 'device'>
  /** Undefined without a decoder. */
  readonly pictures?: PictureOptions | undefined
  /** Called for each stream that begins. */
  readonly onBegin: (session: StreamSession, address: string) => Promise<void>
  readonly onOverload: () => void
  /** Counts a stream as long as it lasts. */
  readonly counted: <T>(session: StreamSession, stream: () => Promise<T>) => Promise<T>
  readonly log: Logger
  readonly now: () => number
}

/** Live video as JPEGs over HTTP. */
export interface PictureStreams extends Disposable {
  /** Answers a request for which `isPictureStream` holds. `address` is the client's, as the edge saw it. */
  handle(req: IncomingMessage, res: ServerResponse, address: string): Promise<void>
}

interface Wanted extends RequestedStream {
  readonly width: number
  readonly hasSound: boolean
}

const OPENING = { concurrency: 4, queue: 200 }
/** A client that reads nothing for so long is gone. */
const STALLED_MS = 30_000
const DEFAULT_WIDTH = 1280
/** A sub-stream without a key picture for so long doesn't come: some cameras have no connection left for it. */
const FRESH_MS = 15_000

const NO_DECODER =
  'this server has no video decoder, and the camera makes no pictures itself: use HLS or the socket of the stream'
const LIVE_ONLY = 'only live video is available as JPEG: play recordings with HLS'

export function pictureStreams(deps: PictureStreamDeps): PictureStreams {
  const sources = new PictureSources({ ...deps, options: deps.pictures })
  const opening = createSemaphore<string>({ perKey: { concurrency: 2, queue: 50 }, overall: OPENING })
  const overloaded = (res: ServerResponse, detail?: string) => {
    deps.onOverload()
    refuse(res, 'overloaded', detail)
  }
  const begin = async (session: StreamSession, wanted: Wanted, res: ServerResponse): Promise<void> => {
    if (session.use !== 'live') return refuse(res, 'mediaNotSupported', LIVE_ONLY)
    const found = findHub(deps, session, wanted)
    if (typeof found === 'number') return refuse(res, streamErrors[found])
    const { width, hasSound } = wanted
    const hears = hasSound && session.caller.rights.has('microphone')
    const key = { cameraId: session.cameraId, stream: found.stream, width }
    const shared = sources.join(key, { hub: found.hub, hears })
    if (shared === 'noDecoder') return refuse(res, 'mediaNotSupported', NO_DECODER)
    if (shared === 'full') return overloaded(res, 'JPEGs of too many other cameras are made: try again later')
    try {
      await deps.onBegin(session, wanted.address)
      await deps.counted(session, () => send(shared, session, res))
    } finally {
      shared.release()
    }
  }
  const open = async (wanted: Wanted, res: ServerResponse): Promise<void> => {
    const { value: opened } = await opening
      .run(addressGroup(wanted.address), () => deps.sessions.open(wanted))
      .then((done) => (done.ok ? done : { value: { ok: false, code: 16 } as const }))
    if (!opened.ok) return opened.code === 16 ? overloaded(res) : refuse(res, streamErrors[opened.code])
    try {
      await begin(opened.session, wanted, res)
    } finally {
      opened.session.close()
    }
  }
  return {
    async handle(req, res, address) {
      const wanted = readWanted(req, address)
      if (typeof wanted === 'string') return refuse(res, wanted)
      if (wanted.from !== undefined) return refuse(res, 'mediaNotSupported', LIVE_ONLY)
      // It must not use up a ticket.
      if (req.method === 'HEAD') return void res.writeHead(200, HEADERS).end()
      await open(wanted, res)
    },
    [Symbol.dispose]: () => sources[Symbol.dispose](),
  }
}

const HEADERS = { 'content-type': MULTIPART_TYPE, 'cache-control': 'private, no-store' } as const

function readWanted(req: IncomingMessage, address: string): Wanted | 'notFound' | 'validation' {
  const asked = readStreamAddress(req, address)
  if (typeof asked === 'string') return asked === 'notFound' ? asked : 'validation'
  const text = asked.parameters.get('width')
  const width = text === null ? DEFAULT_WIDTH : PICTURE_WIDTHS.find((each) => String(each) === text)
  if (width === undefined) return 'validation'
  const { pathname } = new URL(req.url ?? '', 'http://media')
  return { ...asked, width, hasSound: pathname === MULTIPART_AUDIO_PATH }
}

/** The sub-stream unless the address asks for the main stream: it is cheaper to decode, and large enough for most. */
function findHub(
  { channels, now }: Pick<PictureStreamDeps, 'channels' | 'now'>,
  { cameraId, stream }: StreamSession,
  asked: RequestedStream,
): { readonly hub: Hub; readonly stream: StreamSession['stream'] } | EndCode {
  const sub = asked.stream === undefined ? channels.hubOf(cameraId, 'sub') : undefined
  if (sub !== undefined && now() - (sub.latestKeyPicture()?.unit.wallClock ?? 0) < FRESH_MS)
    return { hub: sub, stream: 'sub' }
  const hub = channels.hubOf(cameraId, stream)
  if (hub !== undefined) return { hub, stream }
  return channels.isPrivate(cameraId) ? 18 : 4
}

/** Until the client leaves, permission ends, or no more pictures come. */
async function send({ pieces }: SharedPictures, session: StreamSession, res: ServerResponse): Promise<void> {
  const left = new AbortController()
  res.once('close', () => left.abort())
  // The client may have left while the stream was opened.
  if (res.destroyed) left.abort()
  const signal = AbortSignal.any([session.signal, left.signal])
  const isBegun = await sendPieces(pieces, res, signal)
  if (left.signal.aborted) return
  // Nothing that still waits is sent to someone who may no longer see it.
  const isTaken = session.signal.aborted || pieces.ended === 'private'
  if (isBegun) return void (isTaken ? res.destroy() : res.end())
  const { reason } = session.signal
  refuse(res, session.signal.aborted ? streamErrors[isEndCode(reason) ? reason : 16] : errorOf(pieces))
}

/** @returns whether anything was sent. */
async function sendPieces(pieces: WaitingPieces, res: ServerResponse, signal: AbortSignal): Promise<boolean> {
  let isBegun = false
  for (let piece = await pieces.next(signal); piece !== undefined; piece = await pieces.next(signal)) {
    if (!isBegun) res.writeHead(200, HEADERS)
    const isTaken = res.write(toPart(piece, !isBegun))
    isBegun = true
    if (isTaken) continue
    const stalled = AbortSignal.any([signal, AbortSignal.timeout(STALLED_MS)])
    await once(res, 'drain', { signal: stalled }).catch(() => res.destroy())
    if (res.destroyed) return true
  }
  return isBegun
}

const errors: Readonly<Record<PictureEnd, ErrorName>> = {
  private: 'cameraOffline',
  away: 'cameraOffline',
  undecodable: 'timedOut',
  unsupported: 'mediaNotSupported',
}
const errorOf = ({ ended = 'away' }: WaitingPieces): ErrorName => errors[ended]
