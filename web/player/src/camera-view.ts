import type { StreamClientMessage, StreamServerMessage } from '@sightline/contract/streams'
import { chooseSink } from './choose-sink.ts'
import { isInitSegment } from './fragments.ts'
import { watchPage } from './hidden-page.ts'
import { LiveWatch } from './live-watch.ts'
import { capturePicture, freeze, shownElement } from './screen.ts'
import type { InitMessage, PictureSink, SinkEvents } from './sink.ts'
import { APART_OF_PICTURES, LIVE_SOUND_DELAY, Sound } from './sound.ts'
import type { WantedStream } from './stream-address.ts'
import { StreamConnection, type StreamConnectionSettings } from './stream-connection.ts'
import { StreamFit, withStream } from './stream-fit.ts'
import {
  type CameraView,
  firstState,
  MAX_DECODER_FAILURES,
  type PictureStatistics,
  phaseOfEnd,
  type ViewOptions,
  type ViewState,
} from './view-state.ts'

/** Interval of checks that live pictures still arrive. */
const WATCH_MS = 500
/** The server's limit per message (contract/src/streams). */
const MAX_STEPS = 250

/**
 * Shows live video or playback of one camera on `screen` until closed. Reconnects automatically. Fetches nothing while the
 * page is hidden: live video resumes at the newest picture, playback where it stopped.
 */
export const openCameraView = (options: ViewOptions): CameraView => new StreamView(options)

class StreamView implements CameraView {
  readonly #options: ViewOptions
  readonly #listeners = new Set<() => void>()
  readonly #openedAt = performance.now()
  readonly #leaving = new AbortController()
  readonly #sound: Sound
  #state: ViewState = firstState
  #sink: PictureSink | undefined
  readonly #connection: StreamConnection
  #init: InitMessage | undefined
  /** Number of the current stream. A sink of an older one isn't heard. */
  #generation = 0
  /** Playback: where to resume after a reconnect. */
  #wanted: number | undefined
  /** Messages up to the next `init` belong to the position before the seek. */
  #isSeeking = false
  #isPaused = false
  /** The page was hidden during playback. */
  #isWaiting = false
  /** The page has been hidden for a while. */
  #isLeft = false
  /** The sub-stream if this browser can't show the main stream, as with H.265, or the network is too slow for it. */
  #stream: WantedStream['stream']
  #hasSub = false
  /** A step moved the picture, and the server does not know. */
  #hasStepped = false
  /** Pictures to step by once the server has reached the current picture. */
  #stepsToCome = 0
  readonly #live = new LiveWatch()
  readonly #fit = new StreamFit()
  #pictures: 'all' | 'keys' = 'all'
  #bytes = 0
  /** Of sinks before the current one. */
  #droppedBefore = 0

  constructor(options: ViewOptions) {
    this.#options = options
    this.#wanted = options.time
    this.#stream = options.stream ?? 'main'
    const now = () => (this.#state.rate === 1 && !this.#isSeeking ? this.#sink?.mediaTime() : undefined)
    const delay = options.use === 'live' ? LIVE_SOUND_DELAY : 0
    this.#sound = new Sound({ now, delay, apart: APART_OF_PICTURES }, { onState: (sound) => this.#update({ sound }) })
    this.#connection = new StreamConnection({
      address: () => this.#address(),
      onOpen: () => this.#onOpen(),
      onEvent: (event) => this.#onEvent(event),
      onRefused: (code) => this.#update({ phase: 'refused', code }),
      onLost: (detail) => this.#onLost(detail === undefined ? {} : { detail }),
    })
    const { signal } = this.#leaving
    const [onHidden, onLeft, onShown] = [() => this.#onHidden(), () => this.#onLeft(), () => this.#onShown()]
    watchPage({ onHidden, onLeft, onShown }, signal)
    if (options.use === 'live') {
      const watch = setInterval(() => this.#watchLive(), WATCH_MS)
      signal.addEventListener('abort', () => clearInterval(watch))
    }
    if (document.hidden) this.#isLeft = true
    else this.#connection.open()
  }

  get state(): ViewState {
    return this.#state
  }

  // A property, because React calls it without `this`.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  seek(time: number): void {
    this.#wanted = time
    this.#hasStepped = false
    this.#stepsToCome = 0
    const { phase, gap: _, ...rest } = this.#state
    this.#state = { ...rest, phase: 'connecting', wallclock: time }
    this.#update({})
    if (!this.#connection.isOpen || phase === 'ended' || phase === 'reconnecting') {
      this.#drop()
      this.#connection.open()
      return
    }
    this.#isSeeking = true
    this.#sound.forget()
    this.#send({ type: 'seek', time })
  }

