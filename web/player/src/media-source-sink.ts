import { keepOnly, readSamples, readSetup } from './fragments.ts'
import { positionMap } from './position.ts'
import { errorText, type InitMessage, type PictureSink, type SinkEvents } from './sink.ts'

/** Seconds of played footage that stay in memory for steps back. */
const KEPT_BEHIND = 30
/** Seconds beyond that before footage is removed. */
const SPARE_BEHIND = 5
/** Live: beyond the first delay playback jumps to the newest picture; beyond the second it plays slightly faster. */
const JUMP_BEHIND = 1
const CHASE_BEHIND = 0.25
/** Media times that differ by less are equal, because browsers round to microseconds. */
const SAME = 0.002
/** An element that waits this close to the end of a buffered range has reached it. */
const HOLE = 0.1

type Work =
  | { readonly kind: 'begin'; readonly init: InitMessage; readonly segment: Uint8Array }
  | { readonly kind: 'mark'; readonly mediaTime: number; readonly wallclock: number }
  | { readonly kind: 'segment' | 'fragment'; readonly bytes: Uint8Array }
  | { readonly kind: 'finish' }

export interface MediaSourceSinkOptions {
  readonly events: SinkEvents
  /** Live video catches up with the newest picture; playback keeps the requested rate. */
  readonly chaseLiveEdge: boolean
}

/** Feeds a video element. Work is queued, because a SourceBuffer does one operation at a time. */
export class MediaSourceSink implements PictureSink {
  readonly kind = 'mse'
  readonly #video: HTMLVideoElement
  readonly #options: MediaSourceSinkOptions
  readonly #source = new MediaSource()
  readonly #address = URL.createObjectURL(this.#source)
  readonly #positions = positionMap()
  readonly #leaving = new AbortController()
  #buffer: SourceBuffer | undefined
  #waiting: Work[] = []
  #track = { id: 0, timeScale: 1 }
  /** Set from `begin` until its first fragment, which shows whether media time restarts. */
  #isJoining = false
  /** Marks received meanwhile; the first is the picture to show. */
  #marks: { readonly mediaTime: number; readonly wallclock: number }[] = []
  /** Media times of the buffered pictures, and the end of the last one. */
  #pictures: number[] = []
  #end = 0
  /** Media time of the first picture to show, until it is shown. */
  #startAt: number | undefined
  /** Media time of the current or next picture; a browser may show one before its own clock reaches it. */
  #onScreen: number | undefined
  #paused = false

