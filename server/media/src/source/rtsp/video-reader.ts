import type { AccessUnit } from '../../frame/index.ts'
import { DecodeClock } from './decode-clock.ts'
import { NalWriter } from './nal-writer.ts'
import { ParameterSetTracker, type VideoFormat, type VideoTrack } from './parameter-sets.ts'
import type { RtpPacket, SenderReport } from './rtp-packet.ts'
import type { Arrival, TrackTimeline } from './run-timeline.ts'
import { SequenceWatch } from './sequence-watch.ts'
import type { StreamCounters } from './stream-counters.ts'

export interface VideoReaderOptions {
  readonly format: VideoFormat
  /** From the session description; may be empty. */
  readonly parameterSets: readonly Uint8Array[]
  readonly timeline: TrackTimeline
  readonly counters: StreamCounters
  /** The memory of pictures is written to again once nobody holds it. */
  readonly reusesMemory?: boolean
  /** `changed`: the track differs from the previous one; always set with the first picture. */
  readonly picture: (unit: AccessUnit, track: VideoTrack, changed: boolean) => void
}

interface UnitContent {
  readonly units: AccessUnit['units']
  readonly memory: AccessUnit['memory'] | undefined
}

type UnitInMaking = { -readonly [Field in keyof AccessUnit]: AccessUnit[Field] }

/** This many pictures must have ended with the marker bit before it is trusted. */
const MARKER_TRIAL = 8

/**
 * Assembles the RTP packets of one video track into pictures. Starts with a key picture; after a damaged picture
 * nothing is passed on before the next key picture.
 *
 * A picture ends where the timestamp changes. The marker bit shows this one picture earlier, but some cameras also set
 * it on other packets: it is trusted after it was right a few times, and never again once it was wrong.
 */
export class VideoReader {
  readonly #options: VideoReaderOptions
  readonly #writer: NalWriter
  readonly #sequence = new SequenceWatch()
  readonly #sets: ParameterSetTracker
  readonly #clock = new DecodeClock()
  #latestShown = -1
  #ssrc: number | undefined
  #timestamp: number | undefined
  #arrival: Arrival = { wallClock: 0, monotonic: 0 }
  #isDamaged = false
  /** Packets were lost just before this picture: it may lack its first slices. */
  #headMayBeLost = false
  /** Of a picture already counted as dropped, when its beginning was. */
  #countedTimestamp: number | undefined
  #waitsForKey = true
  /** Pictures were lost or damaged since the last one that was passed on. */
  #hasLoss = false
  #hasJump = false
  #isFirst = true
  #setsChanged = false
  #rightMarkers = 0
  #sawMarker = false
  /** A picture with this timestamp was passed on or dropped. */
  #hasEnded = false

  constructor(options: VideoReaderOptions) {
    this.#options = options
    this.#writer = new NalWriter(options.reusesMemory)
    this.#sets = new ParameterSetTracker(options.format)
    this.#sets.take(options.parameterSets)
  }

