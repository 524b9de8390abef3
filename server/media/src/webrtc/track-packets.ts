import { randomInt } from 'node:crypto'
import {
  H264_NAL,
  H265_NAL,
  h264NalType,
  h265NalType,
  packetizeH264,
  packetizeH265,
  rtpBytes,
  rtpClock,
  type SentPacket,
} from '../codec/index.ts'
import { type AccessUnit, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import type { ChosenTrack } from './answer.ts'
import type { SenderFigures } from './rtcp.ts'

/** Leaves room in a packet for the network's headers and the seal; browsers use the same. */
const MAX_PAYLOAD = 1180

/** A track's units as RTP packets (RFC 3550, 6184, 7798, 3551, 7587), in one numbering for as long as the viewer watches. */
export class TrackPackets {
  readonly ssrc: number
  readonly #track: TrackConfig
  readonly #type: number
  readonly #firstTimestamp = randomInt(2 ** 32)
  #sequence = randomInt(2 ** 15)
  #packets = 0
  #bytes = 0

  constructor({ track, codec }: Pick<ChosenTrack, 'track' | 'codec'>, ssrc: number) {
    this.ssrc = ssrc
    this.#track = track
    this.#type = codec.payloadType
  }

  /** `time` is when it is shown, in ticks since the start of the run. */
  write(unit: AccessUnit, time: number): readonly Uint8Array[] {
    const timestamp = this.#timestampOf(time)
    return this.#packetize(unit).map(({ payload, marker }) => {
      const fields = { payloadType: this.#type, sequence: this.#sequence, timestamp, ssrc: this.ssrc, marker }
      this.#sequence = (this.#sequence + 1) & 0xff_ff
      this.#packets++
      this.#bytes += payload.length
      return rtpBytes(fields, payload)
    })
  }

  /** `wallClock` is when `time` was, in milliseconds since 1970. */
  figures(time: number, wallClock: number): SenderFigures {
    const { ssrc } = this
    return { ssrc, wallClock, timestamp: this.#timestampOf(time), packets: this.#packets, bytes: this.#bytes }
  }

  #timestampOf(time: number): number {
    const ticks = Math.round((time * rtpClock(this.#track)) / TICKS_PER_SECOND)
    return (((this.#firstTimestamp + ticks) % 2 ** 32) + 2 ** 32) % 2 ** 32
  }

  #packetize(unit: AccessUnit): readonly SentPacket[] {
    const track = this.#track
    if (track.kind === 'audio') return unit.units.map((payload) => ({ payload, marker: false }))
    const units = withParameterSets(unit, track)
    return track.codec === 'h264' ? packetizeH264(units, MAX_PAYLOAD) : packetizeH265(units, MAX_PAYLOAD)
  }
}

/** Browsers don't read those of the session description: each key picture needs them before it. */
function withParameterSets({ units, isKey }: AccessUnit, track: Extract<TrackConfig, { kind: 'video' }>) {
  const isSet = (nal: Uint8Array) =>
    track.codec === 'h264' ? h264NalType(nal) === H264_NAL.sps : h265NalType(nal) === H265_NAL.sps
  return isKey && !units.some(isSet) ? [...track.parameterSets, ...units] : units
}
