import type { AccessUnit } from '../../frame/index.ts'
import type { DepacketizeAudio } from './depacketize-audio.ts'
import type { RtpPacket, SenderReport } from './rtp-packet.ts'
import type { Arrival, TrackTimeline } from './run-timeline.ts'
import { SequenceWatch } from './sequence-watch.ts'
import type { StreamCounters } from './stream-counters.ts'

export interface AudioReaderOptions {
  readonly depacketize: DepacketizeAudio
  readonly timeline: TrackTimeline
  readonly counters: StreamCounters
  readonly frame: (unit: AccessUnit) => void
}

/** Extracts the frames from the RTP packets of one audio track. A lost packet costs only its own content. */
export class AudioReader {
  readonly #options: AudioReaderOptions
  readonly #sequence = new SequenceWatch()
  #ssrc: number | undefined
  #lastTime = -1

  constructor(options: AudioReaderOptions) {
    this.#options = options
  }

  report(report: SenderReport, arrivedAt: number): void {
    // The first report may come before the first packet.
    this.#ssrc ??= report.ssrc
    if (report.ssrc === this.#ssrc) this.#options.timeline.report(report, arrivedAt)
  }

  /** False for a packet without usable sound. */
  packet(packet: RtpPacket, arrival: Arrival): boolean {
    const { timeline, counters } = this.#options
    if (packet.ssrc !== this.#ssrc) {
      if (this.#ssrc !== undefined) timeline.restart()
      this.#ssrc = packet.ssrc
      this.#sequence.restart()
    }
    const missing = this.#sequence.missingBefore(packet.sequence)
    if (missing < 0) return false
    counters.lostPackets += missing
    const frames = this.#options.depacketize(packet.payload)
    if (frames === undefined) counters.badPackets++
    for (const frame of frames ?? []) this.#emit(frame.bytes, (packet.timestamp + frame.offset) >>> 0, arrival)
    return frames !== undefined
  }

  /** A packet of another payload type, which may have a number among ours. */
  skip({ ssrc, sequence }: RtpPacket): void {
    if (ssrc === this.#ssrc) this.#sequence.skip(sequence)
  }

  #emit(bytes: Uint8Array, timestamp: number, arrival: Arrival): void {
    const time = this.#options.timeline.timeOf(timestamp, arrival)
    // After sound was moved back to its picture, a few frames would overlap earlier ones.
    if (time <= this.#lastTime) return
    this.#lastTime = time
    const cameraClock = this.#options.timeline.cameraClockOf(timestamp)
    this.#options.frame({
      kind: 'audio',
      time,
      wallClock: arrival.wallClock,
      isKey: true,
      // Copied out of the socket's buffer, which is used again. (Not by slice: that of a Buffer is a view.)
      units: [Uint8Array.from(bytes)],
      ...(cameraClock === undefined ? {} : { cameraClock }),
    })
  }
}
