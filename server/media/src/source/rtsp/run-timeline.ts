import { SlidingMinimum } from '../../frame/index.ts'
import { msToTicks, RtpClock } from './rtp-clock.ts'
import type { SenderReport } from './rtp-packet.ts'
import type { StreamCounters } from './stream-counters.ts'
import { comparable, TrackReports } from './track-reports.ts'

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
/** How far reports may move sound from where it arrives, once what a camera had stored at first has arrived. */
const MAX_DISTANCE_TICKS = msToTicks(2000)
const SETTLED_MS = 10_000
/** Between two comparisons of when sound and picture arrive. */
const COMPARE_EVERY_MS = 10_000
/** Without usable reports for so long, arrival decides. */
const REPORTS_DECIDE_MS = 30_000

/** The time of one track within a run that all tracks share. */
/** A camera that nobody has told the time counts from 1970 or 2000. Such reports still say how far sound and picture are apart. */
const EARLIEST_CLOCK = Date.UTC(2016, 0)

export interface TrackTimeline {
  /**
   * The presentation time in ticks of the run. Sound never goes back; pictures arrive in decoding order, so they may.
   */
  timeOf(timestamp: number, arrival: Arrival): number
  /** What the camera's own clock showed, if it has told, and has one. */
  cameraClockOf(timestamp: number): number | undefined
  /** `arrivedAt` by the monotonic clock, in milliseconds. */
  report(report: SenderReport, arrivedAt: number): void
  /** Restarts after the camera changed its RTP source: time continues with our clock. */
  restart(): void
}

interface TimedTrack {
  readonly clock: RtpClock
  readonly reports: TrackReports
  /** When its packets arrive compared with their times, in ticks. */
  readonly delay: SlidingMinimum
}

/**
 * Aligns the tracks of one run. Tracks start where their first packets arrived relative to each other; once both have
 * reported how their RTP clocks relate to the camera's clock, sound is aligned with the picture. It stays so although the
 * clocks drift apart: by further reports, or by when the packets arrive, if reports stay away or contradict each other.
 */
export class RunTimeline {
  readonly #counters: StreamCounters
  readonly #start: number
  #video: TimedTrack | undefined
  #audio: TimedTrack | undefined
  /** By how much later sound arrives than pictures while it is aligned, in ticks. */
  #usualDelay: number | undefined
  /** When reports of both tracks were last used. */
  #alignedAt = Number.NEGATIVE_INFINITY
  #soundSince: number | undefined
  #comparedAt: number | undefined

  /** `start` is time 0 of the run by the server's monotonic clock, in milliseconds. */
  constructor(counters: StreamCounters, start: number) {
    this.#counters = counters
    this.#start = start
  }

  track(kind: 'video' | 'audio', rate: number): TrackTimeline {
    const reports = new TrackReports(rate)
    const track: TimedTrack = { clock: new RtpClock(rate), reports, delay: new SlidingMinimum() }
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
          this.#synchronise(arrival.monotonic)
        }
        lastArrival = arrival.monotonic
        const jumps = track.clock.jumps
        const time = track.clock.advance(timestamp, arrival.monotonic)
        if (track.clock.jumps > jumps) {
          this.#counters.clockJumps++
          // What the camera reported before belongs to the timestamps before.
          reports.forget()
        }
        last = Math.max(last, time)
        track.delay.add(msToTicks(arrival.monotonic - this.#start) - time, arrival.monotonic)
        if (kind === 'audio') this.#compare(arrival.monotonic)
        return kind === 'video' ? time : last
      },
      cameraClockOf: (timestamp) => {
        const time = reports.cameraClockOf(timestamp)
        return time === undefined || time < EARLIEST_CLOCK ? undefined : Math.round(time)
      },
      report: (report, arrivedAt) => {
        const other = kind === 'video' ? this.#audio : this.#video
        if (!reports.take(report, arrivedAt)) other?.reports.distrust()
        this.#synchronise(arrivedAt)
      },
      restart: () => {
        needsStart = true
        reports.forget()
      },
    }
  }

  #synchronise(now: number): void {
    const [video, audio] = [this.#video, this.#audio]
    if (!video?.clock.isStarted || !audio?.clock.isStarted) return
    this.#soundSince ??= now
    const reports = comparable({ video: video.reports, audio: audio.reports }, now)
    if (reports === undefined) return
    const runStart = (track: TimedTrack, report: SenderReport): number =>
      msToTicks(report.cameraClock) - track.clock.at(report.timestamp)
    const late = runStart(audio, reports.audio) - runStart(video, reports.video)
    const distance = (audio.delay.value ?? 0) - late - (video.delay.value ?? 0)
    if (Math.abs(late) > MAX_SYNC_TICKS) return
    if (now - this.#soundSince >= SETTLED_MS && Math.abs(distance) > MAX_DISTANCE_TICKS) return
    this.#alignedAt = now
    if (Math.abs(late) >= MIN_SYNC_TICKS) moveSound(audio, late)
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
    const delay = audio.delay.value - video.delay.value
    if (now - this.#alignedAt <= REPORTS_DECIDE_MS) this.#usualDelay = delay
    this.#usualDelay ??= delay
    const late = delay - this.#usualDelay
    if (Math.abs(late) >= MIN_SYNC_TICKS && Math.abs(late) <= MAX_SYNC_TICKS) moveSound(audio, late)
  }
}

function moveSound(audio: TimedTrack, ticks: number): void {
  audio.clock.shift(ticks)
  audio.delay.shift(-ticks)
}
