/** Pictures as RTP packets (RFC 3550, 6184, 7798). */
import type { TrackConfig } from '../frame/index.ts'
import { OPUS_RATE } from './opus.ts'

/** Ticks per second of a track's RTP timestamps (RFC 3551 §4.1; for Opus always 48000: RFC 7587 §4.1). */
export function rtpClock(track: TrackConfig): number {
  if (track.kind === 'video') return 90_000
  return track.codec === 'opus' ? OPUS_RATE : track.sampleRate
}

export interface SentPacket {
  readonly payload: Uint8Array
  readonly marker: boolean
}

const MAX_PAYLOAD = 1400

/** One picture by RFC 6184: small neighbours in one STAP-A, large units in FU-A; marker on the last packet. */
export function packetizeH264(nals: readonly Uint8Array[], maxPayload = MAX_PAYLOAD): SentPacket[] {
  return marked(
    grouped(nals, maxPayload).flatMap((group) => {
      const [nal = new Uint8Array(0)] = group
      if (group.length > 1) return [joined(Uint8Array.of(24), group)]
      if (nal.length <= maxPayload) return [nal]
      const header = nal[0] ?? 0
      return cut(nal.subarray(1), maxPayload - 2).map((piece, flags) =>
        Buffer.concat([Uint8Array.of((header & 0xe0) | 28, flags(header & 0x1f)), piece]),
      )
    }),
  )
}

/** One picture by RFC 7798: AP and FU. */
export function packetizeH265(nals: readonly Uint8Array[], maxPayload = MAX_PAYLOAD): SentPacket[] {
  return marked(
    grouped(nals, maxPayload).flatMap((group) => {
      const [nal = new Uint8Array(0)] = group
      if (group.length > 1) return [joined(Uint8Array.of(48 << 1, 1), group)]
      if (nal.length <= maxPayload) return [nal]
      const [first = 0, second = 0] = nal
      return cut(nal.subarray(2), maxPayload - 3).map((piece, flags) =>
        Buffer.concat([Uint8Array.of((first & 0x81) | (49 << 1), second, flags((first >> 1) & 0x3f)), piece]),
      )
    }),
  )
}

export interface RtpFields {
  readonly payloadType: number
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
  readonly marker: boolean
}

/** RFC 3550 §5.1, without extension or padding. */
export function rtpBytes(fields: RtpFields, payload: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + payload.length)
  bytes[0] = 0x80
  bytes[1] = fields.payloadType | (fields.marker ? 0x80 : 0)
  bytes.writeUInt16BE(fields.sequence & 0xff_ff, 2)
  bytes.writeUInt32BE(fields.timestamp >>> 0, 4)
  bytes.writeUInt32BE(fields.ssrc, 8)
  bytes.set(payload, 12)
  return bytes
}

function marked(payloads: readonly Uint8Array[]): SentPacket[] {
  return payloads.map((payload, index) => ({ payload, marker: index === payloads.length - 1 }))
}

function grouped(nals: readonly Uint8Array[], maxPayload: number): Uint8Array[][] {
  const groups: Uint8Array[][] = []
  let room = 0
  for (const nal of nals) {
    if (nal.length + 2 <= room) groups.at(-1)?.push(nal)
    else groups.push([nal])
    room = (nal.length + 2 <= room ? room : maxPayload - 2) - nal.length - 2
  }
  return groups
}

function joined(header: Uint8Array, nals: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([header, ...nals.flatMap((nal) => [Uint8Array.of(nal.length >> 8, nal.length & 0xff), nal])])
}

function cut(bytes: Uint8Array, size: number) {
  const count = Math.ceil(bytes.length / size)
  return {
    map: (make: (piece: Uint8Array, flags: (type: number) => number) => Uint8Array): Uint8Array[] =>
      Array.from({ length: count }, (_, index) => {
        const flags = (type: number): number => type | (index === 0 ? 0x80 : 0) | (index === count - 1 ? 0x40 : 0)
        return make(bytes.subarray(index * size, (index + 1) * size), flags)
      }),
  }
}
