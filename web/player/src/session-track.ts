import type { StreamServerMessage } from '@sightline/contract/streams'
import { canDecode } from './codec-sink.ts'
import { isInitSegment, readSamples, readSetup, type VideoSetup } from './fragments.ts'
import { PictureDecoder } from './picture-decoder.ts'
import { PictureGroups } from './picture-groups.ts'
import type { PlaybackClock } from './playback-clock.ts'
import { errorCode, type InitMessage } from './sink.ts'
import { Sound, type SoundState } from './sound.ts'
import { openStreamSocket, type SocketEvent, type StreamSocket } from './stream-socket.ts'
import { phaseOfEnd, retryDelay } from './view-state.ts'

export type TrackPhase =
  /** Pictures of this time are on their way. */
  | 'loading'
  | 'shown'
  /** Nothing was recorded at this time. */
  | 'gap'
  /** Nothing was recorded from here on. */
  | 'ended'
  /** The user has no access, or the camera doesn't exist. */
  | 'refused'
  /** This browser can't show the footage. */
  | 'unsupported'

export interface TrackState {
  readonly phase: TrackPhase
  /** The gap at the time of the clock. */
  readonly gap: Gap | undefined
  /** Of the picture on the canvas, milliseconds since 1970. */
  readonly pictureTime: number | undefined
  /** Pictures drawn so far. */
  readonly pictures: number
  readonly codec: string | undefined
  readonly sound: SoundState | undefined
}

export interface Gap {
  readonly from: number
  readonly till: number
}

export interface SessionTrackSettings {
  readonly canvas: HTMLCanvasElement
  readonly clock: PlaybackClock
  /** The socket's URL with a new ticket, for recordings from that time on; rejects if there is no ticket. */
  readonly address: (time: number) => Promise<string>
  readonly onChange: () => void
}

const SHOWN_EVERY_MS = 1000
/** A picture lasts until the next; beyond this, something is missing. */
const LONGEST_PICTURE_MS = 1500
const ROUNDING_MS = 20
/** Key pictures alone are further apart. */
const LONGEST_KEY_MS = 12_000
const FAST_RATE = 4
/** Gaps remembered of one camera. */
const MOST_GAPS = 200
/** More footage may have been recorded meanwhile. */
const ENDED_RETRY_MS = 5000