  constructor(video: HTMLVideoElement, options: MediaSourceSinkOptions) {
    this.#video = video
    this.#options = options
    const { events } = options
    const { signal } = this.#leaving
    video.src = this.#address
    video.addEventListener('ended', () => events.onFinished(), { signal })
    video.addEventListener('error', () => events.onFailure('decoder', video.error?.message ?? 'cannot play'), {
      signal,
    })
    video.addEventListener('waiting', () => this.#leapHole(), { signal })
    this.#source.addEventListener('sourceopen', () => this.#work(), { signal })
    this.#watch()
  }

  begin(init: InitMessage, segment: Uint8Array): void {
    this.#add({ kind: 'begin', init, segment })
  }

  mark(mediaTime: number, wallclock: number): void {
    this.#add({ kind: 'mark', mediaTime, wallclock })
  }

  push(bytes: Uint8Array): void {
    this.#add({ kind: 'fragment', bytes })
  }

  finish(): void {
    this.#add({ kind: 'finish' })
  }

  setPaused(paused: boolean): void {
    this.#paused = paused
    if (paused) this.#video.pause()
    else this.#play()
  }

  setRate(rate: number): void {
    // A new source resets the rate to the default.
    this.#video.defaultPlaybackRate = rate
    this.#video.playbackRate = rate
  }

  step(frames: number): boolean {
    const at = this.#onScreen ?? this.#video.currentTime
    const shown = this.#pictures.findLastIndex((time) => time <= at + SAME)
    const wanted = shown < 0 ? undefined : this.#pictures[shown + frames]
    if (wanted === undefined || wanted < this.#bufferedFrom()) return false
    this.#video.currentTime = wanted + SAME / 2
    this.#onScreen = wanted
    return true
  }

  mediaTime(): number | undefined {
    const { paused, seeking, readyState, currentTime } = this.#video
    return paused || seeking || readyState < HTMLMediaElement.HAVE_FUTURE_DATA ? undefined : currentTime
  }

  get dropped(): number {
    return this.#video.getVideoPlaybackQuality().droppedVideoFrames
  }

  get buffered(): number | undefined {
    return this.#end === 0 ? undefined : Math.max(0, this.#end - this.#video.currentTime)
  }

  close(): void {
    this.#leaving.abort()
    this.#waiting = []
    this.#video.removeAttribute('src')
    this.#video.load()
    URL.revokeObjectURL(this.#address)
  }

  #add(work: Work): void {
    this.#waiting.push(work)
    this.#work()
  }

  /** Processes the queue until an operation is asynchronous; its end calls this again. */
  #work(): void {
    while (!this.#leaving.signal.aborted && this.#source.readyState === 'open' && this.#buffer?.updating !== true) {
      this.#moveToStart()
      if (this.#forgetOld()) return
      const work = this.#waiting.shift()
      if (work === undefined) {
        this.#keepUp()
        return
      }
      try {
        this.#do(work)
      } catch (error) {
        this.#options.events.onFailure('decoder', errorText(error))
        return
      }
    }
  }

  #do(work: Work): void {
    switch (work.kind) {
      case 'begin':
        this.#begin(work.init, work.segment)
        return
      case 'mark':
        if (this.#isJoining) this.#marks.push(work)
        else this.#positions.add(work.mediaTime, work.wallclock)
        return
      case 'segment':
        this.#buffer?.appendBuffer(work.bytes as Uint8Array<ArrayBuffer>)
        return
      case 'fragment':
        this.#append(work.bytes)
        return
      case 'finish':
        this.#source.endOfStream()
        // An element without media never fires `ended`.
        if (this.#end === 0) this.#options.events.onFinished()
        return
    }
  }

  #begin(init: InitMessage, segment: Uint8Array): void {
    const setup = readSetup(segment)
    const mime = `video/mp4; codecs="${init.codec}"`
    if (setup === undefined || !MediaSource.isTypeSupported(mime)) {
      this.#options.events.onFailure('unsupported', mime)
      return
    }
    keepOnly(segment, setup.trackId)
    this.#track = { id: setup.trackId, timeScale: setup.timeScale }
    if (this.#buffer === undefined) {
      this.#buffer = this.#source.addSourceBuffer(mime)
      this.#buffer.addEventListener('updateend', () => this.#work(), { signal: this.#leaving.signal })
    } else {
      this.#buffer.abort()
      this.#buffer.changeType(mime)
    }
    this.#isJoining = true
    this.#marks = []
    this.#waiting.unshift({ kind: 'segment', bytes: segment })
  }

  #append(bytes: Uint8Array): void {
    if (this.#buffer === undefined) return
    const { id, timeScale } = this.#track
    const pictures = readSamples(bytes, id).sort((a, b) => a.time - b.time)
    if (pictures.length === 0) return
    keepOnly(bytes, id)
    const [first] = pictures
    const last = pictures.at(-1)
    if (this.#isJoining && first !== undefined && this.#startsAnew(first.time / timeScale, bytes)) return
    this.#pictures = merged(
      this.#pictures,
      pictures.map((picture) => picture.time / timeScale),
    )
    if (last !== undefined) this.#end = Math.max(this.#end, (last.time + last.duration) / timeScale)
    this.#buffer.appendBuffer(bytes as Uint8Array<ArrayBuffer>)
  }

  /** Called before the first fragment after a `begin`. Returns true if the old content has to be removed first. */
  #startsAnew(first: number, bytes: Uint8Array): boolean {
    if (this.#buffer === undefined) return false
    const isEmpty = this.#end === 0
    if (!isEmpty && first < this.#end - SAME) {
      this.#waiting.unshift({ kind: 'fragment', bytes })
      this.#pictures = []
      this.#end = 0
      this.#buffer.remove(0, Number.POSITIVE_INFINITY)
      return true
    }
    if (isEmpty) {
      this.#positions.clear()
      this.#onScreen = undefined
      this.#startAt = (this.#marks[0]?.mediaTime ?? first) + SAME / 2
    }
    for (const { mediaTime, wallclock } of this.#marks) this.#positions.add(mediaTime, wallclock)
    this.#isJoining = false
    return false
  }

  /** Removes old footage. Returns true if that is in progress. */
  #forgetOld(): boolean {
    const until = this.#video.currentTime - KEPT_BEHIND
    if (this.#buffer === undefined || this.#bufferedFrom() > until - SPARE_BEHIND) return false
    this.#pictures = this.#pictures.filter((time) => time >= until)
    this.#buffer.remove(0, until)
    return true
  }

  #bufferedFrom(): number {
    const buffered = this.#buffer?.buffered
    return buffered === undefined || buffered.length === 0 ? Number.POSITIVE_INFINITY : buffered.start(0)
  }

  /** An element can seek only within its buffer; it forgets any other request. */
  #moveToStart(): void {
    const { buffered } = this.#video
    for (let n = 0; this.#startAt !== undefined && n < buffered.length; n += 1) {
      if (buffered.end(n) <= this.#startAt) continue
      this.#video.currentTime = Math.max(this.#startAt, buffered.start(n) + SAME / 2)
      this.#startAt = undefined
    }
  }

  /** Skips holes from lost pictures, at which an element would wait forever. */
  #leapHole(): void {
    const { buffered, currentTime } = this.#video
    for (let n = 0; n + 1 < buffered.length; n += 1) {
      const next = buffered.start(n + 1)
      if (currentTime > buffered.end(n) - HOLE && currentTime < next) this.#video.currentTime = next + SAME / 2
    }
  }

  #keepUp(): void {
    if (this.#paused) return
    if (this.#video.paused) this.#play()
    if (this.#video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) this.#leapHole()
    if (!this.#options.chaseLiveEdge) return
    const behind = this.#end - this.#video.currentTime
    if (behind > JUMP_BEHIND) this.#video.currentTime = this.#end - 0.1
    this.#video.playbackRate = behind > CHASE_BEHIND ? 1.15 : 1
  }

  #play(): void {
    // Fails while the page is hidden or the source is not open yet; the next fragment tries again.
    this.#video.play().catch(() => undefined)
  }

  #watch(): void {
    this.#video.requestVideoFrameCallback((_, { mediaTime }) => {
      if (this.#leaving.signal.aborted) return
      // Frames from before a seek don't count.
      if (!this.#isJoining && this.#startAt === undefined) {
        if (!this.#video.seeking) this.#onScreen = mediaTime
        this.#options.events.onPicture(this.#positions.wallclockAt(mediaTime))
      }
      this.#watch()
    })
  }
}

/** Times in ascending order: a fragment's first picture may come before the last ones of the previous fragment. */
function merged(times: readonly number[], added: readonly number[]): number[] {
  const isInOrder = (added[0] ?? Number.POSITIVE_INFINITY) > (times.at(-1) ?? Number.NEGATIVE_INFINITY)
  return isInOrder ? [...times, ...added] : [...times, ...added].sort((a, b) => a - b)
}
