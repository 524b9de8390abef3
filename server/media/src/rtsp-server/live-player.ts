import { type AccessUnit, getPresentationTime, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import type { Hub, HubReader } from '../hub/index.ts'
import type { PlayRequest } from './play-request.ts'
import type { Output, Player, Presentation } from './player.ts'
import type { RtspAnswer } from './rtsp-answer.ts'
import { describeSession, LIVE } from './session-description.ts'
import type { SessionAnchor } from './track-sender.ts'
import type { TrackSenders } from './track-senders.ts'

export interface OpenedLive {
  readonly hub: Hub
  readonly hears: boolean
  /** Aborts once the permission is gone. */
  readonly signal: AbortSignal
}

/** What may wait for a client; beyond it, it is skipped to the next key picture. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024
const TRACKS_WITHIN_MS = 10_000
/** After a pause, the camera may count its time anew. */
const MAX_JUMP_TICKS = 10 * TICKS_PER_SECOND

/** Plays a camera's video as it comes. Time that is paused is left out: what follows is live again. */
export class LivePlayer implements Player {
  readonly #stream: OpenedLive
  #tracks: readonly TrackConfig[] = []
  #senders: TrackSenders | undefined
  #anchor: SessionAnchor | undefined
  /** Added to the camera's times. */
  #offset = 0
  #sent: { readonly time: number; readonly at: number } | undefined

  constructor(stream: OpenedLive) {
    this.#stream = stream
  }

  async open(): Promise<Presentation | undefined> {
    this.#tracks = await findTracks(this.#stream)
    return this.#tracks.length === 0 ? undefined : { ...LIVE, tracks: this.#tracks }
  }

  async play({ range, scale }: PlayRequest, senders: TrackSenders): Promise<RtspAnswer> {
    if (range?.unit === 'clock') return { status: 457, body: 'Live video has no other times than now.' }
    this.#senders = senders
    return { status: 200, headers: { range: 'npt=now-', ...(scale !== undefined && { scale: '1' }) } }
  }

  isChangedBy(): boolean {
    return false
  }

  /** From the running group of pictures on; `gone` when the camera is away, or its tracks have changed. */
  async send(output: Output, signal: AbortSignal): Promise<'held' | 'gone'> {
    await using reader = this.#stream.hub.join({ maxQueuedBytes: MAX_QUEUED_BYTES, start: 'running-gop' })
    const leave = () => reader.leave()
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    try {
      await this.#sendAll(reader, output, signal)
    } finally {
      signal.removeEventListener('abort', leave)
    }
    return signal.aborted ? 'held' : 'gone'
  }

  pause(): RtspAnswer {
    return { status: 200 }
  }

  async close(): Promise<void> {
    // Nothing is open between two times of sending.
  }

  async #sendAll(reader: HubReader, output: Output, signal: AbortSignal): Promise<void> {
    let all: readonly TrackConfig[] = []
    this.#anchor = undefined
    this.#senders?.reportSoon()
    for (let message = await reader.next(); message !== undefined; message = await reader.next()) {
      if (message.kind === 'ended' || signal.aborted) return
      if (message.kind === 'tracks') all = message.tracks
      if (message.kind === 'tracks' && !isSame(heardTracks(this.#stream, all), this.#tracks)) return
      if (message.kind !== 'unit') continue
      const track = all[message.track]
      const index = track === undefined ? -1 : heardTracks(this.#stream, all).indexOf(track)
      if (!(await output(this.#packetsOf(message.unit, index)))) return
    }
  }

  #packetsOf(unit: AccessUnit, index: number): readonly Uint8Array[] {
    if (this.#anchor === undefined) this.#continueAt(unit.time)
    const decode = unit.time + this.#offset
    this.#anchor ??= { time: decode, wallClock: unit.wallClock }
    this.#sent = { time: decode, at: performance.now() }
    const shown = getPresentationTime(unit) + this.#offset
    return this.#senders?.write(index, { unit, decode, shown }, this.#anchor) ?? []
  }

  #continueAt(time: number): void {
    if (this.#sent === undefined) return
    const expected = this.#sent.time + ((performance.now() - this.#sent.at) * TICKS_PER_SECOND) / 1000
    if (Math.abs(time + this.#offset - expected) > MAX_JUMP_TICKS) this.#offset = Math.round(expected) - time
  }
}

const heardTracks = ({ hears }: OpenedLive, tracks: readonly TrackConfig[]): readonly TrackConfig[] =>
  tracks.filter(({ kind }) => kind === 'video' || hears)

const isSame = (one: readonly TrackConfig[], other: readonly TrackConfig[]): boolean =>
  describeSession(one, '') === describeSession(other, '')

/** None if the camera is away, or doesn't say in time. */
async function findTracks(stream: OpenedLive): Promise<readonly TrackConfig[]> {
  await using reader = stream.hub.join({ maxQueuedBytes: 1, start: 'now' })
  const waiting = setTimeout(() => reader.leave(), TRACKS_WITHIN_MS)
  const left = () => reader.leave()
  stream.signal.addEventListener('abort', left, { once: true })
  try {
    for (let message = await reader.next(); message !== undefined; message = await reader.next())
      if (message.kind === 'tracks') return heardTracks(stream, message.tracks)
    return []
  } finally {
    clearTimeout(waiting)
    stream.signal.removeEventListener('abort', left)
  }
}
