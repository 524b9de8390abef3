import { setTimeout as sleep } from 'node:timers/promises'
import type { HeardDetection } from './detections.ts'

export type MeasuredMotion =
  /** How long after it began in the picture motion was reported. */
  | { readonly kind: 'measured'; readonly delayMs: number }
  /** It was reported, and nothing says when it began. */
  | { readonly kind: 'untimed' }
  | { readonly kind: 'none' }
  /** Nothing looks for motion. */
  | { readonly kind: 'unwatched' }

export interface MotionDelayDeps {
  /** Hears what is detected at the camera. */
  readonly listen: (heard: (detection: HeardDetection) => void) => Disposable
  /** Looks for motion in the pictures, to know when it began; undefined without a decoder. */
  readonly watchPictures: ((onBegin: (at: number) => void) => AsyncDisposable) | undefined
  /** How far the camera's clock is ahead of ours, in milliseconds. */
  readonly aheadMs: number
  readonly now: () => number
}

/** The camera's time is believed if it is this near to the time of arrival. */
const BELIEVED_MS = 5000
/** Motion in the picture that began longer ago is another one. */
const SAME_MOTION_MS = 15_000
/** The decoder needs some pictures before it is sure. */
const PICTURE_WAIT_MS = 3000

/**
 * Waits for motion and measures how late it was reported: against the picture in which it began where a decoder sees that, else
 * against the time that the camera names. Ends with `none` when the signal aborts.
 */
export async function measureMotion(deps: MotionDelayDeps, signal: AbortSignal): Promise<MeasuredMotion> {
  const first = Promise.withResolvers<Heard | undefined>()
  const stop = () => first.resolve(undefined)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  let seenAt: number | undefined
  await using _watch = deps.watchPictures?.((at) => {
    seenAt = at
  })
  using _listener = deps.listen((detection) => {
    if (detection.type === 'motion') first.resolve({ ...detection, heardAt: deps.now() })
  })
  const heard = await first.promise
  signal.removeEventListener('abort', stop)
  if (heard === undefined) return { kind: 'none' }
  if (heard.detectedBy === 'server') return delayOf(heard.at, heard.heardAt)
  if (deps.watchPictures !== undefined && !isSameMotion(seenAt, heard.heardAt))
    await sleep(PICTURE_WAIT_MS, undefined, { signal }).catch(() => undefined)
  if (isSameMotion(seenAt, heard.heardAt)) return delayOf(seenAt, heard.heardAt)
  const own = heard.cameraTime === undefined ? undefined : heard.cameraTime - deps.aheadMs
  return own === undefined || Math.abs(heard.heardAt - own) > BELIEVED_MS
    ? { kind: 'untimed' }
    : delayOf(own, heard.heardAt)
}

type Heard = HeardDetection & { readonly heardAt: number }

const isSameMotion = (seenAt: number | undefined, heardAt: number): seenAt is number =>
  seenAt !== undefined && Math.abs(heardAt - seenAt) < SAME_MOTION_MS

/** A camera that is faster than the decoder reports at once. */
const delayOf = (from: number, heardAt: number): MeasuredMotion => ({
  kind: 'measured',
  delayMs: Math.max(0, heardAt - from),
})
