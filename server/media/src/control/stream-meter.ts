import { type AccessUnit, TICKS_PER_SECOND } from '../frame/index.ts'
import type { Hub } from '../hub/index.ts'

/** How a camera's pictures came while it was measured. */
export interface MeasuredStream {
  readonly pictures: number
  /** The longest time between two keyframes, or since the last one if that is longer; undefined if too few pictures came. */
  readonly keyframeMs: number | undefined
  /** How much later than at best nearly all pictures came; undefined with too few. */
  readonly jitterMs: number | undefined
}

const TICKS_PER_MS = TICKS_PER_SECOND / 1000
/** Of the pictures; the latest ones are left out. */
const NEARLY_ALL = 0.95
const MIN_PICTURES = 20
/** Pictures that end sooner after a keyframe say nothing about the next one. */
const TELLING_MS = 5000

/** Measures pictures as they come: how far keyframes are apart, and how evenly pictures arrive. */
export class StreamMeter {
  readonly #from: number
  readonly #lateness: number[] = []
  #pictures = 0
  #key: { readonly time: number; readonly isMeasured: boolean } | undefined
  #lastTime = 0
  /** Between keyframes that both came during the measurement. */
  #longestMs: number | undefined
  /** From the last keyframe before it: a camera may have been set otherwise since. */
  #earlierMs: number | undefined

  /** `from`, milliseconds since 1970: what arrived before tells where keyframes are, and not how pictures arrive. */
  constructor(from: number) {
    this.#from = from
  }

  /** Whether two keyframes came. */
  get hasInterval(): boolean {
    return (this.#longestMs ?? this.#earlierMs) !== undefined
  }

  add({ time, wallClock, isKey }: Pick<AccessUnit, 'time' | 'wallClock' | 'isKey'>): void {
    if (isKey) {
      if (this.#key !== undefined) this.#addInterval(this.#key, (time - this.#key.time) / TICKS_PER_MS)
      this.#key = { time, isMeasured: wallClock >= this.#from }
    }
    this.#lastTime = time
    if (wallClock < this.#from) return
    this.#pictures++
    this.#lateness.push(wallClock - time / TICKS_PER_MS)
  }

  #addInterval({ isMeasured }: { readonly isMeasured: boolean }, ms: number): void {
    if (isMeasured) this.#longestMs = Math.max(this.#longestMs ?? 0, ms)
    else this.#earlierMs = Math.max(this.#earlierMs ?? 0, ms)
  }

  /** The times start again. */
  restart(): void {
    this.#key = undefined
    this.#lateness.length = 0
  }

  get result(): MeasuredStream {
    const running = this.#key === undefined ? 0 : (this.#lastTime - this.#key.time) / TICKS_PER_MS
    const longest = Math.max(this.#longestMs ?? this.#earlierMs ?? 0, running)
    const sorted = this.#lateness.toSorted((one, other) => one - other)
    const [least] = sorted
    const late = sorted[Math.floor((sorted.length - 1) * NEARLY_ALL)]
    const isEnough = sorted.length >= MIN_PICTURES && least !== undefined && late !== undefined
    return {
      pictures: this.#pictures,
      keyframeMs: this.hasInterval || running >= TELLING_MS ? Math.round(longest) : undefined,
      jitterMs: isEnough ? Math.round(late - least) : undefined,
    }
  }
}

export interface MeasuringTimes {
  /** A shorter measurement says little about loss and jitter. */
  readonly atLeastMs: number
  /** A camera whose keyframes are further apart isn't waited for. */
  readonly atMostMs: number
}

const QUEUE_BYTES = 8 * 1024 * 1024

/** Follows a stream as one more viewer, which costs no decoding, until enough is known of it or the signal aborts. */
export async function measureStream(
  hub: Hub,
  { atLeastMs, atMostMs }: MeasuringTimes,
  signal: AbortSignal,
): Promise<MeasuredStream> {
  const meter = new StreamMeter(Date.now())
  const startedAt = performance.now()
  await using reader = hub.join({ maxQueuedBytes: QUEUE_BYTES, start: 'running-gop' })
  const leave = () => reader.leave()
  const timer = setTimeout(leave, atMostMs)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  let video = -1
  try {
    for (let message = await reader.next(); message !== undefined; message = await reader.next()) {
      if (message.kind === 'tracks') {
        meter.restart()
        video = message.tracks.findIndex(({ kind }) => kind === 'video')
      } else if (message.kind === 'unit' && message.track === video) meter.add(message.unit)
      if (meter.hasInterval && performance.now() - startedAt >= atLeastMs) break
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
  return meter.result
}
