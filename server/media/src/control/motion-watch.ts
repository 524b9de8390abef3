import { setTimeout as sleep } from 'node:timers/promises'
import type { Permit, Semaphore } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import type { GreyDecoder, GreyDecoderOptions } from '../decoder/index.ts'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import type { Hub, HubReader } from '../hub/index.ts'
import { MotionDetector, type MotionPicture, TripwireWatch } from '../motion/index.ts'
import type { StreamName } from '../recording/index.ts'
import type { Detections } from './detections.ts'
import { PictureFeed } from './picture-feed.ts'
import type { RecordingSwitch } from './recording-switch.ts'

type VideoTrack = Extract<TrackConfig, { kind: 'video' }>

export interface MotionWatchDeps {
  readonly cameraId: number
  /** Undefined for a stream that the camera doesn't have. The smaller one is watched as long as it comes. */
  readonly hub: (stream: StreamName) => Hub | undefined
  readonly now: () => number
  /** A camera that isn't to be recorded isn't watched. */
  readonly recording: RecordingSwitch
  readonly detections: Detections
  /** How many cameras may be watched at once. */
  readonly places: Semaphore<'motion'>
  readonly startDecoder: (options: Omit<GreyDecoderOptions, 'ffmpeg'>) => GreyDecoder
  /** What the detector found in the last picture; undefined when it ends. */
  readonly onSeen?: (seen: SeenMotion | undefined) => void
  readonly log: Logger
}

/** What the detector found in the last picture, block by block. */
export interface SeenMotion {
  /** Which blocks would begin motion at a sensitivity. */
  readonly triggering: (sensitivity: number) => Uint8Array
  readonly ignored: Uint8Array
}

const QUEUE_BYTES = 8 * 1024 * 1024
/** Pictures closer together show nothing more. */
const MIN_DISTANCE_MS = 90
/** A sub-stream without a key picture for so long isn't waited for. */
const SUB_STREAM_MS = 15_000
const CHECK_MS = 500
/** A crossing is a moment; its event and its clip last a little. */
const CROSSING_MS = 2000
const PLACE_RETRY_MS = 5000
const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 60_000

/** Looks for motion in a camera's pictures with a decoder, until it is disposed of; then its process is gone. */
export function watchMotion(deps: MotionWatchDeps): AsyncDisposable {
  const stopping = new AbortController()
  const watching = watchWhileWanted(deps, stopping.signal).catch((err: unknown) =>
    deps.log.error({ err, cameraId: deps.cameraId }, 'motion detection ended because of a bug'),
  )
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await watching
    },
  }
}

async function watchWhileWanted(deps: MotionWatchDeps, stopping: AbortSignal): Promise<void> {
  const { recording, detections } = deps
  while (!stopping.aborted) {
    await recording.untilOn(stopping)
    await detections.server.untilOn(stopping)
    const signal = AbortSignal.any([stopping, recording.off, detections.server.off])
    const place = await takePlace(deps, signal)
    try {
      if (place !== undefined) await watchWithRetries(deps, signal)
    } finally {
      place?.release()
    }
  }
}

/** As soon as there is one; undefined if the signal aborts before. */
async function takePlace({ places, log, cameraId }: MotionWatchDeps, signal: AbortSignal): Promise<Permit | undefined> {
  for (let isSaid = false; !signal.aborted; isSaid = true) {
    const taken = places.tryAcquire('motion')
    if (taken.ok) return taken.value
    if (!isSaid) log.warn({ cameraId }, 'not watched for motion: SIGHTLINE_MOTION_CAMERAS other cameras are')
    await sleep(PLACE_RETRY_MS, undefined, { signal }).catch(() => undefined)
  }
  return undefined
}

/** A decoder that ends is started again, later each time. */
async function watchWithRetries(deps: MotionWatchDeps, signal: AbortSignal): Promise<void> {
  for (let retryMs = FIRST_RETRY_MS; !signal.aborted; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
    const startedAt = performance.now()
    const hub = await chooseHub(deps, signal)
    const complaint = hub && (await new Watch(deps, hub).run(signal))
    if (signal.aborted) return
    // The stream is lost, or there is a better one now.
    if (complaint === '' || complaint === undefined) {
      await sleep(CHECK_MS, undefined, { signal }).catch(() => undefined)
      continue
    }
    if (performance.now() - startedAt > MAX_RETRY_MS) retryMs = FIRST_RETRY_MS
    deps.log.warn({ cameraId: deps.cameraId, complaint }, 'the decoder for motion detection ended; it starts again')
    await sleep(retryMs, undefined, { signal }).catch(() => undefined)
  }
}

/** The sub-stream if it comes; the main stream if there is no sub-stream, or not for a while. */
async function chooseHub({ hub, now }: MotionWatchDeps, signal: AbortSignal): Promise<Hub | undefined> {
  const sub = hub('sub')
  const deadline = performance.now() + SUB_STREAM_MS
  while (sub !== undefined && performance.now() < deadline && !signal.aborted) {
    if (isFresh(sub, now())) return sub
    await sleep(CHECK_MS, undefined, { signal }).catch(() => undefined)
  }
  return hub('main')
}