  setPaused(paused: boolean): void {
    this.#isPaused = paused
    if (!paused && this.#hasStepped) this.seek(this.#state.wallclock ?? this.#wanted ?? Date.now())
    this.#sink?.setPaused(paused)
    this.#send({ type: paused ? 'pause' : 'resume' })
    if (this.#state.phase === 'playing' || this.#state.phase === 'paused') {
      this.#update({ phase: paused ? 'paused' : 'playing' })
    }
  }

  setRate(rate: number): void {
    this.#sink?.setRate(rate)
    this.#send({ type: 'rate', value: rate })
    this.#update({ rate })
  }

  setVolume(volume: number): void {
    this.#sound.setVolume(volume)
  }

  soundBehind(): number | undefined {
    return this.#sound.behind
  }

  statistics(): PictureStatistics {
    const buffered = this.#sink?.buffered
    return {
      bytes: this.#bytes,
      dropped: this.#droppedBefore + (this.#sink?.dropped ?? 0),
      bufferedMs: buffered === undefined ? undefined : buffered * 1000,
    }
  }

  step(frames: number): void {
    if (!this.#isPaused) this.setPaused(true)
    if (this.#stepsToCome !== 0) {
      this.#stepsToCome += frames
      return
    }
    if (this.#sink?.step(frames) === true) {
      this.#hasStepped = true
      return
    }
    const { wallclock } = this.#state
    if (wallclock === undefined) return
    // Only the server knows the next picture, which may be after a gap, and it counts from its own position.
    this.seek(wallclock)
    this.#stepsToCome = frames
  }

  async capture(): Promise<Blob | undefined> {
    return this.#state.pictures === 0 ? undefined : capturePicture(shownElement(this.#options.screen))
  }

  close(): void {
    this.#drop()
    this.#sound.close()
    this.#leaving.abort()
    this.#listeners.clear()
  }

  #update(change: Partial<ViewState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  #send(message: StreamClientMessage): void {
    this.#connection.send(message)
  }

  #onHidden(): void {
    if (this.#options.use === 'live' || this.#isPaused) return
    this.#isWaiting = true
    this.setPaused(true)
  }

  #onLeft(): void {
    this.#isLeft = true
    if (this.#options.use === 'playback') this.#wanted = this.#state.wallclock ?? this.#wanted
    this.#drop()
  }

  #onShown(): void {
    if (this.#isLeft) {
      this.#isLeft = false
      this.#connection.succeed()
      this.#update({ phase: 'connecting' })
      this.#connection.open()
    }
    if (this.#isWaiting) this.setPaused(false)
    this.#isWaiting = false
  }

  async #address(): Promise<string> {
    const { address, use, pictures } = this.#options
    const { href, hasSub, stream } = await address({ use, time: this.#wanted, stream: this.#stream })
    this.#hasSub = hasSub
    this.#pictures = pictures === 'keysOfMain' && stream === 'main' ? 'keys' : 'all'
    return href
  }

  #onOpen(): void {
    if (this.#state.isTalking === true) this.#update({ isTalking: false })
    this.#live.begin(this.#pictures)
    if (this.#state.rate !== 1) this.#send({ type: 'rate', value: this.#state.rate })
    if (this.#isPaused) this.#send({ type: 'pause' })
  }

  async #onEvent(event: Parameters<StreamConnectionSettings['onEvent']>[0]): Promise<void> {
    if (event.kind === 'bytes') return this.#onBytes(event.bytes)
    if (event.message.type === 'init' && this.#sink === undefined) {
      const mine = this.#generation
      const { use, screen } = this.#options
      const wanted = { use, screen, codec: event.message.codec, pictures: this.#pictures }
      const sink = await chooseSink(wanted, (isOnCanvas) => this.#eventsOf(mine, isOnCanvas))
      if (mine !== this.#generation) {
        sink.close()
        return
      }
      this.#sink = sink
      sink.setRate(this.#state.rate)
      if (this.#isPaused) sink.setPaused(true)
    }
    this.#onMessage(event.message)
  }

  #eventsOf(mine: number, onCanvas: boolean): SinkEvents {
    const ifMine =
      <A extends unknown[]>(act: (...given: A) => void) =>
      (...given: A) => {
        if (mine === this.#generation) act(...given)
      }
    return {
      onPicture: ifMine((wallclock) => {
        this.#options.screen.canvas.hidden = !onCanvas
        this.#onPicture(wallclock)
      }),
      onFinished: ifMine(() => this.#update({ phase: 'ended' })),
      onFailure: ifMine((reason, detail) => {
        if (reason === 'decoder' && this.#connection.failures < MAX_DECODER_FAILURES) return this.#reconnect({ detail })
        return this.#onUnsupported(detail)
      }),
    }
  }

  #onUnsupported(detail: string): void {
    const unsupported = this.#init === undefined ? {} : { unsupportedCodec: this.#init.codec }
    if (this.#stream === 'main' && this.#hasSub) {
      this.#changeStream('sub', { phase: 'connecting', ...unsupported, isSubStream: true })
    } else {
      this.#drop()
      this.#update({ phase: 'unsupported', detail, ...unsupported })
    }
  }

  #onMessage(message: StreamServerMessage): void {
    switch (message.type) {
      case 'init':
        this.#init = message
        this.#update({ width: message.width, height: message.height })
        return
      case 'pos':
        if (this.#isSeeking) return
        this.#sink?.mark(message.mediaTime, message.wallclock)
        this.#stepOn()
        return
      case 'gap':
        this.#update({ gap: { from: message.from, till: message.till } })
        return
      case 'talk':
        this.#update({ isTalking: message.isTalking })
        return
      case 'end':
        this.#onEnd(message.code)
        return
    }
  }

  /** Called when the server has reached the current picture. */
  #stepOn(): void {
    const frames = Math.max(-MAX_STEPS, Math.min(MAX_STEPS, this.#stepsToCome))
    if (frames === 0) return
    this.#stepsToCome = 0
    this.#isSeeking = true
    this.#send({ type: 'step', frames })
  }

  #onEnd(code: number): void {
    const phase = phaseOfEnd(code)
    if (phase === 'reconnecting' || phase === 'offline') {
      this.#reconnect({ phase, code })
      return
    }
    this.#connection.close()
    if (phase === 'ended' && this.#sink !== undefined && !this.#isSeeking) {
      // Pictures sent before the end are still shown.
      this.#sink.finish()
      return
    }
    this.#drop()
    this.#update({ phase, code })
  }

  #onBytes(bytes: Uint8Array): void {
    this.#live.onBytes()
    this.#bytes += bytes.length
    if (this.#sink === undefined || this.#init === undefined) return
    if (isInitSegment(bytes)) {
      this.#isSeeking = false
      // Sound first, because the sink may remove it from the bytes.
      void this.#sound.begin(this.#init, bytes)
      this.#sink.begin(this.#init, bytes)
      this.#update({ transport: this.#sink.kind })
    } else if (!this.#isSeeking) {
      this.#sound.push(bytes)
      this.#sink.push(bytes)
    }
  }

  #onPicture(wallclock: number | undefined): void {
    if (this.#isSeeking) return
    this.#connection.succeed()
    const { pictures, firstPictureMs = performance.now() - this.#openedAt } = this.#state
    this.#update({
      pictures: pictures + 1,
      firstPictureMs,
      ...(wallclock === undefined ? {} : { wallclock }),
      ...(this.#options.use === 'live'
        ? this.#live.stateAt(wallclock, this.#state.phase)
        : { phase: this.#isPaused ? 'paused' : 'playing' }),
    })
  }

  #watchLive(): void {
    const { phase, latencyMs = 0, unsupportedCodec } = this.#state
    if (!this.#connection.isOpen) return
    const judged = this.#live.judge(latencyMs)
    const canChange = this.#hasSub && this.#options.stream !== 'sub' && unsupportedCodec === undefined
    const stream = canChange ? this.#fit.next(judged ?? phase, performance.now()) : undefined
    if (stream !== undefined) {
      this.#state = withStream(this.#state, stream)
      this.#changeStream(stream, {})
    } else if (judged === 'lost') this.#reconnect(phase === 'offline' ? { phase } : {})
    else if (judged !== undefined && judged !== phase) this.#update({ phase: judged })
  }

  /** The last picture stays until the other stream has one. What was on its way is left behind. */
  #changeStream(stream: 'main' | 'sub', change: Partial<ViewState>): void {
    this.#drop()
    this.#stream = stream
    this.#update(change)
    this.#connection.open()
  }

  /** Closes connection and decoder; the last picture stays on the screen. */
  #drop(): void {
    this.#connection.close()
    this.#closeSink()
  }

  #closeSink(): void {
    this.#generation += 1
    if (this.#sink?.kind === 'mse') freeze(this.#options.screen)
    this.#sound.forget()
    this.#droppedBefore += this.#sink?.dropped ?? 0
    this.#sink?.close()
    this.#sink = undefined
    this.#init = undefined
    this.#isSeeking = false
  }

  #reconnect(change: Partial<ViewState>): void {
    this.#onLost(change)
    this.#connection.openAgain()
  }

  #onLost(change: Partial<ViewState>): void {
    if (this.#options.use === 'playback') this.#wanted = this.#state.wallclock ?? this.#wanted
    this.#closeSink()
    this.#update({ phase: 'reconnecting', ...change })
  }
}