/** The footage of one camera in a session: its socket, its coded pictures, and the picture of the clock on its canvas. */
export class SessionTrack {
  readonly #settings: SessionTrackSettings
  readonly #groups = new PictureGroups()
  readonly #context: CanvasRenderingContext2D | null
  readonly #sound: Sound
  #state: TrackState = {
    phase: 'loading',
    gap: undefined,
    pictureTime: undefined,
    pictures: 0,
    codec: undefined,
    sound: undefined,
  }
  #socket: StreamSocket | undefined
  #decoder: PictureDecoder | undefined
  #init: InitMessage | undefined
  #setup: VideoSetup | undefined
  #gaps: Gap[] = []
  /** The last word of the server about what follows. */
  #end: 'ended' | 'refused' | 'unsupported' | undefined
  /** Footage between the seek and its `init` belongs to the position before. */
  #isSeeking = false
  #generation = 0
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #toldAt = 0
  #rate = 1
  /** Small tiles of large cameras show key pictures only. */
  #isKeysOnly = false

  constructor(settings: SessionTrackSettings) {
    this.#settings = settings
    this.#context = settings.canvas.getContext('2d', { alpha: false })
    const { clock } = settings
    const now = () => (clock.isRunning && clock.rate === 1 ? clock.now() / 1000 : undefined)
    this.#sound = new Sound({ now, delay: 0 }, { onState: (sound) => this.#change({ sound }) })
    void this.#connect()
  }

  get state(): TrackState {
    return this.#state
  }

  setVolume(volume: number): void {
    this.#sound.setVolume(volume)
  }

  /** The clock jumped to another time. */
  seek(time: number): void {
    if (this.#end === 'refused' || this.#end === 'unsupported') return
    this.#groups.clear()
    this.#gaps = []
    this.#decoder?.reset()
    this.#sound.forget()
    this.#end = undefined
    if (this.#socket === undefined) {
      this.#reconnect(0)
      return
    }
    this.#isSeeking = true
    this.#socket.send({ type: 'seek', time })
  }

  /** Tells the server where the clock is and how it runs; paused, the sign of `rate` says which pictures are needed next. */
  followClock(rate: number): void {
    const { clock } = this.#settings
    this.#tellShown(clock.now())
    this.#socket?.send({ type: 'rate', value: rate })
    this.#socket?.send({ type: clock.isPaused ? 'pause' : 'resume' })
  }

  /** The time of the picture that many pictures from the one at `time`; undefined if it isn't here. */
  timeOfStep(time: number, frames: number): number | undefined {
    return this.#groups.timeOfStep(time, frames)
  }

  gapAt(time: number): Gap | undefined {
    return this.#gaps.find(({ from, till }) => time >= from && time < till)
  }

  /** The gap right after the picture at `time`, or right before it if `direction` is negative. */
  gapBeside(time: number, direction: number): Gap | undefined {
    return this.#gaps.find(({ from, till }) =>
      direction > 0
        ? from > time - ROUNDING_MS && from - time < LONGEST_PICTURE_MS
        : Math.abs(till - time) < ROUNDING_MS,
    )
  }

  /**
   * Decodes for a time of the clock; a rate below zero decodes for going backwards. Returns whether the picture of that time can be
   * drawn, or whether there is none.
   */
  prepare(now: number, rate: number): boolean {
    this.#rate = rate
    this.#groups.trim(now)
    this.#decoder?.feed(this.#groups, now, rate)
    const phase = this.#phaseAt(now)
    const gap = phase === 'gap' ? this.gapAt(now) : undefined
    if (phase !== this.#state.phase || gap !== this.#state.gap) this.#change({ phase, gap })
    if (performance.now() - this.#toldAt > SHOWN_EVERY_MS) this.#tellShown(now)
    const due = this.#dueAt(now)
    return due === undefined ? phase !== 'loading' : this.#decoder?.hasPicture(due) === true
  }

  draw(now: number): void {
    const frame = this.#decoder?.pictureAt(now)
    if (frame !== undefined) this.#drawFrame(frame)
  }

  close(): void {
    this.#generation++
    clearTimeout(this.#retry)
    this.#socket?.close()
    this.#decoder?.close()
    this.#sound.close()
  }

  #change(change: Partial<TrackState>): void {
    this.#state = { ...this.#state, ...change }
    this.#settings.onChange()
  }

  #tellShown(now: number): void {
    this.#toldAt = performance.now()
    if (!this.#isSeeking) this.#socket?.send({ type: 'shown', time: now })
  }

  #phaseAt(now: number): TrackPhase {
    if (this.#end === 'refused' || this.#end === 'unsupported') return this.#end
    const { pictureTime } = this.#state
    const isCovered = pictureTime !== undefined && pictureTime <= now + 1 && now - pictureTime < this.#longestPictureMs
    if (isCovered && this.#dueAt(now) !== undefined) return 'shown'
    if (this.gapAt(now) !== undefined) return 'gap'
    return this.#end ?? 'loading'
  }

  /** The time of the picture to be seen, if it has arrived; not that of one before a gap. */
  #dueAt(now: number): number | undefined {
    const group = this.#groups.at(now)
    if (group === undefined) return undefined
    // Backwards, the start of a group comes first: its last picture so far is not yet the one to be seen.
    const isPartial = this.#rate < 0 && this.#groups.isArriving(group)
    return now < group.till + (isPartial ? ROUNDING_MS : LONGEST_PICTURE_MS) ? this.#groups.timeDue(now) : undefined
  }

  get #longestPictureMs(): number {
    return Math.abs(this.#rate) > FAST_RATE || this.#isKeysOnly ? LONGEST_KEY_MS : LONGEST_PICTURE_MS
  }

  #drawFrame(frame: VideoFrame): void {
    const { canvas } = this.#settings
    const { displayWidth: width, displayHeight: height, timestamp } = frame
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
    this.#context?.drawImage(frame, 0, 0)
    canvas.dataset.pictureTime = String(Math.round(timestamp / 1000))
    this.#failures = 0
    this.#state = { ...this.#state, pictureTime: timestamp / 1000, pictures: this.#state.pictures + 1 }
    if (this.#state.pictures === 1) this.#settings.onChange()
  }

  async #connect(): Promise<void> {
    const mine = ++this.#generation
    const { clock, address } = this.#settings
    try {
      const href = await address(clock.now())
      if (mine !== this.#generation) return
      this.#isKeysOnly = new URL(href).searchParams.get('pictures') === 'keys'
      // Footage that was asked for before is sent again.
      this.#groups.endGroup()
      this.#isSeeking = false
      this.#socket = openStreamSocket(href, this.#inOrder(mine))
      this.followClock(this.#rate)
    } catch (error) {
      if (mine !== this.#generation) return
      const code = errorCode(error)
      if (code !== undefined && phaseOfEnd(code) === 'refused') this.#end = 'refused'
      else this.#reconnect(retryDelay(++this.#failures))
    }
  }

  #reconnect(afterMs: number): void {
    this.#generation++
    this.#socket?.close()
    this.#socket = undefined
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#connect(), afterMs)
  }

  /** Whether a codec can be shown is asked asynchronously; later messages wait. */
  #inOrder(mine: number): (event: SocketEvent) => void {
    let before: Promise<void> = Promise.resolve()
    const handle = async (event: SocketEvent) => {
      if (mine !== this.#generation) return
      if (event.kind === 'lost') this.#reconnect(retryDelay(++this.#failures))
      else if (event.kind === 'bytes') this.#onBytes(event.bytes)
      else await this.#onMessage(event.message)
    }
    return (event) => {
      // What can't be read ends this connection; the events after it would wait for nothing.
      before = before
        .then(() => handle(event))
        .catch(() => {
          if (mine === this.#generation) this.#reconnect(retryDelay(++this.#failures))
        })
    }
  }

  async #onMessage(message: StreamServerMessage): Promise<void> {
    switch (message.type) {
      case 'init':
        this.#init = message
        if (!(await canDecode(message.codec))) this.#end = 'unsupported'
        this.#change({ codec: message.codec })
        return
      case 'gap':
        if (!this.#isSeeking) this.#gaps = [...this.#gaps.slice(-MOST_GAPS), { from: message.from, till: message.till }]
        return
      case 'end':
        this.#onEnd(message.code)
        return
      case 'pos':
        return
    }
  }

  #onEnd(code: number): void {
    const phase = phaseOfEnd(code)
    if (phase === 'refused') this.#end = 'refused'
    else if (phase === 'ended') this.#onFootageEnd()
    else this.#reconnect(retryDelay(++this.#failures))
  }

  /** The clock may go on for other cameras, and this one may be recorded again. */
  #onFootageEnd(): void {
    this.#end = 'ended'
    this.#reconnect(ENDED_RETRY_MS)
  }

  #onBytes(bytes: Uint8Array): void {
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
  }

  #begin(init: InitMessage, segment: Uint8Array): void {
    const setup = readSetup(segment)
    if (setup === undefined) {
      this.#end = 'unsupported'
      return
    }
    const isSame = sameSetup(this.#setup, setup)
    this.#setup = setup
    if (isSame && this.#decoder !== undefined) return
    // Pictures of other tracks can't be decoded by the new decoder.
    this.#groups.clear()
    this.#decoder?.close()
    const { codec, width, height } = init
    this.#decoder = new PictureDecoder({ codec, setup, width, height, onFailure: () => this.#onDecoderFailure() })
  }

  #onDecoderFailure(): void {
    this.#decoder?.close()
    this.#decoder = undefined
    this.#setup = undefined
    this.#reconnect(retryDelay(++this.#failures))
  }
}

const sameSetup = (one: VideoSetup | undefined, other: VideoSetup): boolean =>
  one?.trackId === other.trackId &&
  one.timeScale === other.timeScale &&
  one.description.length === other.description.length &&
  one.description.every((byte, index) => byte === other.description[index])
