import type { EpochMs } from '../clock.ts'

/** Seconds from 1900, where NTP counts from, to 1970 (RFC 3550 §4). */
const NTP_TO_UNIX_SECONDS = 2_208_988_800
const SENDER_REPORT = 200
const SOURCE_DESCRIPTION = 202
const CNAME = 1

export interface SenderReportInput {
  readonly channel: number
  readonly source: number
  readonly wallClock: EpochMs
  /** The same instant in the track's RTP clock, 32 bits. */
  readonly timestamp: number
  readonly packets: number
  readonly bytes: number
}

function sourceDescription(source: number): Buffer {
  const name = Buffer.from('camera')
  // Items end with at least one zero and fill whole words (RFC 3550 §6.5).
  const words = Math.ceil((4 + 2 + name.length + 1) / 4)
  const packet = Buffer.alloc(4 + words * 4)
  packet[0] = 0x81
  packet[1] = SOURCE_DESCRIPTION
  packet.writeUInt16BE(words, 2)
  packet.writeUInt32BE(source, 4)
  packet[8] = CNAME
  packet[9] = name.length
  name.copy(packet, 10)
  return packet
}

/** Compound of sender report and CNAME with the interleaved header in front (RFC 3550 §6.4.1). */
export function senderReport(report: SenderReportInput): Buffer {
  const description = sourceDescription(report.source)
  const packet = Buffer.alloc(4 + 28)
  packet[0] = 0x24
  packet[1] = report.channel
  packet.writeUInt16BE(28 + description.length, 2)
  packet[4] = 0x80
  packet[5] = SENDER_REPORT
  packet.writeUInt16BE(6, 6)
  packet.writeUInt32BE(report.source, 8)
  const seconds = Math.floor(report.wallClock / 1000)
  packet.writeUInt32BE((seconds + NTP_TO_UNIX_SECONDS) % 2 ** 32, 12)
  packet.writeUInt32BE(Math.floor((report.wallClock / 1000 - seconds) * 2 ** 32), 16)
  packet.writeUInt32BE(report.timestamp, 20)
  packet.writeUInt32BE(report.packets % 2 ** 32, 24)
  packet.writeUInt32BE(report.bytes % 2 ** 32, 28)
  return Buffer.concat([packet, description])
}
