import type { JpegDecoder, JpegDecoderOptions, SoundDecoder, SoundDecoderOptions } from '../decoder/index.ts'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import type { Hub, HubMessage, HubReader } from '../hub/index.ts'
import { toOtherLaw } from '../sound/index.ts'
import type { PictureEnd, PictureViewer } from './picture-viewer.ts'

export interface PictureSourceDeps {
  readonly startJpegDecoder: (options: Pick<JpegDecoderOptions, 'track' | 'onPicture'>) => JpegDecoder
  /** For AAC and Opus. Undefined for sound that can't be given to the decoder. */
  readonly startSoundDecoder: (options: Pick<SoundDecoderOptions, 'track' | 'onSound'>) => SoundDecoder | undefined
  /** A decoder ended on its own, with this complaint; it starts again. */
  readonly onComplaint: (complaint: string) => void
  readonly now: () => number
}

/** The JPEGs of one stream for all who look at it. Its processes run until it is disposed of. */
export interface PictureSource extends Disposable {
  add(viewer: PictureViewer): void
  remove(viewer: PictureViewer): void
  readonly viewers: number
  /** The stream may come from another hub now. */
  follow(hub: Hub | undefined): void
  /** Ends the viewers of a camera that was away for too long. To be called every few seconds. */
  check(): void
}

type VideoTrack = Extract<TrackConfig, { kind: 'video' }>
type AudioTrack = Extract<TrackConfig, { kind: 'audio' }>

const QUEUE_BYTES = 8 * 1024 * 1024
/** A camera that is away for longer is offline. */
const AWAY_MS = 10_000
/** Pictures since the last key picture are decoded first; what comes out of them is past. */
const PAST_MS = 1500
/** A decoder that ends is started again, later each time. */
const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 8000

export const pictureSource = (deps: PictureSourceDeps): PictureSource => new Source(deps)

class Source implements PictureSource {
  readonly #deps: PictureSourceDeps
  readonly #viewers = new Set<PictureViewer>()
  #hub: Hub | undefined
  #reader: HubReader | undefined
  #video: { readonly index: number; readonly track: VideoTrack } | undefined
  #audio: { readonly index: number; readonly track: AudioTrack } | undefined
  #jpegs: JpegDecoder | undefined
  #sound: SoundDecoder | undefined
  #retryMs = FIRST_RETRY_MS
  #retryAt = 0
  #soundRetryAt = 0
  #unitAt: number
  #pictureAt: number

  constructor(deps: PictureSourceDeps) {
    this.#deps = deps
    this.#unitAt = performance.now()
    this.#pictureAt = performance.now()
  }

  get viewers(): number {
    return this.#viewers.size
  }

  add(viewer: PictureViewer): void {
    this.#viewers.add(viewer)
  }

  remove(viewer: PictureViewer): void {
    this.#viewers.delete(viewer)
    if (!this.#isHeard) this.#stopSound()
  }

  follow(hub: Hub | undefined): void {
    if (hub === undefined || hub === this.#hub) return
    this.#reader?.leave()
    this.#stopDecoders()
    this.#hub = hub
    const reader = hub.join({ maxQueuedBytes: QUEUE_BYTES, start: 'running-gop' })
    this.#reader = reader
    void this.#read(reader)
  }

  check(): void {
    const now = performance.now()
    if (now - this.#pictureAt > AWAY_MS) this.#end(now - this.#unitAt > AWAY_MS ? 'away' : 'undecodable')
  }

  [Symbol.dispose](): void {
    this.#reader?.leave()
    this.#stopDecoders()
  }

  get #isHeard(): boolean {
    return [...this.#viewers].some(({ hears }) => hears)
  }

  async #read(reader: HubReader): Promise<void> {
    for (let message = await reader.next(); message !== undefined; message = await reader.next())
      if (reader === this.#reader) this.#take(message)
  }

  #take(message: HubMessage): void {
    if (message.kind === 'tracks') this.#announce(message.tracks)
    else if (message.kind === 'unit') this.#add(message.unit, message.track)
    else if (message.kind === 'ended') {
      this.#stopDecoders()
      if (message.cause === 'mode') this.#end('private')
    }
  }

  #announce(tracks: readonly TrackConfig[]): void {
    this.#stopDecoders()
    this.#video = undefined
    this.#audio = undefined
    tracks.forEach((track, index) => {
      if (track.kind === 'video') this.#video ??= { index, track }
      else this.#audio ??= { index, track }
    })
  }

  #add(unit: AccessUnit, track: number): void {
    if (track === this.#video?.index) this.#addPicture(unit, this.#video.track)
    else if (track === this.#audio?.index && this.#isHeard) this.#addSound(unit, this.#audio.track)
  }

  #addPicture(unit: AccessUnit, track: VideoTrack): void {
    this.#unitAt = performance.now()
    this.#jpegs ??= this.#startJpegs(track)
    this.#jpegs?.push(unit)
  }

  #startJpegs(track: VideoTrack): JpegDecoder | undefined {
    if (performance.now() < this.#retryAt) return undefined
    const decoder = this.#deps.startJpegDecoder({
      track,
      onPicture: ({ bytes, takenAt }) => {
        if (this.#deps.now() - takenAt > PAST_MS) return
        this.#pictureAt = performance.now()
        this.#retryMs = FIRST_RETRY_MS
        for (const viewer of this.#viewers) viewer.push({ kind: 'picture', bytes, at: takenAt })
      },
    })
    void decoder.ended.then((complaint) => {
      if (this.#jpegs !== decoder) return
      this.#jpegs = undefined
      this.#retryAt = performance.now() + this.#retryMs
      this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
      this.#deps.onComplaint(complaint)
    })
    return decoder
  }

  #addSound(frame: AccessUnit, track: AudioTrack): void {
    const { units, wallClock } = frame
    if (this.#deps.now() - wallClock > PAST_MS) return
    if (track.codec === 'aac' || track.codec === 'opus') {
      this.#sound ??= this.#startSound(track)
      this.#sound?.push(frame)
    } else if (track.channels === 1)
      for (const samples of units)
        this.#passSound(wallClock, track.codec === 'pcma' ? toOtherLaw(samples, 'pcma') : samples)
  }

  #startSound(track: AudioTrack): SoundDecoder | undefined {
    if (performance.now() < this.#soundRetryAt) return undefined
    this.#soundRetryAt = performance.now() + MAX_RETRY_MS
    const decoder = this.#deps.startSoundDecoder({ track, onSound: (at, samples) => this.#passSound(at, samples) })
    void decoder?.ended.then((complaint) => {
      if (this.#sound !== decoder) return
      this.#sound = undefined
      this.#deps.onComplaint(complaint)
    })
    return decoder
  }

  #passSound(at: number, bytes: Uint8Array): void {
    for (const viewer of this.#viewers) if (viewer.hears) viewer.push({ kind: 'sound', bytes, at })
  }

  #stopSound(): void {
    const sound = this.#sound
    this.#sound = undefined
    this.#soundRetryAt = 0
    sound?.[Symbol.dispose]()
  }

  #stopDecoders(): void {
    const jpegs = this.#jpegs
    this.#jpegs = undefined
    jpegs?.[Symbol.dispose]()
    this.#stopSound()
  }

  #end(why: PictureEnd): void {
    for (const viewer of [...this.#viewers]) viewer.end(why)
  }
}
