import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamMessage, TrackConfig } from '../frame/index.ts'
import { type CameraFault, type CameraFaultKind, fault } from './camera-fault.ts'
import type { CameraHabits } from './camera-habits.ts'
import { RejectedPasswords } from './rejected-passwords.ts'

/** What happens to a camera's connection, for the state in the database and the alert. */
export type CameraState =
  | { readonly kind: 'connecting'; readonly attempt: number }
  | { readonly kind: 'online'; readonly tracks: readonly TrackConfig[] }
  | { readonly kind: 'offline'; readonly cause: CameraFault; readonly retryInMs: number }

export interface CameraSessionOptions {
  /** One run of the stream: publishes until it fails, and says why. Must end soon after its signal aborts. */
  readonly play: (
    publish: (message: Exclude<StreamMessage, { kind: 'ended' }>) => void,
    signal: AbortSignal,
  ) => Promise<CameraFault>
  readonly publish: (message: StreamMessage) => void
  readonly onState: (state: CameraState) => void
  readonly signal: AbortSignal
  /** Rejections of the password are counted here, and those that were counted earlier still hold. */
  readonly habits?: CameraHabits | undefined
  /** A number from 0 up to 1; `Math.random` unless a test passes its own. */
  readonly random?: () => number
  /** Resolves after the time or as soon as the signal aborts; never rejects. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds; never set back. */
  readonly monotonic?: () => number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

const FIRST_RETRY_MS = 500
const JITTER = 0.2
/**
 * A run with pictures for this long resets the retry delay, so a camera that drops each connection immediately isn't
 * retried sooner.
 */
const STEADY_RUN_MS = 10_000

/**
 * R4: at most 10 s between tries, with jitter. An unreachable camera should be back within 3 s, and a try costs one
 * packet; one that answers wrongly would answer wrongly again.
 */
const MAX_RETRY_MS: Readonly<Record<Exclude<CameraFaultKind, 'credentialsIncorrect'>, number>> = {
  unreachable: 2000,
  closed: 2000,
  silent: 2000,
  damaged: 2000,
  timeout: 2000,
  desync: 5000,
  badReply: 8000,
  noVideo: 8000,
  unsupportedCodec: 8000,
  authenticationUnsupported: 8000,
  streamNotFound: 8000,
  redirected: 8000,
  transportUnsupported: 8000,
  busy: 8000,
  addressRefused: 8000,
  certificateChanged: 8000,
  overloaded: 8000,
}

const MINUTE_MS = 60_000
/**
 * Cameras lock the address of a viewer that repeats a wrong password, some for half an hour, and then the owner is locked out too.
 * Other credentials open another session, which tries at once.
 */
const REJECTED_RETRY_MS = [FIRST_RETRY_MS, 2 * FIRST_RETRY_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS] as const

/**
 * Milliseconds before the next try after such a fault. `attempt`: of how many faults in a row this one is the last, after
 * a wrong password of how many wrong passwords; `random` from 0 up to 1.
 */
export function retryDelay(attempt: number, kind: CameraFaultKind, random: number): number {
  const doubled = FIRST_RETRY_MS * 2 ** Math.min(attempt - 1, 10)
  const delay =
    kind === 'credentialsIncorrect'
      ? (REJECTED_RETRY_MS[Math.min(attempt, REJECTED_RETRY_MS.length) - 1] ?? 0)
      : Math.min(doubled, MAX_RETRY_MS[kind])
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random))
}

const REJECTED_EARLIER = fault('credentialsIncorrect', 'the camera rejected the user name and password earlier')

/**
 * Keeps one camera connected until `signal` aborts. Each run that brought tracks is closed by an 'ended'; that of the last
 * one names the reason of the signal if it is a text.
 */
export async function keepCameraConnected(options: CameraSessionOptions): Promise<void> {
  const { play, publish, onState, signal, random = Math.random, wait = waitOrAbort } = options
  const monotonic = options.monotonic ?? (() => performance.now())
  const rejected = new RejectedPasswords(options.habits ?? {}, 'rejections', options.now)
  const retries = new Retries()
  if (rejected.leftMs > 0) {
    const { leftMs } = rejected
    onState({ kind: 'offline', cause: REJECTED_EARLIER, retryInMs: leftMs })
    await wait(leftMs, signal)
  }
  while (!signal.aborted) {
    onState({ kind: 'connecting', attempt: retries.faults })
    let onlineAt: number | undefined
    const cause = await play((message) => {
      if (message.kind === 'tracks') {
        onlineAt ??= monotonic()
        rejected.clear()
        onState({ kind: 'online', tracks: message.tracks })
      }
      publish(message)
    }, signal)
    if (onlineAt !== undefined) publish({ kind: 'ended', cause: reasonGiven(signal) ?? cause.kind })
    const onlineMs = onlineAt === undefined ? undefined : monotonic() - onlineAt
    const faults = retries.count(onlineMs)
    const isRejected = cause.kind === 'credentialsIncorrect'
    const retryInMs = retryDelay(isRejected ? rejected.count + 1 : faults, cause.kind, random())
    if (isRejected) rejected.add(retryInMs)
    if (signal.aborted) return
    onState({ kind: 'offline', cause, retryInMs })
    await wait(retryInMs, signal)
  }
}

/** Counts the tries that failed. */
class Retries {
  faults = 0

  /** The number of this fault. `onlineMs`: how long there were pictures before it. */
  count(onlineMs: number | undefined): number {
    if (onlineMs !== undefined && onlineMs >= STEADY_RUN_MS) this.faults = 0
    this.faults++
    return this.faults
  }
}

/** If we close a connection, our reason is the cause, not the camera's. */
function reasonGiven(signal: AbortSignal): string | undefined {
  return signal.aborted && typeof signal.reason === 'string' ? signal.reason : undefined
}

async function waitOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch {
    // Aborted: the loop above sees it and ends.
  }
}
