import type { StreamServerMessage } from '@sightline/contract/streams'
import { canDecode } from './codec-sink.ts'
import { isInitSegment, readSamples, readSetup, sameSetup, type VideoSetup } from './fragments.ts'
import { PictureDecoder } from './picture-decoder.ts'
import { PictureGroups } from './picture-groups.ts'
import type { PlaybackClock } from './playback-clock.ts'
import { ReportedGaps } from './reported-gaps.ts'
import { capturePicture } from './screen.ts'
import type { InitMessage } from './sink.ts'
import { APART_OF_CLOCK, Sound } from './sound.ts'
import { StreamConnection } from './stream-connection.ts'
import { withStream } from './stream-fit.ts'
import { type TrackAddress, TrackStream } from './track-stream.ts'
import {
  firstState,
  type Gap,
  MAX_DECODER_FAILURES,
  type Phase,
  type PictureStatistics,
  type PictureView,
  phaseOfEnd,
  type ViewState,
} from './view-state.ts'

export interface SessionTrackSettings {
  readonly canvas: HTMLCanvasElement
  readonly clock: PlaybackClock
  readonly address: TrackAddress
  /** Footage arrived, or a picture of it was decoded. */
  readonly onProgress: () => void
}

const SHOWN_EVERY_MS = 1000
/** A picture lasts until the next; beyond this, something is missing. */
const LONGEST_PICTURE_MS = 1500
/** The next picture may begin this much later than the last one ends. */
const LATE_PICTURE_MS = 60
const ROUNDING_MS = 20
/** Key pictures alone are further apart. */
const LONGEST_KEY_MS = 12_000
const FAST_RATE = 4
/** More footage may have been recorded meanwhile. */
const ENDED_RETRY_MS = 5000

/** The footage of one camera in a session: its connection, its coded pictures, and the picture of the clock on its canvas. */
export class SessionTrack implements PictureView {
  readonly #settings: SessionTrackSettings
  readonly #groups = new PictureGroups()
  readonly #gaps = new ReportedGaps()
  readonly #stream: TrackStream
  readonly #context: CanvasRenderingContext2D | null
  readonly #sound: Sound
  readonly #connection: StreamConnection
  readonly #listeners = new Set<() => void>()
  readonly #openedAt = performance.now()
  #state: ViewState = { ...firstState, transport: 'webcodecs' }
  #decoder: PictureDecoder | undefined
  #init: InitMessage | undefined
  #setup: VideoSetup | undefined
  /** From when on footage was asked for, also by turning around. */
  #askedAt = Number.NaN
  /** The last word of the server about what follows. */
  #end: 'ended' | 'refused' | 'unsupported' | undefined
  /** Footage between the seek and its `init` belongs to the position before. */
  #isSeeking = false
  #toldAt = 0
  #rate = 1
  #sentRate = 1
  #isHeard = false
  #isLeft = false
  #bytes = 0
  /** Of decoders before the current one. */
  #droppedBefore = 0

