import { randomInt } from 'node:crypto'
import type { AccessUnit, StreamMessage, TrackConfig } from '../../frame/index.ts'
import { type CameraFault, fault, quoted } from '../camera-fault.ts'
import { AudioReader } from './audio-reader.ts'
import type { MediaChoice } from './media-choice.ts'
import type { VideoTrack } from './parameter-sets.ts'
import { ReceptionStatistics } from './receiver-report.ts'
import { parseRtp, parseSenderReport, type RtpPacket, type SenderReport } from './rtp-packet.ts'
import { type Arrival, RunTimeline } from './run-timeline.ts'
import type { StreamCounters } from './stream-counters.ts'
import { VideoReader } from './video-reader.ts'

export interface SilenceLimits {
  /** No packet of the picture for so long ends the connection (R4). */
  readonly silentMs: number
  /** Packets, but no key picture for so long: cameras with long groups of pictures need up to 20 s. */
  readonly firstPictureMs: number
  /** A camera that sends only one key picture is connected again for another one, so that footage begins with one now and then. */
  readonly nextKeyMs: number
}

/** How the packets of a track come. */
export interface OpenTrack {
  /** The number of the channel of RTP; RTCP has the next one. */
  readonly channel: number
  /** The source that the camera announced, if it did. */
  readonly ssrc: number | undefined
  /** Sends a report to the camera. */
  readonly report: (bytes: Uint8Array) => void
}

interface Channel extends OpenTrack {
  /** Usable packets of pictures show that the camera is alive; sound doesn't. */
  readonly isPicture: boolean
  readonly payloadType: number
  readonly statistics: ReceptionStatistics
  readonly reader: VideoReader | AudioReader
  /** When the announced source was heard last. */
  heardAt: number
}

/** The limit of consecutive packets that aren't RTP; a single one is ignored. */
const MAX_BAD_PACKETS_RUNNING = 10
/** The time of PLAY in its run: pictures before the first one shown may have to be decoded, and no time is below 0. */
const RUN_LEAD_MS = 1000
/** Some cameras announce a source that they don't send from. */
const ANNOUNCED_SOURCE_MS = 1000
const MAX_SSRC = 0xff_ff_ff_ff

/** Routes packets to the readers of the tracks, and their units out. */
export class PlayedStream {
  readonly #counters: StreamCounters
  readonly #publish: (message: Exclude<StreamMessage, { kind: 'ended' }>) => void
  readonly #channels = new Map<number, Channel>()
  readonly #tracks: { video?: OpenTrack; audio?: OpenTrack } = {}
  readonly #ssrc = randomInt(MAX_SSRC)
  readonly #reusesMemory: boolean
  #badRunning = 0
  #startedAt = 0
  #lastPacketAt = 0
  #lastKeyAt = 0
  #audioTrack: TrackConfig | undefined
  #hasPicture = false

  constructor(
    counters: StreamCounters,
    publish: (message: Exclude<StreamMessage, { kind: 'ended' }>) => void,
    reusesMemory = false,
  ) {
    this.#counters = counters
    this.#publish = publish
    this.#reusesMemory = reusesMemory
  }

  /** SETUP opened this track. */
  open(kind: 'video' | 'audio', track: OpenTrack): void {
    this.#tracks[kind] = track
  }

