import type { StreamClientMessage, StreamServerMessage } from '@sightline/contract/streams'
import { CodecSink, canDecode } from './codec-sink.ts'
import { isInitSegment } from './fragments.ts'
import { MediaSourceSink } from './media-source-sink.ts'
import { capturePicture, freeze, type Screen } from './screen.ts'
import { errorCode, errorText, type InitMessage, type PictureSink, type SinkEvents } from './sink.ts'
import { Sound } from './sound.ts'
import type { StreamAddress, WantedStream } from './stream-address.ts'
import { openStreamSocket, type SocketEvent, type StreamSocket } from './stream-socket.ts'
import { type CameraView, firstState, judgeLive, phaseOfEnd, retryDelay, type ViewState } from './view-state.ts'

export interface ViewOptions {
  readonly screen: Screen
  /** The socket's URL with a new ticket; rejects if there is no ticket. */
  readonly address: (wanted: WantedStream) => Promise<StreamAddress>
  readonly use: 'live' | 'playback'
  /** `main` by default. */
  readonly stream?: WantedStream['stream']
  /** Playback: start time, milliseconds since 1970. */
  readonly time?: number
}

/** Interval of checks that live pictures still arrive. */
const WATCH_MS = 500
/** A browser that offers a codec and then fails this often in a row, without a picture, is treated as not offering it. */
const MAX_DECODER_FAILURES = 3
/** The server's limit per message (contract/src/streams). */
const MAX_STEPS = 250
/** Seconds: live sound packets start up to a tenth of a second before they are complete. */
const LIVE_SOUND_DELAY = 0.15

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
  #socket: StreamSocket | undefined
  #init: InitMessage | undefined
  /** Number of the current stream. A stream with an older number stops its setup. */
  #generation = 0
  /** Playback: where to resume after a reconnect. */
  #wanted: number | undefined
  /** Messages up to the next `init` belong to the position before the seek. */
  #isSeeking = false
  #isPaused = false
  /** The page was hidden during playback. */
  #isWaiting = false
  /** The sub-stream once this browser turned out to be unable to show the main stream, as with H.265. */
  #stream: WantedStream['stream']
  #hasSub = false
  /** A step moved the picture, and the server does not know. */
  #hasStepped = false
  /** Pictures to step by once the server has reached the current picture. */
  #stepsToCome = 0
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #live = { bytesAt: 0, pictureAt: 0, leastLatencyMs: Number.POSITIVE_INFINITY }
  /** This connection has delivered a picture. */
  #hasPicture = false

  constructor(options: ViewOptions) {
    this.#options = options
    this.#wanted = options.time
    this.#stream = options.stream ?? 'main'
    const now = () => (this.#state.rate === 1 && !this.#isSeeking ? this.#sink?.mediaTime() : undefined)
    const delay = options.use === 'live' ? LIVE_SOUND_DELAY : 0
    this.#sound = new Sound({ now, delay }, { onState: (sound) => this.#update({ sound }) })
    const { signal } = this.#leaving
    document.addEventListener('visibilitychange', () => this.#onVisibility(), { signal })
    if (options.use === 'live') {
      const watch = setInterval(() => this.#watchLive(), WATCH_MS)
      signal.addEventListener('abort', () => clearInterval(watch))
    }
    if (!document.hidden || options.use === 'playback') void this.#connect()
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
    if (this.#socket === undefined || phase === 'ended' || phase === 'reconnecting') {
      this.#drop()
      void this.#connect()
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
    return this.#state.pictures === 0 ? undefined : capturePicture(this.#options.screen)
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
    this.#socket?.send(message)
  }

  #onVisibility(): void {
    if (this.#options.use === 'playback') {
      if (!document.hidden && !this.#isWaiting) return
      if (document.hidden && this.#isPaused) return
      this.#isWaiting = document.hidden
      this.setPaused(document.hidden)
      return
    }
    this.#drop()
    if (document.hidden) return
    this.#failures = 0
    this.#update({ phase: 'connecting' })
    void this.#connect()
  }

  async #connect(): Promise<void> {
    this.#generation += 1
    const mine = this.#generation
    const { address, use } = this.#options
    try {
      const { href, hasSub } = await address({ use, time: this.#wanted, stream: this.#stream })
      if (mine !== this.#generation) return
      this.#hasSub = hasSub
      this.#live.bytesAt = performance.now()
      this.#hasPicture = false
      this.#socket = openStreamSocket(href, this.#inOrder(mine))
      if (this.#state.rate !== 1) this.#send({ type: 'rate', value: this.#state.rate })
      if (this.#isPaused) this.#send({ type: 'pause' })
    } catch (error) {
      if (mine !== this.#generation) return
      const code = errorCode(error)
      if (code !== undefined && phaseOfEnd(code) === 'refused') this.#update({ phase: 'refused', code })
      else this.#reconnect({ detail: errorText(error) })
    }
  }

  /** Choosing a decoder is asynchronous; later messages wait, so that none is lost or out of order. */
  #inOrder(mine: number): (event: SocketEvent) => void {
    let before: Promise<void> = Promise.resolve()
    const handle = async (event: SocketEvent) => {
      if (mine !== this.#generation) return
      if (event.kind === 'lost') this.#reconnect({})
      else if (event.kind === 'bytes') this.#onBytes(event.bytes)
      else {
        if (event.message.type === 'init' && this.#sink === undefined) {
          const sink = await this.#chooseSink(event.message, mine)
          if (mine !== this.#generation) return
          this.#sink = sink
        }
        this.#onMessage(event.message)
      }
    }
    return (event) => {
      before = before.then(() => handle(event))
    }
  }

  async #chooseSink(message: InitMessage, mine: number): Promise<PictureSink | undefined> {
    const { use, screen } = this.#options
    const isImmediate = use === 'live' && (await canDecode(message.codec))
    if (mine !== this.#generation) return undefined
    const events = this.#eventsOf(mine, isImmediate)
    const sink = isImmediate
      ? new CodecSink(screen.canvas, events)
      : new MediaSourceSink(screen.video, { events, chaseLiveEdge: use === 'live' })
    sink.setRate(this.#state.rate)
    if (this.#isPaused) sink.setPaused(true)
    return sink
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
        if (reason === 'decoder' && this.#failures < MAX_DECODER_FAILURES) return this.#reconnect({ detail })
        return this.#onUnsupported(detail)
      }),
    }
  }

  #onUnsupported(detail: string): void {
    const isMain = this.#stream === 'main'
    const unsupported = this.#init === undefined ? {} : { unsupportedCodec: this.#init.codec }
    this.#drop()
    if (!isMain || !this.#hasSub) {
      this.#update({ phase: 'unsupported', detail, ...unsupported })
      return
    }
    this.#stream = 'sub'
    this.#update({ phase: 'connecting', ...unsupported, isSubStream: true })
    void this.#connect()
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
    this.#socket?.close()
    this.#socket = undefined
    if (phase === 'ended' && this.#sink !== undefined && !this.#isSeeking) {
      // Pictures sent before the end are still shown.
      this.#sink.finish()
      return
    }
    this.#drop()
    this.#update({ phase, code })
  }

  #onBytes(bytes: Uint8Array): void {
    this.#live.bytesAt = performance.now()
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
    const now = performance.now()
    this.#failures = 0
    this.#live.pictureAt = now
    const { pictures, firstPictureMs = now - this.#openedAt } = this.#state
    this.#update({
      pictures: pictures + 1,
      firstPictureMs,
      ...(wallclock === undefined ? {} : { wallclock }),
      ...(this.#options.use === 'live' ? this.#liveState(wallclock) : { phase: this.#isPaused ? 'paused' : 'playing' }),
    })
  }

  #liveState(wallclock: number | undefined): Pick<ViewState, 'phase' | 'latencyMs'> {
    if (wallclock === undefined) return { phase: 'playing' }
    const latencyMs = Date.now() - wallclock
    const leastLatencyMs = Math.min(this.#live.leastLatencyMs, latencyMs)
    this.#live.leastLatencyMs = leastLatencyMs
    const judged = judgeLive({ sinceBytesMs: 0, sincePictureMs: 0, latencyMs, leastLatencyMs })
    this.#hasPicture = true
    // A connection starts with pictures a few seconds old, which catch up quickly. The watch reports a lasting delay.
    return { phase: judged === 'playing' ? 'playing' : this.#state.phase, latencyMs }
  }

  #watchLive(): void {
    const { phase, latencyMs = 0 } = this.#state
    if (this.#socket === undefined) return
    const now = performance.now()
    const { bytesAt, pictureAt, leastLatencyMs } = this.#live
    const judged = judgeLive({
      sinceBytesMs: now - bytesAt,
      sincePictureMs: now - pictureAt,
      latencyMs,
      leastLatencyMs: Math.min(leastLatencyMs, latencyMs),
    })
    if (judged === 'lost') this.#reconnect(phase === 'offline' ? { phase } : {})
    else if (this.#hasPicture && judged !== phase) this.#update({ phase: judged })
  }

  /** Closes connection and decoder; the last picture stays on the screen. */
  #drop(): void {
    this.#generation += 1
    clearTimeout(this.#retry)
    this.#socket?.close()
    this.#socket = undefined
    if (this.#sink?.kind === 'mse') freeze(this.#options.screen)
    this.#sound.forget()
    this.#sink?.close()
    this.#sink = undefined
    this.#init = undefined
    this.#isSeeking = false
  }

  #reconnect(change: Partial<ViewState>): void {
    if (this.#options.use === 'playback') this.#wanted = this.#state.wallclock ?? this.#wanted
    this.#drop()
    this.#update({ phase: 'reconnecting', ...change })
    this.#failures += 1
    this.#retry = setTimeout(() => void this.#connect(), retryDelay(this.#failures))
  }
}
