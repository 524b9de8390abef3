import { randomInt } from 'node:crypto'
import { packetizeH264, packetizeH265, rtpBytes, rtpClock, type SentPacket } from '../codec/index.ts'
import { type AccessUnit, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import { writeNtp } from './ntp-time.ts'
import { type ReplayFields, replayExtension } from './replay-extension.ts'
import { payloadType } from './session-description.ts'

const REPORT_EVERY_TICKS = 5 * TICKS_PER_SECOND
const MAX_SOUND_BYTES = 1400
const SENDER_REPORT = 200
const BYE = 203

/** When one moment of a session was, in milliseconds since 1970: all tracks share it, so that sound fits pictures. */
export interface SessionAnchor {
  /** Ticks of the session. */
  readonly time: number
  readonly wallClock: number
}

/** A unit with its times in the session, in ticks: when it is decoded and when it is shown. */
export interface SentUnit {
  readonly unit: AccessUnit
  readonly decode: number
  readonly shown: number
  /** In the packet's extension; left out by default. */
  readonly replay?: ReplayFields | undefined
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

  /** Of the packet that is sent next. */
  get sequence(): number {
    return this.#sequence
  }

  /** Of RTP, at a time of the session. */
  timestampAt(time: number): number {
    const ticks = Math.round((time * rtpClock(this.#track)) / TICKS_PER_SECOND)
    return (((this.#firstTimestamp + ticks) % 2 ** 32) + 2 ** 32) % 2 ** 32
  }

  /** The next unit comes with a report, because it continues at another time. */
  reportSoon(): void {
    this.#reportedAt = Number.NEGATIVE_INFINITY
  }

  /** The bytes for the connection, in whole packets; a report first when it is time for one. */
  write({ unit, decode, shown, replay }: SentUnit, anchor: SessionAnchor): readonly Uint8Array[] {
    const timestamp = this.timestampAt(shown)
    const packets = this.#packetize(unit)
    const report = decode - this.#reportedAt < REPORT_EVERY_TICKS ? [] : this.#report(decode, anchor)
    const [first, ...rest] = packets
    if (first === undefined) return report
    const extension = replay === undefined ? undefined : replayExtension(replay)
    return [
      ...report,
      ...this.#send(first, timestamp, extension),
      ...rest.flatMap((packet) => this.#send(packet, timestamp)),
    ]
  }

  /** Says that nothing more comes (RFC 3550 §6.6). */
  end(time: number, anchor: SessionAnchor): readonly Uint8Array[] {
    const bye = Buffer.alloc(8)
    bye[0] = 0x81
    bye[1] = BYE
    bye.writeUInt16BE(1, 2)
    bye.writeUInt32BE(this.#ssrc, 4)
    return interleaved(this.#channels[1], Buffer.concat([this.#reportBytes(time, anchor), bye]))
  }

  #packetize({ units }: AccessUnit): readonly SentPacket[] {
    const { codec } = this.#track
    if (codec === 'h264') return packetizeH264(units)
    if (codec === 'h265') return packetizeH265(units)
    return units.flatMap((frame) => (codec === 'aac' ? packetizeAac(frame) : [{ payload: frame, marker: false }]))
  }

  #send({ payload, marker }: SentPacket, timestamp: number, extension?: Uint8Array): readonly Uint8Array[] {
    const fields = { payloadType: this.#type, sequence: this.#sequence, timestamp, ssrc: this.#ssrc, marker }
    this.#sequence = (this.#sequence + 1) & 0xff_ff
    this.#packets++
    this.#bytes += payload.length
    const bytes = extension === undefined ? payload : Buffer.concat([extension, payload])
    const packet = rtpBytes(fields, bytes)
    if (extension !== undefined) packet[0] = 0x90
    return interleaved(this.#channels[0], packet)
  }

  #report(time: number, anchor: SessionAnchor): readonly Uint8Array[] {
    this.#reportedAt = time
    return interleaved(this.#channels[1], this.#reportBytes(time, anchor))
  }

  #reportBytes(time: number, anchor: SessionAnchor): Uint8Array {
    const bytes = Buffer.alloc(28)
    bytes[0] = 0x80
    bytes[1] = SENDER_REPORT
    bytes.writeUInt16BE(6, 2)
    bytes.writeUInt32BE(this.#ssrc, 4)
    writeNtp(bytes, 8, anchor.wallClock + ((time - anchor.time) * 1000) / TICKS_PER_SECOND)
    bytes.writeUInt32BE(this.timestampAt(time), 16)
    bytes.writeUInt32BE(this.#packets % 2 ** 32, 20)
    bytes.writeUInt32BE(this.#bytes % 2 ** 32, 24)
    return bytes
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
