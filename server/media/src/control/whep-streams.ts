import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorName } from '@sightline/contract/errors'
import { WHEP_PATH, WHEP_SESSION_PATH } from '@sightline/contract/streams'
import { addressGroup, createSemaphore } from '@sightline/platform/limits'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { TrackConfig } from '../frame/index.ts'
import type { Hub } from '../hub/index.ts'
import {
  chooseTracks,
  MAX_OFFER_BYTES,
  type Offer,
  openWebRtcPort,
  readOffer,
  type WebRtcPort,
  type WebRtcPortOptions,
  type WebRtcViewer,
} from '../webrtc/index.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import { type RequestedStream, readStreamAddress, refuse, streamErrors } from './http-answers.ts'
import type { StreamSession, StreamSessions } from './stream-sessions.ts'
import { lookAtStream } from './whep-look.ts'

export interface WhepStreamDeps {
  /** Names the worker in the addresses of sessions, so that the front finds it again. */
  readonly workerId: string
  readonly port: Pick<WebRtcPort, 'connect'>
  readonly sessions: Pick<StreamSessions, 'open'>
  readonly channels: Pick<ChannelKeeper, 'hubOf' | 'isPrivate'>
  /** Called for each stream that begins. */
  readonly onBegin: (session: StreamSession, address: string) => Promise<void>
  readonly onOverload: () => void
  /** Counts a stream as long as it lasts. */
  readonly counted: <T>(session: StreamSession, stream: () => Promise<T>) => Promise<T>
}

/** Live video for WHEP: WebRTC that is opened and closed by HTTP. */
export interface WhepStreams extends Disposable {
  handle(req: IncomingMessage, res: ServerResponse, address: string): Promise<void>
}

const SDP = 'application/sdp'
const OPENING = { perKey: { concurrency: 2, queue: 50 }, overall: { concurrency: 4, queue: 200 } }
const KEY_BYTES = 24

const LIVE_ONLY = 'only live video is available over WebRTC: play recordings with HLS'
const REORDERED =
  'this stream shows its pictures in another order than it sends them (B-frames), which browsers can’t play over WebRTC: request stream=sub, or turn off B-frames in the camera'

interface Refusal {
  readonly error: ErrorName
  readonly detail?: string
}

const refusal = (error: ErrorName, detail?: string): Result<never, Refusal> =>
  fail(detail === undefined ? { error } : { error, detail })

/** Opens the UDP port, too. */
export async function openWhepStreams(
  port: WebRtcPortOptions,
  deps: Omit<WhepStreamDeps, 'port'>,
): Promise<Pick<WhepStreams, 'handle'> & AsyncDisposable> {
  const opened = await openWebRtcPort(port)
  const streams = whepStreams({ ...deps, port: opened })
  return {
    handle: streams.handle,
    async [Symbol.asyncDispose]() {
      streams[Symbol.dispose]()
      await opened[Symbol.asyncDispose]()
    },
  }
}

export function whepStreams(deps: WhepStreamDeps): WhepStreams {
  const viewers = new Viewers(deps)
  const begin = async (req: IncomingMessage, res: ServerResponse, address: string): Promise<void> => {
    const asked = readStreamAddress(req, address)
    if (typeof asked === 'string') return refuse(res, asked)
    if (asked.from !== undefined) return refuse(res, 'mediaNotSupported', LIVE_ONLY)
    const offer = await offerOf(req)
    if (!offer.ok) return refuse(res, offer.failure.error, offer.failure.detail)
    const opened = await viewers.open(asked, offer.value)
    if (opened.ok) return sendAnswer(res, opened.value)
    if (opened.failure.error === 'overloaded') deps.onOverload()
    refuse(res, opened.failure.error, opened.failure.detail)
  }
  return {
    async handle(req, res, address) {
      const { pathname, searchParams } = new URL(req.url ?? '', 'http://media')
      const method = pathname === WHEP_PATH ? 'POST' : 'DELETE'
      if (req.method !== method) refuseMethod(req, res, method)
      else if (method === 'POST') await begin(req, res, address)
      else if (viewers.end(searchParams)) res.writeHead(200, { 'content-length': 0 }).end()
      else refuse(res, 'notFound')
    },
    [Symbol.dispose]: () => viewers.endAll(),
  }
}

interface OpenedStream {
  readonly answer: string
  /** Where the viewer ends it. */
  readonly location: string
}

class Viewers {
  readonly #deps: WhepStreamDeps
  readonly #opening = createSemaphore<string>(OPENING)
  readonly #viewers = new Map<string, { readonly viewer: WebRtcViewer; readonly cameraId: number }>()

  constructor(deps: WhepStreamDeps) {
    this.#deps = deps
  }

