import type { StreamClientMessage, StreamServerMessage } from '@sightline/contract/streams'
import { canDecode, codecSink } from './codec-sink.ts'
import { isInitSegment } from './fragments.ts'
import { mediaSourceSink } from './media-source-sink.ts'
import { positionMap } from './position.ts'
import type { InitMessage, PictureSink, SinkEvents } from './sink.ts'
import { openStreamSocket, type SocketEvent, type StreamSocket } from './stream-socket.ts'

export type Phase =
  | 'connecting'
  | 'playing'
  | 'paused'
  /** Pictures stopped coming, or the connection was lost; another try is under way. */
  | 'reconnecting'
  /** The camera itself is not connected. */
  | 'offline'
  /** The person may no longer watch, or there is no such camera. */
  | 'refused'
  /** The end of what is recorded. */
  | 'ended'
  /** This browser cannot show the stream. */
  | 'unsupported'

export interface ViewState {
  readonly phase: Phase
  /** Code of the error catalogue with which the server ended the stream. */
  readonly code?: number
  readonly detail?: string
  /** Time of day of the picture on the screen, milliseconds since 1970. */
  readonly wallclock?: number
  /** Live: this clock minus the server's when the picture reached it. */
  readonly latencyMs?: number
  /** From opening the view to its first picture. */
  readonly firstPictureMs?: number
  readonly transport?: PictureSink['kind']
  readonly width?: number
  readonly height?: number
  readonly pictures: number
  readonly rate: number
  /** Recorded footage was missing between these two moments; it was skipped. */
  readonly gap?: { readonly from: number; readonly till: number }
}

/** Where pictures are drawn; the view shows the one of the two that it uses and hides the other. */
export interface Screen {
  readonly canvas: HTMLCanvasElement
  readonly video: HTMLVideoElement
}

export interface ViewOptions {
  readonly screen: Screen
  /** Address of the socket with a fresh ticket in it; rejects where there is none to be had. */
  readonly address: (use: 'live' | 'playback', time: number | undefined) => Promise<string>
  readonly use: 'live' | 'playback'
  /** Playback: where to begin, milliseconds since 1970. */
  readonly time?: number
  /** Live with sound needs the video element. */
  readonly sound?: boolean
}

export interface CameraView {
  readonly state: ViewState
  /** Called after every change of `state`, at most once per picture. */
  subscribe(listener: () => void): () => void
  seek(time: number): void
  setPaused(paused: boolean): void
  setRate(rate: number): void
  /** Frames forward or, negative, back; pauses. */
  step(frames: number): void
  close(): void
}

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 8000
/** Live pictures come at least this often; after that the tile says so and connects anew. */
const SILENCE_MS = 5000

const phaseOfEnd = (code: number): Phase => {
  if (code === 0) return 'ended'
  if (code === 4 || code === 9) return 'refused'
  if (code === 14 || code === 18) return 'offline'
  return 'reconnecting'
}

