import type { Duplex } from 'node:stream'
import { RTSP_PATH } from '@sightline/contract/streams'
import { addressGroup, createSemaphore } from '@sightline/platform/limits'
import type { Hub } from '../hub/index.ts'
import { type OpenedStream, type RtspError, serveRtsp } from '../rtsp-server/index.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import { readStreamAddress } from './http-answers.ts'
import type { EndCode, StreamSession, StreamSessions } from './stream-sessions.ts'
import type { StreamRequest } from './worker-messages.ts'

export interface RtspStreamDeps {
  readonly sessions: Pick<StreamSessions, 'open'>
  readonly channels: Pick<ChannelKeeper, 'hubOf' | 'isPrivate'>
  /** Called for each stream that begins. */
  readonly onBegin: (session: StreamSession, address: string) => Promise<void>
  readonly onOverload: () => void
  /** Counts a stream as long as it lasts. */
  readonly counted: <T>(session: StreamSession, stream: () => Promise<T>) => Promise<T>
  readonly onBug: (error: unknown) => void
}

/** Live video over RTSP. */
export interface RtspStreams {
  /** Accepts a connection; `head` is what the front has read of it. */
  accept(request: StreamRequest, socket: Duplex, head: Uint8Array): void
  close(): void
}

export const isRtspRequest = ({ headers }: StreamRequest): boolean => headers.upgrade === 'rtsp'

const OPENING = { concurrency: 4, queue: 200 }

const refusals: Readonly<Record<EndCode, RtspError>> = {
  4: { status: 404, text: 'Camera not found.' },
  9: { status: 401, text: 'Add a ticket or an access token with the right to watch: &ticket=… or &access_token=…' },
  14: { status: 503, text: 'The camera is offline.' },
  16: { status: 503, text: 'Too many streams are open. Try again later.' },
  18: { status: 503, text: 'The camera is in private mode.' },
  19: { status: 503, text: 'The server of the camera is away. Try again later.' },
}
const UNREADABLE: RtspError = { status: 400, text: 'The address can’t be read.' }
const LIVE_ONLY: RtspError = {
  status: 404,
  text: 'Only live video is available over RTSP: play recordings with HLS.',
}

export function rtspStreams(deps: RtspStreamDeps): RtspStreams {
  const opening = createSemaphore<string>({ perKey: { concurrency: 2, queue: 50 }, overall: OPENING })
  const connected = new Set<Duplex>()

  const open = async (url: string, address: string): Promise<StreamSession | RtspError> => {
    const parsed = URL.parse(url, 'rtsp://media')
    if (parsed?.pathname !== RTSP_PATH) return refusals[4]
    const wanted = readStreamAddress({ url: `${RTSP_PATH}${parsed.search}`, headers: {} }, address)
    if (typeof wanted === 'string') return wanted === 'notFound' ? refusals[4] : UNREADABLE
    if (wanted.from !== undefined) return LIVE_ONLY
    const opened = await opening.run(addressGroup(address), () => deps.sessions.open(wanted))
    const answer = opened.ok ? opened.value : ({ ok: false, code: 16 } as const)
    if (answer.ok) return answer.session
    if (answer.code === 16) deps.onOverload()
    return refusals[answer.code]
  }

  const findHub = ({ cameraId, stream, use }: StreamSession): Hub | RtspError => {
    if (use !== 'live') return LIVE_ONLY
    return deps.channels.hubOf(cameraId, stream) ?? refusals[deps.channels.isPrivate(cameraId) ? 18 : 4]
  }

  const serve = async ({ address }: StreamRequest, socket: Duplex, head: Uint8Array): Promise<void> => {
    using ends = new DisposableStack()
    const begin = async (url: string): Promise<OpenedStream | RtspError> => {
      const session = await open(url, address)
      if ('status' in session) return session
      const hub = findHub(session)
      if ('status' in hub) {
        session.close()
        return hub
      }
      ends.defer(() => session.close())
      await deps.onBegin(session, address)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.defer(resolve)
      void deps.counted(session, () => promise)
      return { hub, hears: session.caller.rights.has('microphone'), signal: session.signal }
    }
    await serveRtsp(socket, head, { open: begin })
  }

  return {
    accept(request, socket, head) {
      connected.add(socket)
      socket.once('close', () => connected.delete(socket))
      serve(request, socket, head).catch((error: unknown) => {
        deps.onBug(error)
        socket.destroy()
      })
    },
    close() {
      for (const socket of connected) socket.destroy()
    },
  }
}
