import type { Duplex } from 'node:stream'
import { type ErrorName, errorCatalogue, toErrorBody } from '@sightline/contract/errors'
import { RTSP_PATH } from '@sightline/contract/streams'
import { addressGroup, createSemaphore } from '@sightline/platform/limits'
import type { StreamKey } from '../recording/index.ts'
import { type OpenedStream, type RecordedFootage, type RtspError, serveRtsp } from '../rtsp-server/index.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import { readStreamAddress, streamErrors } from './http-answers.ts'
import type { StreamSession, StreamSessions } from './stream-sessions.ts'
import { AWAY_PARAMETER } from './upgrade-handler.ts'
import type { StreamRequest } from './worker-messages.ts'

export interface RtspStreamDeps {
  readonly sessions: Pick<StreamSessions, 'open'>
  readonly channels: Pick<ChannelKeeper, 'hubOf' | 'isPrivate'>
  /** With what recordings are read. */
  readonly footage: Pick<RecordedFootage, 'store' | 'keys' | 'reads' | 'files'>
  /** Whether this worker keeps the camera's footage on its disk. */
  readonly keeps: (cameraId: number) => boolean
  /** Whether footage of a time is on another machine. */
  readonly isElsewhere: (stream: StreamKey, time: number) => Promise<boolean>
  readonly now: () => number
  /** Called for each stream that begins. */
  readonly onBegin: (session: StreamSession, address: string) => Promise<void>
  readonly onOverload: () => void
  /** Counts a stream as long as it lasts. */
  readonly counted: <T>(session: StreamSession, stream: () => Promise<T>) => Promise<T>
  readonly onBug: (error: unknown) => void
}

/** Live video and recordings over RTSP. */
export interface RtspStreams {
  /** Accepts a connection; `head` is what the front has read of it. */
  accept(request: StreamRequest, socket: Duplex, head: Uint8Array): void
  close(): void
}

export const isRtspRequest = ({ headers }: StreamRequest): boolean => headers.upgrade === 'rtsp'

const OPENING = { concurrency: 4, queue: 200 }

/** Connections that have opened no stream yet, of all clients and of one address (a /64 of IPv6). */
const MAX_UNOPENED = 500
const MAX_UNOPENED_OF_ONE = 20

/** RTSP has no statuses of its own for these (RFC 2326 §7.1.1). */
const statuses: Partial<Record<ErrorName, number>> = { mediaNotSupported: 415, cameraOffline: 503, deviceOffline: 503 }

interface Begun {
  readonly session: StreamSession
  /** Where the address asks recordings to end. */
  readonly till: number | undefined
}

/** The body is that of the API. */
const refusal = (error: ErrorName, detail?: string): RtspError => ({
  status: statuses[error] ?? errorCatalogue[error].status,
  json: JSON.stringify(toErrorBody({ error, ...(detail === undefined ? {} : { detail }) })),
})

export function rtspStreams(deps: RtspStreamDeps): RtspStreams {
  const opening = createSemaphore<string>({ perKey: { concurrency: 2, queue: 50 }, overall: OPENING })
  const connected = new Set<Duplex>()
  const unopened = new Map<Duplex, string>()

  const open = async (url: string, address: string): Promise<Begun | RtspError> => {
    const parsed = URL.parse(url, 'rtsp://media')
    if (parsed?.pathname !== RTSP_PATH) return refusal('notFound')
    const wanted = readStreamAddress({ url: `${RTSP_PATH}${parsed.search}`, headers: {} }, address)
    if (typeof wanted === 'string') return refusal(wanted)
    if (wanted.parameters.has(AWAY_PARAMETER)) return refusal('timedOut')
    const opened = await opening.run(addressGroup(address), () => deps.sessions.open(wanted))
    const answer = opened.ok ? opened.value : ({ ok: false, code: 16 } as const)
    if (answer.ok) return { session: answer.session, till: wanted.till }
    if (answer.code === 16) deps.onOverload()
    return refusal(streamErrors[answer.code])
  }

  const serve = async ({ address }: StreamRequest, socket: Duplex, head: Uint8Array): Promise<void> => {
    using ends = new DisposableStack()
    const begin = async (url: string): Promise<OpenedStream | RtspError> => {
      const begun = await open(url, address)
      if ('status' in begun) return begun
      const { session } = begun
      const source = findSource(deps, begun)
      if ('status' in source) {
        session.close()
        return source
      }
      unopened.delete(socket)
      ends.defer(() => session.close())
      await deps.onBegin(session, address)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.defer(resolve)
      void deps.counted(session, () => promise)
      return source
    }
    await serveRtsp(socket, head, { open: begin })
  }

  return {
    accept(request, socket, head) {
      const group = addressGroup(request.address)
      const ofOne = [...unopened.values()].filter((other) => other === group).length
      socket.on('error', () => socket.destroy())
      if (unopened.size >= MAX_UNOPENED || ofOne >= MAX_UNOPENED_OF_ONE) return void socket.destroy()
      connected.add(socket)
      unopened.set(socket, group)
      socket.once('close', () => {
        connected.delete(socket)
        unopened.delete(socket)
      })
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

function findSource(deps: RtspStreamDeps, { session, till }: Begun): OpenedStream | RtspError {
  const { accountId, cameraId, stream, use, signal } = session
  const hears = session.caller.rights.has('microphone')
  const hub = deps.channels.hubOf(cameraId, stream)
  const isPrivate = deps.channels.isPrivate(cameraId)
  if (use === 'live')
    return hub === undefined
      ? refusal(isPrivate ? 'cameraOffline' : 'notFound')
      : { hub, hears, signal, nothing: refusal('cameraOffline') }
  if (hub === undefined && !isPrivate && !deps.keeps(cameraId)) return refusal('notFound')
  const key = { accountId, cameraId, stream }
  const end = earlierOf(till, session.till)
  const isElsewhere = async (time: number) => (end === undefined || time < end) && deps.isElsewhere(key, time)
  const footage = { ...deps.footage, stream: key, from: session.from ?? deps.now(), till: end, isElsewhere }
  return { footage, now: deps.now, hears, signal, nothing: refusal('notFound') }
}

const earlierOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