  report(report: SenderReport, arrivedAt: number): void {
    // The first report may come before the first packet.
    this.#ssrc ??= report.ssrc
    if (report.ssrc === this.#ssrc) this.#options.timeline.report(report, arrivedAt)
  }

  /** False for a packet that can't belong to a picture: repeated, damaged, or out of place. */
  packet(packet: RtpPacket, arrival: Arrival): boolean {
    if (packet.ssrc !== this.#ssrc) this.#restart(packet.ssrc)
    const missing = this.#sequence.missingBefore(packet.sequence)
    if (missing < 0) return false
    if (missing > 0) this.#lose(missing)
    // Without content it is only a number.
    if (packet.payload.length === 0) return true
    if (packet.timestamp !== this.#timestamp) this.#begin(packet.timestamp, arrival)
    else if (this.#sawMarker && this.#isNextPicture(packet.payload)) this.#begin(packet.timestamp, arrival)
    else if (this.#sawMarker) this.#distrustMarker()
    const isSound = this.#options.format.depacketize(packet.payload, this.#writer)
    if (!isSound) {
      this.#options.counters.badPackets++
      this.#isDamaged = true
    }
    if (this.#writer.overflowed) this.#isDamaged = true
    this.#sawMarker = packet.marker
    if (packet.marker && this.#rightMarkers >= MARKER_TRIAL) this.#finish()
    return isSound
  }

  /** A packet of another payload type, which may have a number among ours. */
  skip({ ssrc, sequence }: RtpPacket): void {
    if (ssrc === this.#ssrc) this.#sequence.skip(sequence)
  }

  #restart(ssrc: number): void {
    if (this.#ssrc !== undefined) {
      this.#lose(0)
      this.#options.timeline.restart()
    }
    this.#ssrc = ssrc
    this.#sequence.restart()
  }

  #lose(packets: number): void {
    this.#options.counters.lostPackets += packets
    if (packets > 0) this.#hasLoss = true
    if (this.#writer.units.length > 0 || this.#writer.isInsideUnit) {
      this.#options.counters.droppedPictures++
      this.#countedTimestamp = this.#timestamp
    }
    this.#writer.clear()
    this.#isDamaged = false
    this.#waitsForKey = true
    this.#headMayBeLost = true
    // The rest of this picture is without its beginning.
    this.#timestamp = undefined
    this.#sawMarker = false
  }

  /** Some cameras give two pictures the same timestamp: the marker ended the first. */
  #isNextPicture(payload: Uint8Array): boolean {
    const { isSlice, startsUnit } = this.#options.format
    return (this.#hasEnded || this.#writer.units.some(isSlice)) && startsUnit(payload)
  }

  /** The marker came before the picture's end. If the picture was passed on by then, it was incomplete. */
  #distrustMarker(): void {
    if (this.#rightMarkers >= MARKER_TRIAL) this.#isDamaged = true
    this.#rightMarkers = Number.NEGATIVE_INFINITY
  }

  #begin(timestamp: number, arrival: Arrival): void {
    if (this.#sawMarker) this.#rightMarkers++
    this.#finish()
    this.#hasEnded = false
    this.#timestamp = timestamp
    this.#arrival = arrival
  }

  /** Ends the picture collected so far. Units that belong to no slice yet (delimiter, SEI, parameter sets) wait for the next one. */
  #finish(): void {
    const { format, timeline, counters } = this.#options
    const timestamp = this.#timestamp
    const firstSlice = this.#writer.units.find(format.isSlice)
    const isCut = this.#isDamaged || this.#writer.isInsideUnit
    if (timestamp === undefined || (firstSlice === undefined && !isCut)) return
    const hasHead = firstSlice !== undefined && (!this.#headMayBeLost || format.startsPicture(firstSlice))
    const { memory } = this.#writer
    const units = this.#writer.take()
    this.#hasEnded = true
    this.#isDamaged = false
    this.#headMayBeLost = false
    // The clock follows every picture, also those not passed on.
    const jumps = counters.clockJumps
    const shown = timeline.timeOf(timestamp, this.#arrival)
    if (counters.clockJumps > jumps) this.#hasJump = true
    if (hasHead && !isCut) this.#pass({ units, memory }, timestamp, shown)
    else this.#drop(timestamp)
  }

  #drop(timestamp: number): void {
    // Waiting for a key picture after a restart of the camera loses nothing on the way.
    if (!this.#waitsForKey) this.#hasLoss = true
    this.#waitsForKey = true
    if (!this.#isFirst && timestamp !== this.#countedTimestamp) this.#options.counters.droppedPictures++
  }

  /** Passes a whole picture on, if a decoder can do something with it. */
  #pass(content: UnitContent, timestamp: number, shownAt: number): void {
    const { format, picture } = this.#options
    const { units } = content
    if (this.#sets.take(units)) this.#setsChanged = true
    const recovery = format.recovery(units)
    const isKey = recovery !== undefined
    const track = this.#sets.track
    if (track === undefined || (this.#waitsForKey && !isKey)) {
      this.#drop(timestamp)
      return
    }
    const isAfterLoss = this.#hasLoss && !this.#isFirst
    const changed = this.#isFirst || (isKey && this.#setsChanged)
    if (changed) this.#clock.announce(this.#sets.reorderDepth)
    if (this.#waitsForKey) this.#clock.restart()
    this.#waitsForKey = false
    this.#isFirst = false
    if (changed) this.#setsChanged = false
    const unit = this.#unitOf(content, timestamp, shownAt)
    unit.isKey = isKey
    if (recovery !== undefined && recovery > 0) unit.recovery = recovery
    if (isAfterLoss) unit.followsLoss = true
    if (this.#hasJump) unit.followsJump = true
    this.#hasLoss = false
    this.#hasJump = false
    picture(unit, track, changed)
  }

  /** Field by field: spreading what may be absent took longer than copying the picture. */
  #unitOf({ units, memory }: UnitContent, timestamp: number, shownAt: number): UnitInMaking {
    const { decoded: time, shown } = this.#clock.timesOf(shownAt)
    if (shown < this.#latestShown) this.#options.counters.reorderedPictures++
    else this.#latestShown = shown
    const unit: UnitInMaking = { kind: 'video', time, wallClock: this.#arrival.wallClock, isKey: false, units }
    if (memory !== undefined) unit.memory = memory
    if (shown !== time) unit.compositionOffset = shown - time
    const cameraClock = this.#options.timeline.cameraClockOf(timestamp)
    if (cameraClock !== undefined) unit.cameraClock = cameraClock
    return unit
  }
}