const isFresh = (hub: Hub, now: number): boolean =>
  now - (hub.latestKeyPicture()?.unit.wallClock ?? Number.NEGATIVE_INFINITY) < SUB_STREAM_MS

/** One decoder and what it sees. */
class Watch {
  readonly #deps: MotionWatchDeps
  readonly #hub: Hub
  readonly #detector = new MotionDetector()
  readonly #seen: SeenMotion = {
    triggering: (sensitivity) => this.#detector.triggering(sensitivity),
    ignored: this.#detector.mask,
  }
  readonly #tripwires = new TripwireWatch()
  #motion: 'motion' | 'intrusion' = 'motion'
  #crossedAt: number | undefined
  #decoder: GreyDecoder | undefined
  #feed: PictureFeed | undefined
  #track: VideoTrack | undefined
  #video = 0
  #lastAt = 0

  constructor(deps: MotionWatchDeps, hub: Hub) {
    this.#deps = deps
    this.#hub = hub
  }

  /** Until the signal aborts, the other stream is better, or the decoder exits: then its error. */
  async run(signal: AbortSignal): Promise<string> {
    await using reader = this.#hub.join({ maxQueuedBytes: QUEUE_BYTES, start: 'running-gop' })
    const leave = () => reader.leave()
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    try {
      return await this.#follow(reader)
    } finally {
      signal.removeEventListener('abort', leave)
      this.#end()
      await this.#stopDecoder()
    }
  }

  async #follow(reader: HubReader): Promise<string> {
    let complaint = ''
    for (let message = await reader.next(); message !== undefined; message = await reader.next()) {
      if (message.kind === 'tracks') await this.#follows(message.tracks)
      else if (message.kind === 'unit' && message.track === this.#video)
        this.#push(message.unit, (text) => {
          complaint = text
          reader.leave()
        })
      else if (message.kind === 'ended') {
        this.#end()
        await this.#stopDecoder()
        if (!this.#isMain) reader.leave()
      }
      if (this.#isMain && this.#isSubBack()) reader.leave()
    }
    return complaint
  }

  get #isMain(): boolean {
    return this.#hub === this.#deps.hub('main')
  }

  #isSubBack(): boolean {
    const sub = this.#deps.hub('sub')
    return sub !== undefined && isFresh(sub, this.#deps.now())
  }

  /** Another stream needs another decoder. */
  async #follows(tracks: readonly TrackConfig[]): Promise<void> {
    const video = tracks.findIndex((track) => track.kind === 'video')
    const track = tracks[video]
    if (track?.kind !== 'video') return
    this.#end()
    await this.#stopDecoder()
    this.#video = video
    this.#track = track
  }

  #push(picture: AccessUnit, onEnd: (complaint: string) => void): void {
    if (this.#track === undefined) return
    if (this.#decoder === undefined) {
      const onPicture = (shown: MotionPicture) => this.#look(shown)
      const decoder = this.#deps.startDecoder({ track: this.#track, onPicture })
      this.#decoder = decoder
      this.#feed = new PictureFeed(decoder)
      void decoder.ended.then((complaint) => this.#decoder === decoder && onEnd(complaint))
    }
    this.#feed?.add(picture)
  }

  #look(picture: MotionPicture): void {
    if (picture.at >= this.#lastAt && picture.at - this.#lastAt < MIN_DISTANCE_MS) return
    this.#lastAt = picture.at
    const settings = this.#deps.detections.settings.video
    this.#detector.tune(settings)
    this.#tripwires.tune(settings.areas)
    const change = this.#detector.add(picture)
    const crossed = this.#tripwires.add(picture.at, this.#detector.movingAnywhere)
    this.#deps.onSeen?.(this.#seen)
    this.#feed?.alert(this.#detector.isAlert || this.#tripwires.isAlert)
    this.#noteCrossing(picture.at, crossed.length > 0)
    if (change?.kind === 'begins') this.#beginMotion(change.at)
    if (change?.kind === 'ends') this.#endMotion(change.at)
  }

  #beginMotion(at: number): void {
    const { detections } = this.#deps
    this.#motion = detections.serverMotion
    detections.begin(this.#motion, at, 'server')
  }

  /** As it began: areas may have been drawn or removed since. */
  #endMotion(at: number): void {
    this.#deps.detections.end(this.#motion, at, 'server')
  }

  #noteCrossing(at: number, isCrossed: boolean): void {
    const { detections } = this.#deps
    if (isCrossed) {
      detections.begin('tripwire', at, 'server')
      this.#crossedAt = at
    } else if (this.#crossedAt !== undefined && at - this.#crossedAt >= CROSSING_MS) this.#endCrossing()
  }

  #endCrossing(): void {
    if (this.#crossedAt !== undefined) this.#deps.detections.end('tripwire', this.#crossedAt, 'server')
    this.#crossedAt = undefined
  }

  #end(): void {
    this.#tripwires.end()
    this.#endCrossing()
    this.#deps.onSeen?.(undefined)
    const change = this.#detector.end()
    if (change !== undefined) this.#endMotion(change.at)
  }

  async #stopDecoder(): Promise<void> {
    const decoder = this.#decoder
    this.#decoder = undefined
    this.#feed = undefined
    decoder?.[Symbol.dispose]()
    await decoder?.ended
  }
}
