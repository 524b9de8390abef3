/**
 * RTP packets as they go over RTSP's own connection (RFC 2326 §10.12): `$`, channel, length, RTP header, payload; one after
 * the other in a single buffer. Cut once; for each viewer the buffer is copied and the headers are filled in.
 */
export interface PacketTemplate {
  readonly bytes: Buffer
  /** Where each packet begins. */
  readonly starts: readonly number[]
}

const INTERLEAVED_HEADER = 4
const RTP_HEADER = 12
const HEADERS = INTERLEAVED_HEADER + RTP_HEADER
const DOLLAR = 0x24
const RTP_VERSION_2 = 0x80
const MARKER = 0x80
const FU_A = 28
const FU_A_HEADER = 2
const FU_START = 0x80
const FU_END = 0x40

/** What cameras commonly use: fits an Ethernet frame with room for the headers of a tunnel. */
const MAX_PAYLOAD_BYTES = 1400

function fill(packets: readonly (readonly Uint8Array[])[], payloadType: number): PacketTemplate {
  const sizes = packets.map((parts) => parts.reduce((sum, part) => sum + part.length, 0))
  const bytes = Buffer.alloc(sizes.reduce((sum, size) => sum + size + HEADERS, 0))
  const starts: number[] = []
  let at = 0
  for (const [index, parts] of packets.entries()) {
    starts.push(at)
    bytes[at] = DOLLAR
    bytes.writeUInt16BE((sizes[index] ?? 0) + RTP_HEADER, at + 2)
    bytes[at + INTERLEAVED_HEADER] = RTP_VERSION_2
    bytes[at + INTERLEAVED_HEADER + 1] = payloadType
    at += HEADERS
    for (const part of parts) {
      bytes.set(part, at)
      at += part.length
    }
  }
  return { bytes, starts }
}

function cutNalUnit(nal: Buffer): Uint8Array[][] {
  if (nal.length <= MAX_PAYLOAD_BYTES) return [[nal]]
  const header = nal[0] ?? 0
  const chunk = MAX_PAYLOAD_BYTES - FU_A_HEADER
  const packets: Uint8Array[][] = []
  for (let from = 1; from < nal.length; from += chunk) {
    const to = Math.min(from + chunk, nal.length)
    const edge = (from === 1 ? FU_START : 0) | (to === nal.length ? FU_END : 0)
    packets.push([Uint8Array.of((header & 0xe0) | FU_A, edge | (header & 0x1f)), nal.subarray(from, to)])
  }
  return packets
}

/** H.264, packetization mode 1 without aggregation (RFC 6184 §5.6 and §5.8). */
export function packetizeVideo(units: readonly Buffer[], payloadType: number): PacketTemplate {
  return fill(units.flatMap(cutNalUnit), payloadType)
}

/** One AAC frame, mode AAC-hbr with 13 bits of size and 3 of index (RFC 3640 §3.3.6). */
export function packetizeAudio(frame: Buffer, payloadType: number): PacketTemplate {
  const header = Buffer.alloc(4)
  header.writeUInt16BE(16, 0)
  header.writeUInt16BE(frame.length << 3, 2)
  return fill([[header, frame]], payloadType)
}

/** The values that differ for each viewer. Sequence numbers are 16 bits, the rest 32. */
export interface RtpTrack {
  readonly channel: number
  readonly source: number
  sequence: number
}

/**
 * A viewer's copy of the packets. Advances `track.sequence`; the last packet of the last template has the marker. A
 * packet is left out with its sequence number if `isLost` returns true, which is called once for each packet.
 */
export function stampPackets(
  templates: readonly PacketTemplate[],
  track: RtpTrack,
  timestamp: number,
  isLost: (() => boolean) | undefined,
): Buffer {
  const copy = Buffer.allocUnsafe(templates.reduce((sum, template) => sum + template.bytes.length, 0))
  let length = 0
  let last = -1
  for (const template of templates) {
    for (const [index, start] of template.starts.entries()) {
      const end = template.starts[index + 1] ?? template.bytes.length
      const sequence = track.sequence
      track.sequence = (sequence + 1) & 0xff_ff
      if (isLost?.() === true) {
        last = -1
        continue
      }
      template.bytes.copy(copy, length, start, end)
      copy[length + 1] = track.channel
      copy.writeUInt16BE(sequence, length + 6)
      copy.writeUInt32BE(timestamp, length + 8)
      copy.writeUInt32BE(track.source, length + 12)
      last = length
      length += end - start
    }
  }
  if (last !== -1) copy[last + 5] = (copy[last + 5] ?? 0) | MARKER
  return copy.subarray(0, length)
}
