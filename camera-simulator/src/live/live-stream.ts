import { composeStrip } from '../burn-in/strip-picture.ts'
import { StripWriter } from '../burn-in/strip-slice.ts'
import { type AudioClip, SAMPLES_PER_FRAME } from '../clip/audio-clip.ts'
import { VIDEO_PAYLOAD_TYPE, type VideoClip } from '../clip/video-clip.ts'
import { type EpochMs, steadyNow } from '../clock.ts'
import { type PacketTemplate, packetizeVideo } from '../rtp/packets.ts'

/** Ticks per second of H.264 in RTP (RFC 6184 §8.2.1). */
export const VIDEO_TICKS_PER_SECOND = 90_000

/** A picture that is being sent to all viewers. */
export interface SentPicture {
  readonly kind: 'picture'
  readonly isKey: boolean
  /** Pictures since the epoch: what the counter shows. */
  readonly counter: number
  readonly templates: readonly PacketTemplate[]
  /** Since the epoch, in ticks of {@link VIDEO_TICKS_PER_SECOND}. */
  readonly ticks: number
}

export interface SentAudio {
  readonly kind: 'audio'
  readonly templates: readonly PacketTemplate[]
  /** Since the epoch, in samples. */
  readonly ticks: number
}

export type LiveListener = (sent: SentPicture | SentAudio) => void

export interface LiveStreamSettings {
  /** The counter and the time stamps count from here. */
  readonly epoch: EpochMs
  /** Seconds by which this camera is ahead in the clip, so that cameras with the same clip do not show the same. */
  readonly phaseSeconds: number
  readonly audio: AudioClip | undefined
  /** What the strip says about a picture, without the counter. */
  readonly caption: (at: EpochMs) => string
  /** Key pictures that come sooner after the last one are left out; undefined sends all. */
  readonly leastKeySeconds?: () => number | undefined
}

/** If the process was delayed for longer than this, the pictures in between are skipped, as by a real camera. */
const LONGEST_CATCH_UP_MS = 1000

/**
 * One stream of one camera. Picture `n` is sent at epoch + n / framesPerSecond, by the steady clock, so the pace
 * doesn't drift and the counter at any time can be computed. It runs only while it has viewers.
 */
export class LiveStream {
  #clip: VideoClip
  #strip: StripWriter | undefined
  #blocks = new Int32Array(0)
  readonly #settings: LiveStreamSettings
  readonly #viewers = new Set<LiveListener>()
  #timer: NodeJS.Timeout | undefined
  #next = 0
  #nextAudio = 0
  /** False until a key picture has been written, because P pictures of the strip depend on the previous one. */
  #isPrimed = false
  #keyCounter: number | undefined

  constructor(clip: VideoClip, settings: LiveStreamSettings) {
    this.#clip = clip
    this.#settings = settings
    this.#prepare()
  }

  get clip(): VideoClip {
    return this.#clip
  }

  get audio(): AudioClip | undefined {
    return this.#settings.audio
  }

  get epoch(): EpochMs {
    return this.#settings.epoch
  }

