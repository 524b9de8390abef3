import { soundFrameTicks } from '../codec/index.ts'
import { type AccessUnit, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import type { Hub, HubMessage, HubReader, MemoryBudget } from '../hub/index.ts'
import { browserTracks, fragment, type Sample } from '../mux/index.ts'
import { LiveWindow, PART_SECONDS, SEGMENT_SECONDS } from './live-window.ts'

/** A live stream cut into parts and segments, for all of its HLS viewers together. */
export interface LivePackager extends Disposable {
  readonly window: LiveWindow
  /** The tracks of what comes now; undefined while the camera is away. */
  readonly tracks: readonly TrackConfig[] | undefined
  /** Milliseconds since 1970; undefined while pictures come. */
  readonly awaySince: number | undefined
  /** The camera's stream may come from another hub now. */
  follow(hub: Hub | undefined): void
  /** Resolves when the tracks are known, or when the signal aborts. */
  untilKnown(signal: AbortSignal): Promise<void>
}

export interface LivePackagerOptions {
  readonly hub: Hub
  readonly sound: 'allowed' | 'withheld'
  readonly memory: MemoryBudget
  readonly now: () => number
}

const QUEUE_BYTES = 16 * 1024 * 1024
const SECOND = TICKS_PER_SECOND
/** Minimum length of a segment before a key picture ends it: shorter ones only cost requests. */
const MIN_SEGMENT = 1.9 * SECOND
/** 25 pictures a second, until two pictures give the real rate. */
const DEFAULT_PICTURE = SECOND / 25
/** Sound without pictures beside it isn't kept for longer. */
const MAX_SAMPLES = 2000

export const livePackager = (options: LivePackagerOptions): LivePackager => new Packager(options)

class Packager implements LivePackager {
  readonly window: LiveWindow
  readonly #sound: LivePackagerOptions['sound']
  readonly #now: () => number
  #hub: Hub | undefined
  #reader: HubReader | undefined
  #tracks: readonly TrackConfig[] | undefined
  #awaySince: number | undefined
  readonly #known = new Set<() => void>()
  /** A picture whose duration is known when the next one comes. */
  #picture: AccessUnit | undefined
  #pictureTicks = DEFAULT_PICTURE
  #samples: Sample[] = []
  #partFrom = 0
  #segmentFrom = 0
  #sequence = 1

  constructor({ hub, sound, memory, now }: LivePackagerOptions) {
    this.window = new LiveWindow(memory)
    this.#sound = sound
    this.#now = now
    this.follow(hub)
  }

  get tracks(): readonly TrackConfig[] | undefined {
    return this.#tracks
  }

  get awaySince(): number | undefined {
    return this.#awaySince
  }

  follow(hub: Hub | undefined): void {
    if (hub === undefined) this.#awaySince ??= this.#now()
    if (hub === undefined || hub === this.#hub) return
    this.#reader?.leave()
    this.#hub = hub
    this.#awaySince = this.#now()
    const reader = hub.join({ maxQueuedBytes: QUEUE_BYTES, start: 'running-gop' })
    this.#reader = reader
    void this.#read(reader)
  }

  async untilKnown(signal: AbortSignal): Promise<void> {
    while (this.#tracks === undefined && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#known.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      this.#known.delete(resolve)
    }
  }

  [Symbol.dispose](): void {
    this.#reader?.leave()
    this.window[Symbol.dispose]()
  }

  async #read(reader: HubReader): Promise<void> {
    for (let message = await reader.next(); message !== undefined; message = reader.take() ?? (await reader.next())) {
      if (reader === this.#reader) this.#take(message)
    }
  }

  #take(message: HubMessage): void {
    switch (message.kind) {
      case 'tracks':
        this.#announce(message.tracks)
        return
      case 'unit':
        this.#add(message.unit, message.track)
        return
      case 'ended':
        this.#finish()
        // The last picture of a camera that was made private doesn't stay.
        if (message.cause === 'mode') this.window.clear()
        else this.window.break()
        this.#tracks = undefined
        this.#awaySince ??= this.#now()
        return
      case 'skipped':
        this.#finish()
        this.window.break()
        return
    }
  }

  #announce(tracks: readonly TrackConfig[]): void {
    this.#finish()
    const shown = browserTracks(tracks).filter(({ kind }) => kind === 'video' || this.#sound === 'allowed')
    if (shown[0]?.kind !== 'video') return
    this.#tracks = shown
    this.window.announce(shown)
    for (const resolve of this.#known) resolve()
  }

  #add(unit: AccessUnit, track: number): void {
    const config = this.#tracks?.[track]
    if (config === undefined) return
    if (unit.kind === 'video') this.#addPicture(unit)
    else if (this.#picture !== undefined && this.#samples.length < MAX_SAMPLES)
      this.#samples.push({ track, unit, duration: soundFrameTicks(unit.units[0], config) })
  }

  #addPicture(unit: AccessUnit): void {
    this.#awaySince = undefined
    if (this.#picture === undefined) this.#begin(unit)
    else {
      this.#pictureTicks = Math.max(1, unit.time - this.#picture.time)
      this.#samples.push({ track: 0, unit: this.#picture, duration: this.#pictureTicks })
      const inSegment = unit.time - this.#segmentFrom
      const endsAtKey = unit.isKey && inSegment >= MIN_SEGMENT
      if (endsAtKey || inSegment + this.#pictureTicks > (SEGMENT_SECONDS + 0.4) * SECOND) this.#begin(unit)
      else if (unit.isKey || unit.time - this.#partFrom + this.#pictureTicks > PART_SECONDS * SECOND)
        this.#cutPart(unit)
    }
    this.#picture = unit
  }

  #begin(unit: AccessUnit): void {
    this.#cutPart(unit)
    this.#segmentFrom = unit.time
    this.window.begin(unit.wallClock)
  }

  /** The part ends before this picture. */
  #cutPart({ time }: Pick<AccessUnit, 'time'>): void {
    const samples = this.#samples
    this.#samples = []
    const first = samples.find(({ unit }) => unit.kind === 'video')
    const tracks = this.#tracks
    if (first !== undefined && tracks !== undefined) {
      const bytes = Buffer.concat(fragment({ sequence: this.#sequence++, tracks, samples }))
      this.window.add({ bytes, duration: time - this.#partFrom, isIndependent: first.unit.isKey })
    }
    this.#partFrom = time
  }

  /** Ends the current content; nothing continues it. */
  #finish(): void {
    const last = this.#picture
    this.#picture = undefined
    if (last === undefined) return
    this.#samples.push({ track: 0, unit: last, duration: this.#pictureTicks })
    this.#cutPart({ time: last.time + this.#pictureTicks })
    this.window.close()
  }
}