  constructor(settings: SessionTrackSettings) {
    this.#settings = settings
    this.#stream = new TrackStream(settings.address)
    this.#context = settings.canvas.getContext('2d', { alpha: false })
    const { clock } = settings
    const now = () => (clock.isRunning && clock.rate === 1 ? clock.now() / 1000 : undefined)
    this.#sound = new Sound({ now, delay: 0, apart: APART_OF_CLOCK }, { onState: (sound) => this.#change({ sound }) })
    this.#connection = new StreamConnection({
      address: () => this.#address(),
      onOpen: () => this.#onOpen(),
      onEvent: (event) => (event.kind === 'bytes' ? this.#onBytes(event.bytes) : this.#onMessage(event.message)),
      onRefused: () => {
        this.#end = 'refused'
      },
    })
    this.#state = { ...this.#state, rate: clock.rate }
    if (!document.hidden) this.#connection.open()
    this.#isLeft = document.hidden
  }

  get state(): ViewState {
    return this.#state
  }

  // A property, because React calls it without `this`.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Whether someone listens, so that the clock shouldn't stop for a moment's delay of a picture. */
  get isHeard(): boolean {
    return this.#isHeard && this.#state.sound === 'ready'
  }

  setVolume(volume: number): void {
    this.#isHeard = volume > 0
    this.#sound.setVolume(volume)
  }

  soundBehind = (): number | undefined => this.#sound.behind

  statistics(): PictureStatistics {
    const now = this.#settings.clock.now()
    const until = this.#groups.bufferedUntil(now, LONGEST_PICTURE_MS)
    return {
      bytes: this.#bytes,
      dropped: this.#droppedBefore + (this.#decoder?.dropped ?? 0),
      bufferedMs: until === undefined ? undefined : until - now,
    }
  }

  capture = async (): Promise<Blob | undefined> =>
    this.#state.pictures === 0 ? undefined : capturePicture(this.#settings.canvas)

  /** The clock jumped to another time. */
  seek(time: number): void {
    if (this.#end === 'refused' || this.#end === 'unsupported') return
    this.#forget()
    this.#stream.load()
    this.#askedAt = time
    if (this.#isLeft) return
    if (!this.#connection.isOpen) {
      this.#connection.openAgain(0)
      return
    }
    this.#isSeeking = true
    this.#connection.send({ type: 'seek', time })
  }

  /** Tells the server where the clock is and how it runs; paused, the sign of `rate` says which pictures are needed next. */
  followClock(rate: number): void {
    const { clock } = this.#settings
    if (rate < 0 !== this.#sentRate < 0) this.#askedAt = clock.now()
    this.#sentRate = rate
    this.#tellShown(clock.now())
    this.#connection.send({ type: 'rate', value: rate })
    this.#connection.send({ type: clock.isPaused ? 'pause' : 'resume' })
    if (clock.rate !== this.#state.rate) this.#change({ rate: clock.rate })
  }

  /** The page was left: nothing is received any more. */
  leave(): void {
    this.#isLeft = true
    this.#connection.close()
  }

  /** The page is shown again: continues at the time of the clock. */
  return(): void {
    if (!this.#isLeft) return
    this.#isLeft = false
    if (this.#end !== 'refused' && this.#end !== 'unsupported') this.#connection.open()
  }

  /** The time of the picture that many pictures from the one at `time`; undefined if it isn't here. */
  timeOfStep(time: number, frames: number): number | undefined {
    return this.#groups.timeOfStep(time, frames)
  }

  gapAt(time: number): Gap | undefined {
    return this.#gaps.at(time)
  }

  /** The gap right after the picture at `time`, or right before it if `direction` is negative. */
  gapBeside(time: number, direction: number): Gap | undefined {
    if (direction > 0) return this.#gaps.after(time, LONGEST_PICTURE_MS)
    // Paused, the clock may be anywhere within the picture.
    return this.#gaps.before(this.#groups.timeDue(time) ?? time)
  }

  /**
   * Decodes for a time of the clock; a rate below zero decodes for going backwards. Returns whether the picture of that time can be
   * drawn, or whether there is none.
   */
  prepare(now: number, rate: number): boolean {
    this.#rate = rate
    this.#groups.trim(now)
    this.#decoder?.feed(this.#groups, { now, rate, isPaused: this.#settings.clock.isPaused })
    const phase = this.#phaseAt(now)
    if (this.#changesStream(phase, now)) return false
    const gap = phase === 'gap' ? this.gapAt(now) : undefined
    if (phase !== this.#state.phase || gap !== this.#state.gap) this.#change({ phase, gap })
    if (performance.now() - this.#toldAt > SHOWN_EVERY_MS) this.#tellShown(now)
    const due = this.#dueAt(now)
    if (due === undefined) return phase !== 'connecting'
    return this.#hasArrived(now) && this.#decoder?.hasPicture(due) === true
  }

  /** Changes to the stream that the network has room for, if it is another one. The last picture stays until that one has its first. */
  #changesStream(phase: Phase, now: number): boolean {
    if (this.#settings.clock.isPaused || !this.#connection.isOpen || phase === 'refused') return false
    const isMissing = phase === 'gap' || phase === 'ended'
    const isWaiting = !isMissing && (this.#dueAt(now) === undefined || !this.#hasArrived(now))
    const stream = this.#stream.next({ isWaiting, isMissing, isNetworkSlow: this.#state.isNetworkSlow === true })
    if (stream === undefined) return false
    this.#forget()
    this.#state = withStream(this.#state, stream)
    this.#change({ phase: 'connecting', gap: undefined })
    this.#connection.open()
    return true
  }

  draw(now: number): void {
    const frame = this.#decoder?.pictureAt(now)
    if (frame !== undefined) this.#drawFrame(frame)
  }

  close(): void {
    this.#connection.close()
    this.#decoder?.close()
    this.#sound.close()
    this.#listeners.clear()
  }

  #change(change: Partial<ViewState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  #forget(): void {
    this.#groups.clear()
    this.#gaps.clear()
    this.#decoder?.reset()
    this.#sound.forget()
    this.#end = undefined
  }

  #tellShown(now: number): void {
    this.#toldAt = performance.now()
    if (!this.#isSeeking) this.#connection.send({ type: 'shown', time: now })
  }

  #phaseAt(now: number): Phase {
    if (this.#end === 'refused' || this.#end === 'unsupported') return this.#end
    const { wallclock } = this.#state
    const isCovered = wallclock !== undefined && wallclock <= now + 1 && now - wallclock < this.#longestPictureMs
    const isHere = this.#dueAt(now) !== undefined
    if (isCovered && isHere) return this.#settings.clock.isPaused ? 'paused' : 'playing'
    if (this.gapAt(now) !== undefined) return 'gap'
    // Everything may have been sent long before it is shown.
    return isHere ? 'connecting' : (this.#end ?? 'connecting')
  }

  /** The time of the picture to be seen, if it has arrived; not that of one before a gap. */
  #dueAt(now: number): number | undefined {
    const group = this.#groups.at(now)
    if (group === undefined) return undefined
    // Backwards, the start of a group comes first: its last picture so far is not yet the one to be seen.
    const isPartial = this.#rate < 0 && this.#groups.isArriving(group)
    return now < group.till + (isPartial ? ROUNDING_MS : LONGEST_PICTURE_MS) ? this.#groups.timeDue(now) : undefined
  }

  /** Whether the last picture until then is here, or only one before it, because the connection is late. */
  #hasArrived(now: number): boolean {
    if (this.#rate < 0 || this.#areKeysOnly || this.#end !== undefined) return true
    // Paused, each picture has to be the right one: the next may be on its way.
    const lateMs = this.#settings.clock.isPaused ? 0 : LATE_PICTURE_MS
    if (this.#groups.hasArrived(now, lateMs)) return true
    return this.gapAt(now) !== undefined || this.#gaps.after(now, LATE_PICTURE_MS) !== undefined
  }

  get #areKeysOnly(): boolean {
    return Math.abs(this.#rate) > FAST_RATE || this.#stream.isKeysOnly
  }

  get #longestPictureMs(): number {
    return this.#areKeysOnly ? LONGEST_KEY_MS : LONGEST_PICTURE_MS
  }

  #drawFrame(frame: VideoFrame): void {
    const { canvas } = this.#settings
    const { displayWidth: width, displayHeight: height, timestamp } = frame
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
    this.#context?.drawImage(frame, 0, 0)
    canvas.dataset.pictureTime = String(Math.round(timestamp / 1000))
    this.#connection.succeed()
    const { pictures, firstPictureMs = performance.now() - this.#openedAt } = this.#state
    this.#state = { ...this.#state, wallclock: timestamp / 1000, pictures: pictures + 1, firstPictureMs }
    if (this.#state.pictures === 1) this.#change({})
  }

  async #address(): Promise<string> {
    this.#askedAt = this.#settings.clock.now()
    return await this.#stream.address(this.#askedAt, this.#state.isSubStream === true ? 'smallest' : 'chosen')
  }

  #onOpen(): void {
    // Footage that was asked for before is sent again.
    this.#groups.endGroup()
    this.#isSeeking = false
    this.followClock(this.#rate)
  }

  async #onMessage(message: StreamServerMessage): Promise<void> {
    switch (message.type) {
      case 'init':
        this.#init = message
        if (await canDecode(message.codec)) this.#change({ width: message.width, height: message.height })
        else this.#onUnsupported(message.codec)
        return
      case 'gap':
        if (!this.#isSeeking) this.#gaps.add(message, this.#askedAt)
        return
      case 'end':
        this.#onEnd(message.code)
        return
      case 'pos':
        return
    }
  }

  /** What can't be shown isn't received any longer; the sub-stream is often H.264 where the main stream isn't. */
  #onUnsupported(codec: string): void {
    this.#connection.close()
    const { hasOther } = this.#stream
    if (!hasOther) this.#end = 'unsupported'
    this.#change({ unsupportedCodec: codec, ...(hasOther ? { isSubStream: true } : {}) })
    if (hasOther) this.#connection.open()
  }

  #onEnd(code: number): void {
    const phase = phaseOfEnd(code)
    if (phase === 'refused') {
      this.#end = 'refused'
      this.#connection.close()
    } else if (phase === 'ended') {
      // The clock may go on for other cameras, and this one may be recorded again.
      this.#end = 'ended'
      this.#groups.endGroup()
      this.#connection.openAgain(ENDED_RETRY_MS)
    } else this.#connection.openAgain()
  }

  #onBytes(bytes: Uint8Array): void {
    this.#bytes += bytes.length
    const init = this.#init
    if (init === undefined || this.#end === 'unsupported') return
    if (isInitSegment(bytes)) {
      this.#isSeeking = false
      this.#groups.endGroup()
      void this.#sound.begin(init, bytes)
      this.#begin(init, bytes)
      return
    }
    if (this.#isSeeking) return
    this.#end = undefined
    this.#sound.push(bytes)
    const { trackId, timeScale } = this.#setup ?? {}
    if (trackId === undefined || timeScale === undefined) return
    for (const { time, duration, isKey, data } of readSamples(bytes, trackId)) {
      this.#groups.add({ time: (time * 1000) / timeScale, isKey, data }, (duration * 1000) / timeScale)
    }
    this.#settings.onProgress()
  }

  #begin(init: InitMessage, segment: Uint8Array): void {
    const setup = readSetup(segment)
    if (setup === undefined) {
      this.#onUnsupported(init.codec)
      return
    }
    const isSame = sameSetup(this.#setup, setup)
    this.#setup = setup
    if (isSame && this.#decoder !== undefined) return
    // Pictures of other tracks can't be decoded by the new decoder.
    this.#groups.clear()
    this.#closeDecoder()
    const { codec, width, height } = init
    this.#decoder = new PictureDecoder({
      ...{ codec, setup, width, height },
      onPicture: this.#settings.onProgress,
      onFailure: () => this.#onDecoderFailure(codec),
    })
  }

  #onDecoderFailure(codec: string): void {
    this.#closeDecoder()
    this.#setup = undefined
    if (this.#connection.failures < MAX_DECODER_FAILURES) this.#connection.openAgain()
    else this.#onUnsupported(codec)
  }

  #closeDecoder(): void {
    this.#droppedBefore += this.#decoder?.dropped ?? 0
    this.#decoder?.close()
    this.#decoder = undefined
  }
}
