import { setTimeout as sleep } from 'node:timers/promises'
import { type AccessUnit, getPresentationTime, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import type { Hub, HubReader } from '../hub/index.ts'
import type { ChosenTracks } from './answer.ts'
import type { SenderFigures } from './rtcp.ts'
import { TrackPackets } from './track-packets.ts'

/** How packets go out. */
export interface MediaSink {
  /** In the order of their numbers; kept for a while if `isKept`, so that lost ones can be sent again. */
  sendPacket(packet: Uint8Array, isKept: boolean): void
  sendReport(figures: SenderFigures): void
  /** Whether too much waits for the network. */
  isCongested(): boolean
}

export interface SendOptions {
  readonly hub: Hub
  readonly chosen: ChosenTracks
  readonly ssrcs: { readonly video: number; readonly sound: number }
  readonly sink: MediaSink
  readonly signal: AbortSignal
}

/** What may wait for a viewer; beyond it, it is skipped to the next key picture. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024
const REPORT_EVERY_TICKS = 2 * TICKS_PER_SECOND
/** A group of pictures that is sent at once would overflow the buffers on the way: this is about 40 Mbit/s. */
const PACKETS_AT_ONCE = 20
const PAUSE_MS = 5
/** Pictures of before are shown one after another at this many times their speed. */
const CATCH_UP = 40
const MIN_DISTANCE = TICKS_PER_SECOND / 1000
/** A picture that is asked for again and again would take the whole network. */
const REPEAT_MS = 3000
/** A viewer whose network is down gets nothing until the camera's next key picture. */
type Start = 'running-gop' | 'next-key'

/** Sends a camera's stream until the viewer leaves, its permission ends, the camera is away, or its codec changes. */
export class MediaSender {
  readonly #options: SendOptions
  readonly #video: TrackPackets
  readonly #sound: TrackPackets | undefined
  readonly #times = new ShownTimes()
  #reader: HubReader | undefined
  #restart: Start | undefined
  #restartedAt = performance.now()
  #inBurst = 0
  #burstAt = 0
  #reportedAt = Number.NEGATIVE_INFINITY
  #soundUntil = Number.NEGATIVE_INFINITY

  constructor(options: SendOptions) {
    const { chosen, ssrcs } = options
    this.#options = options
    this.#video = new TrackPackets(chosen.video, ssrcs.video)
    this.#sound = chosen.sound && new TrackPackets(chosen.sound, ssrcs.sound)
  }

  /** Resolves with the reason why it has ended. */
  async run(): Promise<string> {
    const { hub, signal } = this.#options
    const stop = () => this.#reader?.leave()
    signal.addEventListener('abort', stop)
    try {
      for (let start: Start | undefined = 'running-gop'; start !== undefined; start = this.#restart) {
        this.#restart = undefined
        this.#times.restart()
        await using reader = hub.join({ maxQueuedBytes: MAX_QUEUED_BYTES, start })
        this.#reader = reader
        if (signal.aborted) return 'the viewer has left'
        const reason = await this.#sendRun(reader)
        if (reason !== undefined) return reason
      }
      return 'the viewer has left'
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** The viewer has lost pictures: the running group of pictures again, unless that was a moment ago. */
  repeatPictures(): void {
    if (performance.now() - this.#restartedAt < REPEAT_MS) return
    this.#startAgain('running-gop')
  }

  #startAgain(start: Start): void {
    this.#restartedAt = performance.now()
    this.#restart = start
    this.#reader?.leave()
  }

  /** The reason for an end; undefined if the reader was left. */
  async #sendRun(reader: HubReader): Promise<string | undefined> {
    let tracks: readonly TrackConfig[] = []
    for (let message = await reader.next(); message !== undefined; message = await reader.next()) {
      if (message.kind === 'ended') return 'the camera is away'
      if (message.kind === 'tracks') tracks = message.tracks
      if (message.kind === 'tracks' && !this.#fits(tracks)) return 'the camera sends another codec now'
      if (message.kind === 'unit' && isReordered(message.unit)) return 'the camera reorders its pictures now'
      if (message.kind === 'unit') await this.#sendUnit(message.unit)
    }
    return undefined
  }

  #fits(tracks: readonly TrackConfig[]): boolean {
    const { video, sound } = this.#options.chosen
    const codecOf = (kind: TrackConfig['kind']) => tracks.find((track) => track.kind === kind)?.codec
    return codecOf('video') === video.track.codec && (sound === undefined || codecOf('audio') === sound.track.codec)
  }

  async #sendUnit(unit: AccessUnit): Promise<void> {
    if (unit.kind === 'audio') return this.#sendSound(unit)
    const time = this.#times.next(unit, Date.now())
    this.#report(unit)
    for (const packet of this.#video.write(unit, time)) {
      if (this.#options.signal.aborted) return
      this.#options.sink.sendPacket(packet, true)
      await this.#pace()
    }
    if (this.#options.sink.isCongested()) this.#startAgain('next-key')
  }

  #sendSound(unit: AccessUnit): void {
    if (this.#sound === undefined || !this.#times.isLive(unit) || unit.time <= this.#soundUntil) return
    this.#soundUntil = unit.time
    for (const packet of this.#sound.write(unit, unit.time)) this.#options.sink.sendPacket(packet, false)
  }

  async #pace(): Promise<void> {
    const now = performance.now()
    if (now - this.#burstAt > PAUSE_MS) {
      this.#burstAt = now
      this.#inBurst = 0
    }
    if (++this.#inBurst < PACKETS_AT_ONCE) return
    await sleep(PAUSE_MS)
    this.#inBurst = 0
  }

  #report(unit: AccessUnit): void {
    const anchor = this.#times.anchor
    if (anchor === undefined || unit.time - this.#reportedAt < REPORT_EVERY_TICKS) return
    this.#reportedAt = unit.time
    const wallClock = anchor.wallClock + ((unit.time - anchor.time) * 1000) / TICKS_PER_SECOND
    for (const packets of [this.#video, this.#sound])
      if (packets !== undefined) this.#options.sink.sendReport(packets.figures(unit.time, wallClock))
  }
}

/** Players show pictures in the order in which they come. */
const isReordered = (unit: AccessUnit): boolean => unit.kind === 'video' && getPresentationTime(unit) !== unit.time

/**
 * When pictures are shown, in ticks since the start of the run. What was before the viewer came follows each other quickly and ends now:
 * a browser shows a stream from its first picture on at its own pace, and would stay behind by the whole group of pictures.
 */
class ShownTimes {
  #now: number | undefined
  #last = Number.NEGATIVE_INFINITY
  /** When one live picture was: sound and pictures share it. */
  anchor: { readonly time: number; readonly wallClock: number } | undefined

  restart(): void {
    this.#now = undefined
  }

  next(unit: AccessUnit, wallClock: number): number {
    this.#now ??= unit.time + (Math.max(0, wallClock - unit.wallClock) * TICKS_PER_SECOND) / 1000
    const { time } = unit
    if (time >= this.#now) this.anchor ??= { time: unit.time, wallClock: unit.wallClock }
    const shown = time >= this.#now ? time : this.#now - (this.#now - time) / CATCH_UP
    this.#last = Math.max(shown, this.#last + MIN_DISTANCE)
    return this.#last
  }

  isLive({ time }: AccessUnit): boolean {
    return this.#now !== undefined && time >= this.#now
  }
}