/** Live pictures or recorded footage of one camera, shown on `screen` until closed. Connects again by itself. */
export function openCameraView(options: ViewOptions): CameraView {
  const { screen, use } = options
  const openedAt = performance.now()
  const listeners = new Set<() => void>()
  const positions = positionMap()
  let state: ViewState = { phase: 'connecting', pictures: 0, rate: 1 }
  let sink: PictureSink | undefined
  let socket: StreamSocket | undefined
  let init: InitMessage | undefined
  let awaitingSeek = false
  let wanted = options.time
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let closed = false
  /** Streams are set up one after the other; each knows by its number whether it is still the one wanted. */
  let generation = 0

  const update = (change: Partial<ViewState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  const events: SinkEvents = {
    onPicture({ mediaTime }) {
      failures = 0
      const wallclock = positions.wallclockAt(mediaTime)
      const still = state.phase === 'paused' ? 'paused' : 'playing'
      update({
        phase: still,
        pictures: state.pictures + 1,
        ...(state.firstPictureMs === undefined ? { firstPictureMs: performance.now() - openedAt } : {}),
        ...(wallclock === undefined ? {} : { wallclock }),
        ...(wallclock === undefined || use === 'playback' ? {} : { latencyMs: Date.now() - wallclock }),
      })
    },
    onFailure(reason, detail) {
      if (reason === 'unsupported') {
        socket?.close()
        update({ phase: 'unsupported', detail })
      } else {
        reconnect({ detail })
      }
    },
  }

  const chooseSink = async (message: InitMessage): Promise<PictureSink> => {
    const immediate = use === 'live' && options.sound !== true && (await canDecode(message.codec))
    screen.canvas.hidden = !immediate
    screen.video.hidden = immediate
    return immediate
      ? codecSink(screen.canvas, events)
      : mediaSourceSink(screen.video, { events, chaseLiveEdge: use === 'live' })
  }

  const watchForSilence = () => {
    clearTimeout(silence)
    if (use === 'live') silence = setTimeout(() => reconnect({}), SILENCE_MS)
  }

  const onMessage = (message: StreamServerMessage) => {
    switch (message.type) {
      case 'init':
        init = message
        update({ width: message.width, height: message.height })
        break
      case 'pos':
        positions.add(sink?.toSinkTime(message.mediaTime) ?? message.mediaTime, message.wallclock)
        break
      case 'gap':
        update({ gap: { from: message.from, till: message.till } })
        break
      case 'end':
        onEnd(message.code)
        break
    }
  }

  const onEnd = (code: number) => {
    const phase = phaseOfEnd(code)
    if (phase === 'reconnecting') return reconnect({ code })
    if (phase === 'offline') return reconnect({ phase, code })
    // What was sent before the end is still to be shown, so the sink stays.
    clearTimeout(silence)
    update({ phase, code })
  }

  const onBytes = (bytes: Uint8Array) => {
    watchForSilence()
    if (!isInitSegment(bytes)) return awaitingSeek ? undefined : sink?.push(bytes)
    if (init === undefined || sink === undefined) return
    const fresh = awaitingSeek || state.pictures === 0
    if (fresh) positions.clear()
    awaitingSeek = false
    sink.begin(init, bytes, fresh)
    update({ transport: sink.kind })
  }

  /** Choosing a decoder takes a moment; what arrives meanwhile waits, so that nothing is lost or out of order. */
  const inOrder = (mine: number) => {
    let before: Promise<void> = Promise.resolve()
    const handle = async (event: SocketEvent) => {
      if (mine !== generation || closed) return
      if (event.kind === 'lost') return reconnect({})
      if (event.kind === 'bytes') return onBytes(event.bytes)
      if (event.message.type === 'init' && sink === undefined) sink = await chooseSink(event.message)
      if (mine === generation && !closed) onMessage(event.message)
    }
    return (event: SocketEvent) => {
      before = before.then(() => handle(event))
    }
  }

  const connect = async () => {
    generation += 1
    const mine = generation
    try {
      const address = await options.address(use, wanted)
      if (mine !== generation || closed) return
      socket = openStreamSocket(address, inOrder(mine))
      watchForSilence()
    } catch (error) {
      if (mine !== generation || closed) return
      const code = (error as { code?: unknown }).code
      if (code === 4 || code === 9) update({ phase: 'refused', code })
      else reconnect({ detail: error instanceof Error ? error.message : String(error) })
    }
  }

  const drop = () => {
    generation += 1
    clearTimeout(silence)
    clearTimeout(retry)
    socket?.close()
    socket = undefined
    sink?.close()
    sink = undefined
    init = undefined
    positions.clear()
  }

  const reconnect = (change: Partial<ViewState>) => {
    if (closed) return
    if (use === 'playback') wanted = state.wallclock ?? wanted
    drop()
    update({ phase: 'reconnecting', ...change })
    failures += 1
    retry = setTimeout(() => void connect(), Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS))
  }

  const send = (message: StreamClientMessage) => socket?.send(message)

  void connect()
  return {
    get state() {
      return state
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    seek(time) {
      wanted = time
      const { gap: _, ...rest } = state
      state = rest
      if (socket === undefined || state.phase === 'ended' || state.phase === 'reconnecting') {
        drop()
        update({ phase: 'connecting' })
        void connect()
        return
      }
      awaitingSeek = true
      send({ type: 'seek', time })
      update({ wallclock: time })
    },
    setPaused(paused) {
      sink?.setPaused(paused)
      send({ type: paused ? 'pause' : 'resume' })
      update({ phase: paused ? 'paused' : 'playing' })
    },
    setRate(rate) {
      sink?.setRate(rate)
      send({ type: 'rate', value: rate })
      update({ rate })
    },
    step(frames) {
      if (state.phase !== 'paused') this.setPaused(true)
      send({ type: 'step', frames })
    },
    close() {
      closed = true
      drop()
      listeners.clear()
    },
  }
}
