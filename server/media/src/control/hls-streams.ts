import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorName } from '@sightline/contract/errors'
import { HLS_FOLDER, HLS_PATH, MAX_CLIP_HOURS } from '@sightline/contract/streams'
import { toDateTime } from '@sightline/contract/wire'
import { addressGroup, createSemaphore } from '@sightline/platform/limits'
import { isAllowedAddress, tokenSha256 } from '@sightline/platform/sessions'
import { type RecordedList, recordedList } from '../hls/index.ts'
import type { MemoryBudget } from '../hub/index.ts'
import { FootageAway, type KeyFinder, type ReadQueue, type SegmentFiles } from '../recording/index.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import type { WantedClip } from './footage-disk-store.ts'
import {
  AWAY_MS,
  answerLive,
  answerRecorded,
  type HlsPlayer,
  MEDIA_PLAYLIST,
  PLAYLIST_TYPE,
  type Source,
  sendPlaylist,
  toVariantPlaylist,
} from './hls-pieces.ts'
import { isEndCode, type RequestedStream, readStreamAddress, refuse, streamErrors } from './http-answers.ts'
import { LiveSources } from './live-sources.ts'
import type { EndCode, StreamSession, StreamSessions } from './stream-sessions.ts'

export interface HlsStreamDeps {
  /** Names the worker in the addresses of pieces, so that the front finds it again. */
  readonly workerId: string
  readonly sessions: Pick<StreamSessions, 'open'>
  readonly channels: Pick<ChannelKeeper, 'hubOf' | 'isPrivate'>
  /** Whether this worker keeps the camera's footage on its disk. */
  readonly keeps: (cameraId: number) => boolean
  readonly store: string
  readonly keys: KeyFinder
  readonly reads: ReadQueue
  readonly files: SegmentFiles
  readonly memory: MemoryBudget
  /** Until when this disk has the footage of a span. */
  readonly findEnd: (wanted: WantedClip) => Promise<number>
  /** Called for each stream that begins. */
  readonly onBegin: (session: StreamSession, address: string) => Promise<void>
  readonly onOverload: () => void
  /** Counts a stream until the promise resolves. */
  readonly counted: (session: StreamSession, until: Promise<void>) => void
  readonly now: () => number
}

/** Live and recorded video for players of HLS. */
export interface HlsStreams extends Disposable {
  /** Answers a request below {@link HLS_FOLDER}. `address` is the client's, as the edge saw it. */
  handle(req: IncomingMessage, res: ServerResponse, address: string): Promise<void>
}

/** After this long without a request, the player is gone. A paused player sends none, and reopens the recording later. */
const IDLE_MS = { live: 30_000, recorded: 5 * 60_000 } as const
const SWEEP_MS = 2000
const COMPLETE_POLL_MS = 500
const MAX_SPAN_MS = MAX_CLIP_HOURS * 3_600_000
/** Opening asks the database, and reading the disk: neither may keep the recorders waiting. */
const OPENING = { concurrency: 4, queue: 200 }
const READING = { concurrency: 16, queue: 400 }
/** End codes of sessions that players may still request. */
const MAX_ENDED = 1000
const KEY_BYTES = 32

type Refusal = EndCode | { readonly error: ErrorName; readonly detail: string }

const isSource = (found: Source | Refusal): found is Source => typeof found === 'object' && 'kind' in found

const elsewhere = (time: number): string =>
  `footage from ${toDateTime(time)} on is on another machine: request one playlist up to then and another from then on`

const earlierOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

