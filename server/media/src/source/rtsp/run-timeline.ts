import { SlidingMinimum } from '../../frame/index.ts'
import { msToTicks, RtpClock } from './rtp-clock.ts'
import type { SenderReport } from './rtp-packet.ts'
import type { StreamCounters } from './stream-counters.ts'

/** When bytes arrived, by both clocks of the server. */
export interface Arrival {
  /** Milliseconds since 1970. */
  readonly wallClock: number
  /** Milliseconds; never set back. */
  readonly monotonic: number
}

/** Offsets of sound beyond this are a fault of the camera's reports, not of transport. */
const MAX_SYNC_TICKS = msToTicks(10_000)
/** Sound isn't moved for less, because each move is a tiny gap; from 40 ms on people notice (ITU-R BT.1359). */
const MIN_SYNC_TICKS = msToTicks(20)
/** Between two comparisons of when sound and picture arrive. */
const COMPARE_EVERY_MS = 10_000

/** The time of one track within a run that all tracks share. */
export interface TrackTimeline {
  /**
   * The presentation time in ticks of the run. Sound never goes back; pictures arrive in decoding order, so they may.
   */
  timeOf(timestamp: number, arrival: Arrival): number
  /** What the camera's own clock showed, if it has told. */
  cameraClockOf(timestamp: number): number | undefined
  report(report: SenderReport): void
  /** Restarts after the camera changed its RTP source: time continues with our clock. */
  restart(): void
}

interface TimedTrack {
  readonly clock: RtpClock
  readonly rate: number
  report: SenderReport | undefined
  /** When its packets arrive compared with their times, in ticks. */
  readonly delay: SlidingMinimum
}

/**
 * Aligns the tracks of one run. Tracks start where their first packets arrived relative to each other; once both have
 * reported how their RTP clocks relate to the camera's clock, sound is aligned with the picture. It stays so although the
 * clocks drift apart: by further reports, or without any by when the packets arrive.
 */
export class RunTimeline {
  readonly #counters: StreamCounters
  readonly #start: number
  #video: TimedTrack | undefined
  #audio: TimedTrack | undefined
  /** By how much later sound arrived than pictures at first, in ticks. */
  #usualDelay: number | undefined
  #comparedAt: number | undefined

  /** `start` is time 0 of the run by the server's monotonic clock, in milliseconds. */
  constructor(counters: StreamCounters, start: number) {
    this.#counters = counters
    this.#start = start
  }

  track(kind: 'video' | 'audio', rate: number): TrackTimeline {
    const track: TimedTrack = { clock: new RtpClock(rate), rate, report: undefined, delay: new SlidingMinimum() }
    if (kind === 'video') this.#video = track
    else this.#audio = track
    let last = 0
    let lastArrival: number | undefined
    let needsStart = true
    const startAt = (now: number): number =>
      lastArrival === undefined ? msToTicks(now - this.#start) : last + msToTicks(Math.max(1, now - lastArrival))
    return {
      timeOf: (timestamp, arrival) => {
        if (needsStart) {
          needsStart = false
          track.clock.start(timestamp, startAt(arrival.monotonic), arrival.monotonic)
          this.#synchronise()
        }
        lastArrival = arrival.monotonic
        const jumps = track.clock.jumps
        const time = track.clock.advance(timestamp, arrival.monotonic)
        if (track.clock.jumps > jumps) {
          this.#counters.clockJumps++
          // What the camera reported before belongs to the timestamps before.
          track.report = undefined
        }
        last = Math.max(last, time)
        track.delay.add(msToTicks(arrival.monotonic - this.#start) - time, arrival.monotonic)
        if (kind === 'audio') this.#compare(arrival.monotonic)
        return kind === 'video' ? time : last
      },
      cameraClockOf: (timestamp) => cameraClock(track, timestamp),
      report: (report) => {
        track.report = report
        this.#synchronise()
      },
      restart: () => {
        needsStart = true
        track.report = undefined
      },
    }
  }

  #synchronise(): void {
    const [video, audio] = [this.#video, this.#audio]
    if (!video?.clock.isStarted || !audio?.clock.isStarted) return
    if (video.report === undefined || audio.report === undefined) return
    const runStart = (track: TimedTrack, report: SenderReport): number =>
      msToTicks(report.cameraClock) - track.clock.at(report.timestamp)
    const late = runStart(audio, audio.report) - runStart(video, video.report)
    if (Math.abs(late) >= MIN_SYNC_TICKS && Math.abs(late) <= MAX_SYNC_TICKS) audio.clock.shift(late)
  }

  /** Sound that arrives later and later compared with pictures has a slower clock. */
  #compare(now: number): void {
    this.#comparedAt ??= now
    const [video, audio] = [this.#video, this.#audio]
    if (
      now - this.#comparedAt < COMPARE_EVERY_MS ||
      video?.delay.value === undefined ||
      audio?.delay.value === undefined
    )
      return
    this.#comparedAt = now
    if (video.report !== undefined && audio.report !== undefined) return
    const delay = audio.delay.value - video.delay.value
    this.#usualDelay ??= delay
    const late = delay - this.#usualDelay
    if (Math.abs(late) < MIN_SYNC_TICKS || Math.abs(late) > MAX_SYNC_TICKS) return
    audio.clock.shift(late)
    audio.delay.shift(-late)
  }
}

function cameraClock({ report, rate }: TimedTrack, timestamp: number): number | undefined {
  if (report === undefined) return undefined
  return Math.round(report.cameraClock + (((timestamp - report.timestamp) | 0) * 1000) / rate)
}