  /** Just before PLAY. Packets may come before its reply. */
  begin({ video, audio }: MediaChoice): void {
    this.#startedAt = performance.now()
    this.#lastPacketAt = this.#startedAt
    const counters = this.#counters
    const timeline = new RunTimeline(counters, this.#startedAt - RUN_LEAD_MS)
    const pictures = new VideoReader({
      format: video.format,
      parameterSets: video.parameterSets,
      timeline: timeline.track('video', video.media.clockRate),
      counters,
      reusesMemory: this.#reusesMemory,
      picture: (unit, track, changed) => this.#picture(unit, track, changed),
    })
    this.#listen('video', video.media.payloadType, pictures)
    if (audio === undefined || this.#tracks.audio === undefined) return
    this.#audioTrack = audio.track
    const sounds = new AudioReader({
      depacketize: audio.depacketize,
      timeline: timeline.track('audio', audio.media.clockRate),
      counters,
      frame: (unit) => this.#sound(unit),
    })
    this.#listen('audio', audio.media.payloadType, sounds)
  }

  /** Data on channels that nobody set up is ignored: some servers send that of an earlier session. */
  onPacket(number: number, bytes: Uint8Array, arrival: Arrival): CameraFault | undefined {
    const channel = this.#channels.get(number)
    if (channel === undefined) {
      const report = this.#channels.has(number - 1) ? parseSenderReport(bytes) : undefined
      if (report !== undefined) this.#report(number - 1, report, arrival)
      return undefined
    }
    const packet = parseRtp(bytes)
    if (packet === undefined) return this.#bad(number)
    this.#badRunning = 0
    if (!isFromItsSource(channel, packet, arrival)) return undefined
    channel.statistics.take(packet)
    if (packet.payloadType !== channel.payloadType) {
      channel.reader.skip(packet)
      return undefined
    }
    this.#counters.packets++
    this.#counters.bytes += bytes.length
    const isUsable = channel.reader.packet(packet, arrival)
    if (isUsable && channel.isPicture) this.#lastPacketAt = arrival.monotonic
    return undefined
  }

  /** Reports to the camera how its packets arrive. */
  sendReports(): void {
    for (const { statistics, report } of this.#channels.values()) {
      const bytes = statistics.report(this.#ssrc)
      if (bytes !== undefined) report(bytes)
    }
  }

  /** What is wrong if the picture is missing for too long. */
  silence({ silentMs, firstPictureMs, nextKeyMs }: SilenceLimits): CameraFault | undefined {
    const now = performance.now()
    if (now - this.#lastPacketAt >= silentMs) return fault('silent', `no usable video packet for ${silentMs} ms`)
    if (!this.#hasPicture && now - this.#startedAt >= firstPictureMs) {
      return fault('noVideo', `video packets, but no keyframe for ${firstPictureMs} ms`)
    }
    if (this.#hasPicture && now - this.#lastKeyAt >= nextKeyMs)
      return fault('noVideo', `no other keyframe for ${nextKeyMs} ms`)
    return undefined
  }

  #report(number: number, report: SenderReport, { monotonic }: Arrival): void {
    this.#channels.get(number)?.reader.report(report, monotonic)
  }

  #listen(kind: 'video' | 'audio', payloadType: number, reader: VideoReader | AudioReader): void {
    const track = this.#tracks[kind]
    if (track === undefined) return
    this.#channels.set(track.channel, {
      ...track,
      isPicture: kind === 'video',
      payloadType,
      statistics: new ReceptionStatistics(),
      reader,
      heardAt: this.#startedAt,
    })
  }

  #bad(channel: number): CameraFault | undefined {
    this.#counters.badPackets++
    this.#badRunning++
    if (this.#badRunning < MAX_BAD_PACKETS_RUNNING) return undefined
    return fault(
      'desync',
      `${this.#badRunning} consecutive packets on channel ${quoted(String(channel))} are not RTP version 2`,
    )
  }

  #picture(unit: AccessUnit, track: VideoTrack, changed: boolean): void {
    this.#hasPicture = true
    if (unit.isKey) this.#lastKeyAt = performance.now()
    if (changed)
      this.#publish({ kind: 'tracks', tracks: [track, ...(this.#audioTrack === undefined ? [] : [this.#audioTrack])] })
    this.#publish({ kind: 'unit', unit, track: 0 })
  }

  #sound(unit: AccessUnit): void {
    if (this.#hasPicture) this.#publish({ kind: 'unit', unit, track: 1 })
  }
}

/**
 * live555 sends data of an earlier session into a connection for up to 65 s. As long as the announced source is heard,
 * packets of others are ignored; without it they are accepted.
 */
function isFromItsSource(channel: Channel, { ssrc }: RtpPacket, { monotonic }: Arrival): boolean {
  if (channel.ssrc === undefined) return true
  if (ssrc === channel.ssrc) channel.heardAt = monotonic
  return ssrc === channel.ssrc || monotonic - channel.heardAt >= ANNOUNCED_SOURCE_MS
}
