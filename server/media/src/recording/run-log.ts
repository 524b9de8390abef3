/** What the recorder reports to the catalogue: runs in slices of at most one hour, and why each ended. */
export type StreamName = 'main' | 'sub'

/** Which recordings: one stream of one camera of one account. */
export interface StreamKey {
  readonly accountId: number
  readonly cameraId: number
  readonly stream: StreamName
}

const RUN_ENDS = [
  'parameters',
  'cameraOffline',
  'network',
  'disk',
  'schedule',
  'mode',
  'restart',
  'clock',
  'stopped',
  'takeover',
  'database',
  'noEvent',
  'deleted',
] as const

/** Why the footage stops. `parameters` closes only a segment: the run continues. */
export type RunEnd = (typeof RUN_ENDS)[number]

export const isRunEnd = (text: unknown): text is RunEnd => RUN_ENDS.some((end) => end === text)

/** Sources name the fault; the catalog needs its cause category. */
const OFFLINE = new Set([
  'unreachable',
  'timeout',
  'silent',
  'credentialsIncorrect',
  'authenticationUnsupported',
  'certificateChanged',
  'streamNotFound',
  'redirected',
  'transportUnsupported',
  'busy',
  'noVideo',
  'unsupportedCodec',
])

export function causeOfEnd(cause: string): RunEnd {
  if (isRunEnd(cause)) return cause
  if (cause === 'overloaded') return 'stopped'
  return OFFLINE.has(cause) ? 'cameraOffline' : 'network'
}

/** A piece of a run inside one hour (UTC). Times in milliseconds since 1970. */
export interface RunSlice extends StreamKey {
  /** 32 hexadecimal digits, the same in every segment of the run. */
  readonly runId: string
  readonly kind: 'continuous' | 'event'
  /** Missing for footage of the camera's stream. */
  readonly origin?: 'card'
  readonly start: number
  readonly end: number
  readonly bytes: number
  readonly parts: number
}

/** Why footage was deleted: too old, more than the account or the disk has room for, or because somebody wanted it. */
export type DeletionReason = 'retention' | 'quota' | 'space' | 'user' | 'erasure'

export interface DeletedRange {
  readonly reason: DeletionReason
  readonly start: number
  readonly end: number
  readonly bytes: number
}

/**
 * Records runs. Calls neither wait nor throw: recording continues while the database is down, and the next start
 * recovers unreported runs from the files ({@link RunLog.replace}).
 */
export interface RunLog {
  /** A slice begins: the first of a run, or the next hour of one. */
  runStarted(slice: RunSlice): void
  /** It is longer now; at most about once in five seconds for a stream. */
  runGrew(slice: RunSlice): void
  /** Its final extent. Without `why` the run continues in the next slice. */
  runEnded(slice: RunSlice, why: RunEnd | undefined): void
  /**
   * From this time on (milliseconds since 1970) footage should have been recorded but couldn't be: the reason for the
   * gap if no run ends there.
   */
  notRecorded(stream: StreamKey, from: number, why: RunEnd): void
  /** Footage that is gone, oldest first. */
  deleted(stream: StreamKey, ranges: readonly DeletedRange[]): void
  /** Until when this log can be trusted for a stream; undefined if it knows nothing. */
  knownUntil(stream: StreamKey): Promise<number | undefined>
  /** Replaces the log's content from `from` on with the files'. */
  replace(stream: StreamKey, from: number, slices: readonly FinishedSlice[]): Promise<void>
  /** It doesn't answer: what it doesn't know yet is read from the files once it does and they are `settled`. */
  readLater(stream: StreamKey, settled: Promise<void>): void
}

export interface FinishedSlice extends RunSlice {
  readonly why: RunEnd | undefined
}
