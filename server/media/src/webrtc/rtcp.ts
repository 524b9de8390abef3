/** RTCP: reports of a sender (RFC 3550 §6.4.1), and what a receiver asks for (RFC 4585, RFC 5104). */

const SENDER_REPORT = 200
const DESCRIPTION = 202
const GOODBYE = 203
const TRANSPORT_FEEDBACK = 205
const PAYLOAD_FEEDBACK = 206
const NACK = 1
const PICTURE_LOSS = 1
const FULL_INTRA = 4
const SECONDS_1900_TO_1970 = 2_208_988_800
const CNAME = 1
/** In one report: 64 name as many lost packets as are kept. */
const MAX_NACKS = 64

export interface SenderFigures {
  readonly ssrc: number
  /** Milliseconds since 1970, of the same moment as `timestamp`. */
  readonly wallClock: number
  readonly timestamp: number
  readonly packets: number
  readonly bytes: number
}

/** A sender report with the name of the source, which all sources of a session share so that sound fits pictures. */
export function senderReport({ ssrc, wallClock, timestamp, packets, bytes }: SenderFigures, cname: string): Buffer {
  const report = Buffer.alloc(28)
  report[0] = 0x80
  report[1] = SENDER_REPORT
  report.writeUInt16BE(6, 2)
  report.writeUInt32BE(ssrc, 4)
  report.writeUInt32BE((Math.floor(wallClock / 1000) + SECONDS_1900_TO_1970) % 2 ** 32, 8)
  report.writeUInt32BE(Math.floor(((wallClock % 1000) / 1000) * 2 ** 32), 12)
  report.writeUInt32BE(timestamp, 16)
  report.writeUInt32BE(packets % 2 ** 32, 20)
  report.writeUInt32BE(bytes % 2 ** 32, 24)
  const item = Buffer.concat([Buffer.of(CNAME, cname.length), Buffer.from(cname, 'latin1'), Buffer.of(0)])
  const description = Buffer.alloc(8 + item.length + (-item.length & 3))
  description[0] = 0x81
  description[1] = DESCRIPTION
  description.writeUInt16BE(description.length / 4 - 1, 2)
  description.writeUInt32BE(ssrc, 4)
  item.copy(description, 8)
  return Buffer.concat([report, description])
}

/** What a receiver wants. */
export interface Feedback {
  /** Numbers of packets that are missing, by source. */
  readonly missing: readonly { readonly ssrc: number; readonly sequences: readonly number[] }[]
  readonly wantsPicture: boolean
  readonly hasLeft: boolean
}

/** Reads a compound packet; the rest of one that is broken counts as absent. */
export function readFeedback(packet: Buffer): Feedback {
  const missing: { ssrc: number; sequences: readonly number[] }[] = []
  let wantsPicture = false
  let hasLeft = false
  let nacks = 0
  let at = 0
  while (at + 8 <= packet.length) {
    const end = at + (packet.readUInt16BE(at + 2) + 1) * 4
    if (end > packet.length) break
    const [format, type] = [(packet[at] ?? 0) & 0x1f, packet[at + 1]]
    if (type === GOODBYE) hasLeft = true
    if (type === PAYLOAD_FEEDBACK) wantsPicture ||= format === PICTURE_LOSS || format === FULL_INTRA
    if (type === TRANSPORT_FEEDBACK && format === NACK && end - at >= 12 && nacks < MAX_NACKS) {
      const entries = packet.subarray(at + 12, Math.min(end, at + 12 + 4 * (MAX_NACKS - nacks)))
      missing.push({ ssrc: packet.readUInt32BE(at + 8), sequences: missingOf(entries) })
      nacks += Math.max(1, entries.length >> 2)
    }
    at = end
  }
  return { missing, wantsPicture, hasLeft }
}

/** A number and a mask of the sixteen that follow it (RFC 4585 §6.2.1). */
function missingOf(entries: Buffer): readonly number[] {
  return Array.from({ length: entries.length >> 2 }, (_, index) => {
    const [first, mask] = [entries.readUInt16BE(index * 4), entries.readUInt16BE(index * 4 + 2)]
    const after = Array.from({ length: 16 }, (__, bit) => bit).filter((bit) => (mask >> bit) & 1)
    return [first, ...after.map((bit) => (first + bit + 1) & 0xff_ff)]
  }).flat()
}
