import type { Screen } from './screen.ts'
import type { SoundState } from './sound.ts'
import type { StreamAddress, WantedStream } from './stream-address.ts'

export type Phase =
  /** No picture of the requested position yet. */
  | 'connecting'
  | 'playing'
  /** Live pictures arrive late. */
  | 'delayed'
  /** No live pictures arrive, although the connection is there. */
  | 'stalled'
  | 'paused'
  /** Nothing was recorded at this time. */
  | 'gap'
  /** Pictures stopped, or the connection was lost; a retry is in progress. */
  | 'reconnecting'
  /** The camera is offline. */
  | 'offline'
  /** The user has no access any more, or the camera does not exist. */
  | 'refused'
  /** The end of the recordings. */
  | 'ended'
  /** This browser cannot show the stream. */
  | 'unsupported'

export interface ViewState {
  readonly phase: Phase
  /** The error code with which the server ended the stream. */
  readonly code?: number
  readonly detail?: string
  /** Time of day of the current picture, milliseconds since 1970. */
  readonly wallclock?: number
  /** Live: this browser's clock minus the server's clock when it received the picture. */
  readonly latencyMs?: number
  /** Time from opening the view to its first picture. */
  readonly firstPictureMs?: number
  /** `jpeg`: pictures that the server makes, because this browser can show none of the camera's streams. */
  readonly transport?: 'webcodecs' | 'mse' | 'jpeg'
  readonly width?: number
  readonly height?: number
  /** The codec that this browser can't show, such as `hvc1.1.6.L120.90`. */
  readonly unsupportedCodec?: string
  /** The sub-stream is shown, because this browser can't show the main stream, or the network is too slow for it. */
  readonly isSubStream?: true
  readonly isNetworkSlow?: true
  /** Undefined until a stream has started. */
  readonly sound?: SoundState
  /** Live: someone talks through the loudspeaker of the camera. */
  readonly isTalking?: boolean
  readonly pictures: number
  readonly rate: number
  /** Nothing was recorded between these times: of several cameras, around the time of the clock; of one alone, what was skipped last. */
  readonly gap?: Gap | undefined
}

/** A time without footage, milliseconds since 1970. */
export interface Gap {
  readonly from: number
  readonly till: number
}

/** Counted since the view opened, for support and for tests. */
export interface PictureStatistics {
  /** Of the stream, as it arrived. */
  readonly bytes: number
  /** Pictures that arrived and were never drawn. */
  readonly dropped: number
  /** What has arrived beyond the picture on the screen, in milliseconds of the stream. */
  readonly bufferedMs: number | undefined
}

/** One camera's picture on the screen, live or recorded. */
export interface PictureView {
  readonly state: ViewState
  /** Called after every change of `state`, at most once per picture. */
  subscribe(listener: () => void): () => void
  /** Seconds that sound lags behind its picture; undefined while no sound plays. */
  soundBehind(): number | undefined
  statistics(): PictureStatistics
  /** The current picture as a full-size PNG; undefined before the first. */
  capture(): Promise<Blob | undefined>
}

export interface ViewOptions {
  readonly screen: Screen
  /** The socket's URL with a new ticket; rejects if there is no ticket. */
  readonly address: (wanted: WantedStream) => Promise<StreamAddress>
  readonly use: 'live' | 'playback'
  /** `main` by default. */
  readonly stream?: WantedStream['stream']
  /** Live: of a main stream, `keysOfMain` decodes key pictures only, which any device can show many of. `all` by default. */
  readonly pictures?: 'all' | 'keysOfMain'
  /** Playback: start time, milliseconds since 1970. */
  readonly time?: number
}

/** A picture that comes by a connection of its own. */
export interface CameraView extends PictureView {
  seek(time: number): void
  setPaused(paused: boolean): void
  setRate(rate: number): void
  /** From 0 (muted, the initial value) to 1. Sound plays only at normal speed. */
  setVolume(volume: number): void
  /** Pauses and steps by that many frames; negative steps back. */
  step(frames: number): void
  close(): void
}

export const firstState: ViewState = { phase: 'connecting', pictures: 0, rate: 1 }

/** Without live data for this long, the connection counts as lost. */
const SILENCE_MS = 5000
/** Live pictures with this much extra latency count as delayed, and without any for so long, the picture has frozen. */
const LATE_MS = 2000

/** A browser that offers a codec and then fails this often in a row, without a picture, is treated as not offering it. */
export const MAX_DECODER_FAILURES = 3

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 8000

/** Milliseconds before the next retry, after that many failures in a row. */
export const retryDelay = (failures: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS)

/** The phase for the code with which the server ended a stream (api.md §12). */
export function phaseOfEnd(code: number): Phase {
  if (code === 0) return 'ended'
  if (code === 4 || code === 9) return 'refused'
  if (code === 14 || code === 18) return 'offline'
  return 'reconnecting'
}

/** Timing of live pictures in milliseconds; all but `latencyMs` use one clock. */
export interface LiveMeasure {
  readonly sinceBytesMs: number
  readonly sincePictureMs: number
  /** The last picture's latency and the lowest so far. Only their difference counts, because the clocks may differ. */
  readonly latencyMs: number
  readonly leastLatencyMs: number
}

export function judgeLive(measure: LiveMeasure): 'playing' | 'delayed' | 'stalled' | 'lost' {
  if (measure.sinceBytesMs > SILENCE_MS) return 'lost'
  if (measure.sincePictureMs > LATE_MS) return 'stalled'
  const late = measure.sincePictureMs + measure.latencyMs - measure.leastLatencyMs
  return late > LATE_MS ? 'delayed' : 'playing'
}

/** The name that people know a codec by: `hvc1.1.6.L120.90` is H.265 (RFC 6381). Unknown codecs keep their own name. */
export function codecName(codec = ''): string {
  const [sampleEntry = ''] = codec.split('.')
  if (sampleEntry === 'hvc1' || sampleEntry === 'hev1') return 'H.265'
  return sampleEntry === 'avc1' || sampleEntry === 'avc3' ? 'H.264' : codec
}
