import type { SenderReport } from './rtp-packet.ts'

/** A pair of reports is used only this long after the older one arrived. */
const FRESH_MS = 30_000
/**
 * By how much reports of two tracks may differ in when they arrived by the camera's clock and by ours: more is not the network, but a
 * clock that was set between them.
 */
const MAX_APART_MS = 1000
/** By how much a report may differ from where the one before it leads. */
const MAX_STEP_MS = 50
const MAX_DRIFT = 0.002

interface ReceivedReport extends SenderReport {
  /** By our monotonic clock, in milliseconds. */
  readonly arrivedAt: number
  /** False if it contradicts the one before it: either may be wrong, or the camera's clock was set. */
  readonly isConfirmed: boolean
}

/** What a camera reports about one track: which timestamp belongs to which time of its clock. */
export class TrackReports {
  readonly #rate: number
  #last: ReceivedReport | undefined

  constructor(rate: number) {
    this.#rate = rate
  }

  /** The newest one. */
  get last(): ReceivedReport | undefined {
    return this.#last
  }

  /** @returns whether it agrees with the one before it. */
  take(report: SenderReport, arrivedAt: number): boolean {
    const expected = this.cameraClockOf(report.timestamp)
    const elapsed = arrivedAt - (this.#last?.arrivedAt ?? arrivedAt)
    const isConfirmed =
      expected === undefined || Math.abs(report.cameraClock - expected) <= MAX_STEP_MS + elapsed * MAX_DRIFT
    this.#last = { ...report, arrivedAt, isConfirmed }
    return isConfirmed
  }

  /** The other track says that the camera's clock was set. */
  distrust(): void {
    if (this.#last !== undefined) this.#last = { ...this.#last, isConfirmed: false }
  }

  /** What was reported doesn't belong to the timestamps that follow. */
  forget(): void {
    this.#last = undefined
  }

  /** What the camera's own clock showed at a timestamp, in milliseconds since 1970. */
  cameraClockOf(timestamp: number): number | undefined {
    if (this.#last === undefined) return undefined
    return this.#last.cameraClock + (((timestamp - this.#last.timestamp) | 0) * 1000) / this.#rate
  }
}

/** The newest reports of both tracks, if they can be compared. `now` is our monotonic clock. */
export function comparable(
  { video, audio }: { readonly video: TrackReports; readonly audio: TrackReports },
  now: number,
): { readonly video: SenderReport; readonly audio: SenderReport } | undefined {
  const [ofVideo, ofAudio] = [video.last, audio.last]
  if (!ofVideo?.isConfirmed || !ofAudio?.isConfirmed) return undefined
  if (now - Math.min(ofVideo.arrivedAt, ofAudio.arrivedAt) > FRESH_MS) return undefined
  const apart = ofVideo.arrivedAt - ofVideo.cameraClock - (ofAudio.arrivedAt - ofAudio.cameraClock)
  return Math.abs(apart) <= MAX_APART_MS ? { video: ofVideo, audio: ofAudio } : undefined
}