  async open(asked: RequestedStream, offer: Offer): Promise<Result<OpenedStream, Refusal>> {
    // A camera that is away is waited for below, with nobody behind: only what strangers can ask for is a queue.
    const asking = await this.#opening.run(addressGroup(asked.address), () => this.#deps.sessions.open(asked))
    if (!asking.ok) return refusal('overloaded')
    const opened = asking.value
    if (!opened.ok) return refusal(streamErrors[opened.code])
    const { session } = opened
    let isKept = false
    try {
      const connected = await this.#connect(session, offer, asked.address)
      if (!connected.ok) return connected
      isKept = true
      return ok({ answer: connected.value.answer, location: this.#keep(session, connected.value) })
    } finally {
      if (!isKept) session.close()
    }
  }

  /** Whether there was such a viewer. */
  end(parameters: URLSearchParams): boolean {
    const found = this.#viewers.get(parameters.get('session') ?? '')
    if (found === undefined || String(found.cameraId) !== parameters.get('camera_id')) return false
    found.viewer.end('the viewer has left')
    return true
  }

  endAll(): void {
    for (const { viewer } of this.#viewers.values()) viewer.end('the server stops')
  }

  async #connect(session: StreamSession, offer: Offer, address: string): Promise<Result<WebRtcViewer, Refusal>> {
    const hub = this.#findHub(session)
    if (!hub.ok) return hub
    const { tracks, isReordered } = await lookAtStream(hub.value, session.signal)
    if (tracks.length === 0) return refusal('cameraOffline')
    if (isReordered) return refusal('mediaNotSupported', REORDERED)
    const mayHear = session.caller.rights.has('microphone')
    const chosen = chooseTracks(offer, mayHear ? tracks : tracks.filter(({ kind }) => kind === 'video'))
    if (!chosen.ok) return refusal('mediaNotSupported', chosen.failure)
    await this.#deps.onBegin(session, address)
    const soundNote = chosen.value.sound === undefined ? noteOf(tracks, mayHear) : undefined
    return ok(this.#deps.port.connect({ hub: hub.value, offer, chosen: chosen.value, soundNote }))
  }

  #findHub({ cameraId, stream, use }: StreamSession): Result<Hub, Refusal> {
    const { channels } = this.#deps
    if (use !== 'live') return refusal('mediaNotSupported', LIVE_ONLY)
    const hub = channels.hubOf(cameraId, stream)
    if (hub !== undefined) return ok(hub)
    return refusal(channels.isPrivate(cameraId) ? 'cameraOffline' : 'notFound')
  }

  /** Until it ends. @returns the address of its session. */
  #keep(session: StreamSession, viewer: WebRtcViewer): string {
    const key = `${this.#deps.workerId}.${randomBytes(KEY_BYTES).toString('base64url')}`
    this.#viewers.set(key, { viewer, cameraId: session.cameraId })
    const onAbort = () => viewer.end('the permission has ended')
    session.signal.addEventListener('abort', onAbort, { once: true })
    void this.#deps
      .counted(session, () => viewer.ended)
      .then(() => {
        this.#viewers.delete(key)
        session.signal.removeEventListener('abort', onAbort)
        session.close()
      })
    // It may have ended while the camera was looked at.
    if (session.signal.aborted) onAbort()
    return `${WHEP_SESSION_PATH}?camera_id=${session.cameraId}&session=${encodeURIComponent(key)}`
  }
}

function sendAnswer(res: ServerResponse, { answer, location }: OpenedStream): void {
  const headers = { 'content-type': SDP, 'content-length': Buffer.byteLength(answer), 'cache-control': 'no-store' }
  res.writeHead(201, { ...headers, location }).end(answer)
}

/** There is neither trickle ICE nor a restart: the answer has all candidates (RFC 9725 §4.3). */
function refuseMethod(req: IncomingMessage, res: ServerResponse, method: 'POST' | 'DELETE'): void {
  res.setHeader('allow', `${method}, OPTIONS`)
  if (method === 'POST') res.setHeader('accept-post', SDP)
  if (req.method === 'OPTIONS') res.writeHead(204).end()
  else refuse(res, 'unsupportedOperation')
}

async function offerOf(req: IncomingMessage): Promise<Result<Offer, Refusal>> {
  const type = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== SDP) return refusal('mediaNotSupported', `send the offer as ${SDP}`)
  const body = await readBody(req, MAX_OFFER_BYTES)
  if (body === undefined) return refusal('payloadTooLarge', 'The session description is too long.')
  const offer = readOffer(body)
  return offer.ok ? offer : refusal('validation', offer.failure)
}

/** Undefined if it is longer; the rest isn't read. */
async function readBody(req: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Why the viewer gets no sound; undefined if the camera has none. */
function noteOf(tracks: readonly TrackConfig[], mayHear: boolean): string | undefined {
  const sound = tracks.find(({ kind }) => kind === 'audio')
  if (sound === undefined) return undefined
  if (!mayHear) return 'No sound: the right to hear the camera is missing.'
  return `No sound: ${sound.codec.toUpperCase()} can’t be sent over WebRTC to this viewer.`
}