  /** Pictures since the epoch at an instant: what the strip shows then. */
  counterAt(at: EpochMs): number {
    return Math.floor(((at - this.#settings.epoch) * this.#clip.framesPerSecond) / 1000)
  }

  /** Continues with another clip from its next key picture; viewers get its parameter sets in the stream. */
  change(clip: VideoClip): void {
    this.#clip = clip
    this.#prepare()
    if (this.#timer !== undefined) this.#start()
  }

  /** Sends everything from now on to `viewer`, mid-GOP as it may be; audio too. The reply ends it. */
  watch(viewer: LiveListener): () => void {
    this.#viewers.add(viewer)
    if (this.#timer === undefined) this.#start()
    return () => {
      this.#viewers.delete(viewer)
      if (this.#viewers.size === 0) this.#stop()
    }
  }

  #prepare(): void {
    const size = this.#clip.stripSize
    this.#strip = size === undefined ? undefined : new StripWriter(size)
    this.#blocks = new Int32Array(size === undefined ? 0 : size.columns * size.rows)
    this.#isPrimed = false
  }

  #start(): void {
    clearTimeout(this.#timer)
    this.#isPrimed = false
    this.#skipTo(steadyNow())
    this.#schedule()
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #skipTo(now: EpochMs): void {
    this.#next = this.counterAt(now) + 1
    const { epoch, audio } = this.#settings
    if (audio !== undefined)
      this.#nextAudio = Math.ceil((((now - epoch) / 1000) * audio.sampleRate) / SAMPLES_PER_FRAME)
  }

  #dueOf(counter: number): EpochMs {
    return this.#settings.epoch + (counter * 1000) / this.#clip.framesPerSecond
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#sendDue(), Math.max(0, this.#dueOf(this.#next) - steadyNow()))
  }

  #sendDue(): void {
    const now = steadyNow()
    if (now - this.#dueOf(this.#next) > LONGEST_CATCH_UP_MS) {
      this.#skipTo(now)
      this.#isPrimed = false
    }
    while (this.#viewers.size > 0 && this.#dueOf(this.#next) <= now) {
      this.#sendPicture(this.#next)
      this.#next += 1
    }
    this.#sendAudio(now)
    if (this.#viewers.size > 0) this.#schedule()
  }

  #sendPicture(counter: number): void {
    const picture = this.#compose(counter, this.#strip)
    if (picture?.isKey === true) {
      if (this.#isPrimed && this.#isTooSoon(counter)) return
      this.#isPrimed = true
      this.#keyCounter = counter
    }
    if (picture !== undefined && this.#isPrimed) this.#send(picture)
  }

  #isTooSoon(counter: number): boolean {
    const seconds = this.#settings.leastKeySeconds?.()
    if (seconds === undefined || this.#keyCounter === undefined) return false
    return counter - this.#keyCounter < seconds * this.#clip.framesPerSecond
  }

  /** Pictures are composed in order, because those of the strip depend on the one before. */
  #compose(counter: number, strip: StripWriter | undefined): SentPicture | undefined {
    const { pictures, framesPerSecond } = this.#clip
    const ahead = Math.round(this.#settings.phaseSeconds * framesPerSecond)
    const picture = pictures[(counter + ahead) % pictures.length]
    if (picture === undefined) return undefined
    const templates: PacketTemplate[] = []
    if (picture.head !== undefined) templates.push(picture.head)
    const size = this.#clip.stripSize
    if (picture.strip !== undefined && strip !== undefined && size !== undefined) {
      const text = `${this.#settings.caption(this.#dueOf(counter))}  #${counter}`
      composeStrip(size, { text, counter }, this.#blocks)
      templates.push(packetizeVideo([strip.write(picture.strip, this.#blocks)], VIDEO_PAYLOAD_TYPE))
    }
    templates.push(picture.rest)
    const ticks = Math.round((counter * VIDEO_TICKS_PER_SECOND) / framesPerSecond)
    return { kind: 'picture', isKey: picture.isKey, counter, templates, ticks }
  }

  /** The pictures of a time that is over, from the key picture at or before it, with the time of each. */
  *pictures(from: EpochMs, to: EpochMs): Generator<{ readonly picture: SentPicture; readonly at: EpochMs }> {
    const size = this.#clip.stripSize
    const strip = size === undefined ? undefined : new StripWriter(size)
    const { pictures, framesPerSecond } = this.#clip
    const ahead = Math.round(this.#settings.phaseSeconds * framesPerSecond)
    let counter = this.counterAt(from)
    while (counter > 0 && pictures[(counter + ahead) % pictures.length]?.isKey !== true) counter--
    for (; this.#dueOf(counter) < to; counter++) {
      const picture = this.#compose(counter, strip)
      if (picture !== undefined) yield { picture, at: this.#dueOf(counter) }
    }
  }

  /** The sound of a time that is over, with the time of each frame. */
  *sounds(from: EpochMs, to: EpochMs): Generator<{ readonly sound: SentAudio; readonly at: EpochMs }> {
    const { audio, epoch } = this.#settings
    if (audio === undefined) return
    const frameMs = (SAMPLES_PER_FRAME * 1000) / audio.sampleRate
    for (let frame = Math.ceil((from - epoch) / frameMs); epoch + frame * frameMs < to; frame++) {
      const template = audio.frames[((frame % audio.frames.length) + audio.frames.length) % audio.frames.length]
      if (template === undefined) return
      yield {
        sound: { kind: 'audio', templates: [template], ticks: frame * SAMPLES_PER_FRAME },
        at: epoch + frame * frameMs,
      }
    }
  }

  #sendAudio(now: EpochMs): void {
    const { audio, epoch } = this.#settings
    if (audio === undefined) return
    const frameMs = (SAMPLES_PER_FRAME * 1000) / audio.sampleRate
    for (; this.#viewers.size > 0 && epoch + this.#nextAudio * frameMs <= now; this.#nextAudio += 1) {
      const template = audio.frames[this.#nextAudio % audio.frames.length]
      if (template === undefined) return
      this.#send({ kind: 'audio', templates: [template], ticks: this.#nextAudio * SAMPLES_PER_FRAME })
    }
  }

  #send(sent: SentPicture | SentAudio): void {
    for (const viewer of this.#viewers) viewer(sent)
  }
}