/** The newest footage comes to the disk some seconds late: a list that ends in the past waits for it, and begins whole. */
async function untilComplete({
  list,
  now,
  signal,
  extend,
}: {
  readonly list: RecordedList
  readonly now: () => number
  readonly signal: AbortSignal
  readonly extend: (at: number) => Promise<unknown>
}): Promise<void> {
  while (list.endsSoon(now()) && !signal.aborted) {
    await extend(now())
    if (list.endsSoon(now())) await sleep(COMPLETE_POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}

export function hlsStreams(deps: HlsStreamDeps): HlsStreams {
  const players = new Players(deps)
  const opening = createSemaphore<string>({ perKey: { concurrency: 2, queue: 50 }, overall: OPENING })
  const reading = createSemaphore<'pieces'>({ overall: READING })
  const overloaded = (res: ServerResponse) => {
    deps.onOverload()
    refuse(res, 'overloaded')
  }
  const open = async (asked: RequestedStream, req: IncomingMessage, res: ServerResponse) => {
    // A HEAD request must not use up a ticket.
    if (req.method === 'HEAD') return void res.writeHead(200, { 'content-type': PLAYLIST_TYPE }).end()
    const done = await opening.run(addressGroup(asked.address), () => players.open(asked, res))
    if (!done.ok) overloaded(res)
  }
  const answer = async (asked: RequestedStream, name: string, res: ServerResponse) => {
    const player = players.find(asked)
    if (typeof player === 'number') return refuse(res, streamErrors[player])
    const piece = { player, name, parameters: asked.parameters }
    if (player.source.kind === 'live') return await answerLive(piece, player.source.live, res)
    const { list } = player.source
    const { signal } = player.session
    if (name === MEDIA_PLAYLIST)
      await untilComplete({ list, now: deps.now, signal, extend: (at) => reading.run('pieces', () => list.extend(at)) })
    const done = await reading.run('pieces', () => answerRecorded(piece, { list, now: deps.now }, res))
    if (!done.ok) overloaded(res)
  }
  return {
    async handle(req, res, address) {
      const { pathname } = new URL(req.url ?? '', 'http://media')
      const asked = readStreamAddress(req, address)
      if (typeof asked === 'string') return refuse(res, asked)
      if (pathname === HLS_PATH) await open(asked, req, res)
      else await answer(asked, pathname.slice(HLS_FOLDER.length), res)
    },
    [Symbol.dispose]: () => players[Symbol.dispose](),
  }
}

/** The players of this worker. */
class Players implements Disposable {
  readonly #deps: HlsStreamDeps
  readonly #players = new Map<string, HlsPlayer>()
  /** By the SHA-256 of their tickets: many players ask twice for the first playlist. */
  readonly #byTicket = new Map<string, HlsPlayer>()
  readonly #ended = new Map<string, EndCode>()
  readonly #live: LiveSources
  readonly #sweeping: NodeJS.Timeout

  constructor(deps: HlsStreamDeps) {
    this.#deps = deps
    this.#live = new LiveSources(deps)
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS)
    this.#sweeping.unref()
  }

  /** The caller, or why access is denied. */
  find({ cameraId, parameters, address }: RequestedStream): HlsPlayer | EndCode {
    const key = parameters.get('session') ?? ''
    const player = this.#players.get(key)
    if (player === undefined) return this.#ended.get(key) ?? 4
    const { session } = player
    if (session.cameraId !== cameraId) return 4
    if (!isAllowedAddress(address, session.caller.allowedAddresses)) return 9
    player.usedAt = performance.now()
    return player
  }

  async open(asked: RequestedStream, res: ServerResponse): Promise<void> {
    const { credential, address } = asked
    const ticket = 'ticket' in credential ? tokenSha256(credential.ticket).toString('hex') : undefined
    const known = ticket === undefined ? undefined : this.#byTicket.get(ticket)
    if (known !== undefined && known.session.cameraId === asked.cameraId)
      return isAllowedAddress(address, known.session.caller.allowedAddresses)
        ? sendPlaylist(res, toVariantPlaylist(known))
        : refuse(res, 'notAuthorized')
    const opened = await this.#deps.sessions.open(asked)
    if (!opened.ok) {
      if (opened.code === 16) this.#deps.onOverload()
      return refuse(res, streamErrors[opened.code])
    }
    const { session } = opened
    try {
      const source = await this.#sourceOf(session, asked)
      if (!isSource(source)) return this.#giveUp(session, res, source)
      const player = this.#add(session, source, { asked, ticket })
      await this.#deps.onBegin(session, address)
      sendPlaylist(res, toVariantPlaylist(player))
    } catch (cause) {
      session.close()
      if (!(cause instanceof FootageAway)) throw cause
      refuse(res, 'timedOut')
    }
  }

  #giveUp(session: StreamSession, res: ServerResponse, why: Refusal): void {
    session.close()
    if (typeof why === 'number') refuse(res, streamErrors[why])
    else refuse(res, why.error, why.detail)
  }

  #add(
    session: StreamSession,
    source: Source,
    { asked, ticket }: { asked: RequestedStream; ticket: string | undefined },
  ): HlsPlayer {
    const over = Promise.withResolvers<void>()
    const onAbort = () => close(isEndCode(session.signal.reason) ? session.signal.reason : 16)
    const close = (code: EndCode) => {
      if (!this.#players.delete(player.key)) return
      if (ticket !== undefined) this.#byTicket.delete(ticket)
      session.signal.removeEventListener('abort', onAbort)
      session.close()
      if (source.kind === 'live') source.live.release()
      this.#remember(player.key, code)
      over.resolve()
    }
    const player: HlsPlayer = {
      key: `${this.#deps.workerId}.${randomBytes(KEY_BYTES).toString('base64url')}`,
      session,
      source,
      latency: asked.parameters.get('low_latency') === '1' ? 'low' : 'usual',
      usedAt: performance.now(),
      close: () => close(4),
    }
    this.#players.set(player.key, player)
    if (ticket !== undefined) this.#byTicket.set(ticket, player)
    session.signal.addEventListener('abort', onAbort)
    this.#deps.counted(session, over.promise)
    return player
  }

  async #sourceOf(session: StreamSession, asked: RequestedStream): Promise<Source | Refusal> {
    const { cameraId, stream } = session
    const { channels, keeps } = this.#deps
    const hub = channels.hubOf(cameraId, stream)
    const isPrivate = channels.isPrivate(cameraId)
    if (session.use === 'playback') {
      if (hub === undefined && !isPrivate && !keeps(cameraId)) return 4
      return await this.#recordedOf(session, asked)
    }
    if (hub === undefined) return isPrivate ? 18 : 4
    const sound = session.caller.rights.has('microphone') ? 'allowed' : 'withheld'
    const live = this.#live.join({ cameraId, stream, sound }, hub)
    await live.packager.untilKnown(AbortSignal.any([session.signal, AbortSignal.timeout(AWAY_MS)]))
    if (live.packager.tracks !== undefined) return { kind: 'live', live }
    live.release()
    return 18
  }

  async #recordedOf(session: StreamSession, asked: RequestedStream): Promise<Source | Refusal> {
    const { store, keys, reads, files, now, findEnd } = this.#deps
    const { accountId, cameraId, stream, signal } = session
    const from = session.from ?? now()
    const till = earlierOf(asked.till, session.till)
    if (till !== undefined && till - from > MAX_SPAN_MS)
      return { error: 'validation', detail: `a playlist has at most ${MAX_CLIP_HOURS} hours` }
    const end = till === undefined ? undefined : Math.min(till, now())
    const there =
      end === undefined ? undefined : await findEnd({ accountId, cameraId, stream, from, till: end }).catch(() => end)
    if (there !== undefined && end !== undefined && there < end)
      return { error: 'businessRule', detail: elsewhere(there) }
    const sound = session.caller.rights.has('microphone') ? 'allowed' : 'withheld'
    const key = { accountId, cameraId, stream }
    const list = recordedList({ store, stream: key, keys, reads, files, signal, from, till, sound })
    await list.extend(now())
    return list.isEmpty ? 4 : { kind: 'recorded', list }
  }

  #remember(key: string, code: EndCode): void {
    this.#ended.set(key, code)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest)
  }

  #sweep(): void {
    const now = performance.now()
    for (const player of this.#players.values()) if (now - player.usedAt > IDLE_MS[player.source.kind]) player.close()
    this.#live.refresh()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeping)
    for (const player of this.#players.values()) player.close()
    this.#live[Symbol.dispose]()
  }
}
