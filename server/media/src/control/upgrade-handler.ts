import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { TALK_PATH } from '@sightline/contract/camera-audio'
import {
  type MediaTimes,
  MSE_PATH,
  mediaTimes,
  type SentPictures,
  sentPictures,
  streamName,
} from '@sightline/contract/streams'
import { dateTimeText, idText } from '@sightline/contract/wire'
import { addressGroup, createSemaphore } from '@sightline/platform/limits'
import { type WebSocket, WebSocketServer } from 'ws'
import type { EndCode, OpenStreamInput, StreamSession, StreamSessions } from './stream-sessions.ts'
import type { StreamRequest } from './worker-messages.ts'

/** An authorized viewer; the socket is open and served until it closes. */
export interface Viewer {
  readonly socket: WebSocket
  readonly session: StreamSession
  readonly address: string
  readonly playback: PlaybackWishes
  /** They don't watch the camera, but talk through it. */
  readonly isTalk: boolean
}

/** How recordings are sent. */
export interface PlaybackWishes {
  readonly mediaTimes: MediaTimes
  readonly pictures: SentPictures
}

export interface StreamUpgradeOptions {
  readonly sessions: StreamSessions
  readonly serve: (viewer: Viewer) => Promise<void>
  /** Called for each viewer who is refused because too many streams are open or opening. */
  readonly onOverload: () => void
  readonly onBug: (error: unknown) => void
}

export interface StreamUpgradeHandler {
  /** Accepts a socket whose opening handshake was read by the edge. */
  accept(request: StreamRequest, socket: Duplex, head: Uint8Array): void
  close(): void
}

/** A viewer says little: seek, rate, pause. */
const MAX_CLIENT_MESSAGE_BYTES = 4096
/** Unauthorised sockets do not linger. */
const REFUSAL_CLOSES_AFTER_MS = 2000

/**
 * Opening queries the database, so only a few run at a time: a thousand sockets must not keep the database or the
 * recorders busy.
 */
const OPENING = { concurrency: 4, queue: 1000 }
/** Of those, from one address (a /64 of IPv6). */
const OPENING_FROM_ONE = { concurrency: 2, queue: 200 }
const OVERLOADED = 16

/** The entry point of viewers: handshake, permission, then live or playback. */
export function streamUpgradeHandler({
  sessions,
  serve,
  onOverload,
  onBug,
}: StreamUpgradeOptions): StreamUpgradeHandler {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_CLIENT_MESSAGE_BYTES, perMessageDeflate: false })
  const opening = createSemaphore<string>({ perKey: OPENING_FROM_ONE, overall: OPENING })

  const open = async (socket: WebSocket, wanted: OpenStreamInput) => {
    const opened = await opening.run(addressGroup(wanted.address), async () =>
      // A viewer who left while waiting needs no answer.
      socket.readyState === socket.OPEN ? sessions.open(wanted) : undefined,
    )
    const answer = opened.ok ? opened.value : ({ ok: false, code: OVERLOADED } as const)
    if (answer?.ok === false && answer.code === OVERLOADED) onOverload()
    return answer
  }

  const admit = async (socket: WebSocket, request: StreamRequest): Promise<void> => {
    const wanted = parseWanted(request)
    if (typeof wanted === 'number') return refuse(socket, wanted)
    const opened = await open(socket, wanted)
    if (opened === undefined) return
    if (!opened.ok) return refuse(socket, opened.code)
    try {
      const { session } = opened
      const isTalk = pathOf(request) === TALK_PATH
      await serve({ socket, session, address: request.address, playback: parseWishes(request), isTalk })
    } finally {
      opened.session.close()
    }
  }

  return {
    accept(request, socket, head) {
      socket.on('error', () => socket.destroy())
      const handshake = { method: 'GET', url: request.url, headers: request.headers } as unknown as IncomingMessage
      server.handleUpgrade(handshake, socket, Buffer.from(head), (opened) => {
        admit(opened, request).catch((error: unknown) => {
          onBug(error)
          opened.terminate()
        })
      })
    },
    close() {
      server.close()
      for (const socket of server.clients) socket.terminate()
    },
  }
}

const pathOf = ({ url }: Pick<StreamRequest, 'url'>): string => new URL(url, 'http://media').pathname

/** The address can't be parsed: an invalid time or stream. */
const UNREADABLE = 3
const NO_SUCH_CAMERA = 4
/** The footage is on a machine that isn't connected. */
const AWAY = 19
/** The front adds it to an address. */
export const AWAY_PARAMETER = 'footage_away'

/**
 * `…/open?camera_id=…&ticket=…[&time=…][&stream=sub]`; existing clients append `&access_token=…` instead (api.md §12).
 * @returns a code of the error catalogue for an address that asks for nothing.
 */
function parseWanted({
  url,
  address,
}: StreamRequest): OpenStreamInput | typeof UNREADABLE | typeof NO_SUCH_CAMERA | typeof AWAY {
  const { pathname, searchParams } = new URL(url, 'http://media')
  const cameraId = idText.safeParse(searchParams.get('camera_id') ?? '')
  const isTalk = pathname === TALK_PATH && !searchParams.has('time')
  if (!(isTalk || pathname === MSE_PATH) || !cameraId.success) return NO_SUCH_CAMERA
  if (searchParams.has(AWAY_PARAMETER)) return AWAY
  const time = searchParams.has('time') ? dateTimeText.safeParse(searchParams.get('time')) : undefined
  if (time?.success === false) return UNREADABLE
  const stream = searchParams.has('stream') ? streamName.safeParse(searchParams.get('stream')) : undefined
  if (stream?.success === false) return UNREADABLE
  const ticket = searchParams.get('ticket')
  const accessToken = searchParams.get('access_token')
  const credential = ticket === null ? { accessToken: accessToken ?? '' } : { ticket }
  return { cameraId: cameraId.data, credential, from: time?.data, stream: stream?.data, address }
}

/** What isn't understood is left as it is for existing clients. */
function parseWishes({ url }: StreamRequest): PlaybackWishes {
  const { searchParams } = new URL(url, 'http://media')
  return {
    mediaTimes: mediaTimes.safeParse(searchParams.get('media_times')).data ?? 'continuous',
    pictures: sentPictures.safeParse(searchParams.get('pictures')).data ?? 'all',
  }
}

/** Sent over the socket, because a browser can't read the status of a refused handshake. */
function refuse(socket: WebSocket, code: EndCode | typeof UNREADABLE): void {
  socket.on('error', () => socket.terminate())
  socket.send(JSON.stringify({ type: 'end', code }))
  socket.close(1000)
  setTimeout(() => socket.terminate(), REFUSAL_CLOSES_AFTER_MS).unref()
}
