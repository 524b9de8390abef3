import { randomInt } from 'node:crypto'
import { packetizeH264, packetizeH265, rtpBytes, type SentPacket } from '../codec/index.ts'
import { type AccessUnit, getPresentationTime, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import { payloadType, rtpClock } from './session-description.ts'

const REPORT_EVERY_TICKS = 5 * TICKS_PER_SECOND
const MAX_SOUND_BYTES = 1400
const SECONDS_1900_TO_1970 = 2_208_988_800
const SENDER_REPORT = 200

/** When one moment of a run was, in milliseconds since 1970: all tracks of a session share it, so that sound fits pictures. */
export interface RunAnchor {
  readonly time: number
  readonly wallClock: number
}

/** Turns a track's units into interleaved RTP packets and sender reports (RFC 2326 §10.12, RFC 3550 §6.4.1). */
export class TrackSender {
  readonly #track: TrackConfig
  readonly #type: number
  readonly #channels: readonly [number, number]
  readonly #ssrc = randomInt(2 ** 32)
  readonly #firstTimestamp = randomInt(2 ** 32)
  #sequence = randomInt(2 ** 16)
  #packets = 0
  #bytes = 0
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(track: TrackConfig, index: number, channels: readonly [number, number]) {
    this.#track = track
    this.#type = payloadType(track, index)
    this.#channels = channels
  }

  /** The bytes for the connection, two pieces for each packet; a report first when it is time for one. */
  write(unit: AccessUnit, anchor: RunAnchor): readonly Uint8Array[] {
    const timestamp = this.#timestampOf(getPresentationTime(unit))
    const packets = this.#packetize(unit)
    const report = unit.time - this.#reportedAt < REPORT_EVERY_TICKS ? [] : this.#report(unit.time, anchor)
    return [...report, ...packets.flatMap((packet) => this.#send(packet, timestamp))]
  }

  #timestampOf(time: number): number {
    const ticks = Math.round((time * rtpClock(this.#track)) / TICKS_PER_SECOND)
    return (this.#firstTimestamp + ticks) % 2 ** 32
  }

  #packetize({ units }: AccessUnit): readonly SentPacket[] {
    const { codec } = this.#track
    if (codec === 'h264') return packetizeH264(units)
    if (codec === 'h265') return packetizeH265(units)
    return units.flatMap((frame) => (codec === 'aac' ? packetizeAac(frame) : [{ payload: frame, marker: false }]))
  }

  #send({ payload, marker }: SentPacket, timestamp: number): readonly Uint8Array[] {
    const fields = { payloadType: this.#type, sequence: this.#sequence, timestamp, ssrc: this.#ssrc, marker }
    this.#sequence = (this.#sequence + 1) & 0xff_ff
    this.#packets++
    this.#bytes += payload.length
    return interleaved(this.#channels[0], rtpBytes(fields, payload))
  }

  #report(time: number, anchor: RunAnchor): readonly Uint8Array[] {
    this.#reportedAt = time
    const clock = anchor.wallClock + ((time - anchor.time) * 1000) / TICKS_PER_SECOND
    const bytes = Buffer.alloc(28)
    bytes[0] = 0x80
    bytes[1] = SENDER_REPORT
    bytes.writeUInt16BE(6, 2)
    bytes.writeUInt32BE(this.#ssrc, 4)
    bytes.writeUInt32BE((Math.floor(clock / 1000) + SECONDS_1900_TO_1970) % 2 ** 32, 8)
    bytes.writeUInt32BE(Math.floor(((clock % 1000) / 1000) * 2 ** 32), 12)
    bytes.writeUInt32BE(this.#timestampOf(time), 16)
    bytes.writeUInt32BE(this.#packets % 2 ** 32, 20)
    bytes.writeUInt32BE(this.#bytes % 2 ** 32, 24)
    return interleaved(this.#channels[1], bytes)
  }
}

/** One frame with its header of 16 bits; a large one in several packets, each of which repeats the whole size (RFC 3640 §3.2.3.1). */
function packetizeAac(frame: Uint8Array): readonly SentPacket[] {
  const header = Buffer.alloc(4)
  header.writeUInt16BE(16, 0)
  header.writeUInt16BE((frame.length << 3) & 0xff_ff, 2)
  const count = Math.ceil(frame.length / MAX_SOUND_BYTES)
  return Array.from({ length: count }, (_, at) => ({
    payload: Buffer.concat([header, frame.subarray(at * MAX_SOUND_BYTES, (at + 1) * MAX_SOUND_BYTES)]),
    marker: at === count - 1,
  }))
}

const interleaved = (channel: number, packet: Uint8Array): readonly Uint8Array[] => [
  Uint8Array.of(0x24, channel, packet.length >> 8, packet.length & 0xff),
  packet,
]
