import { AAC_FRAME_SAMPLES } from '../../codec/index.ts'
import { uint16 } from './rtp-packet.ts'

/** One frame of sound; `offset` in clock ticks after the packet's timestamp. The bytes are a view into the packet. */
export interface AudioFrame {
  readonly bytes: Uint8Array
  readonly offset: number
}

/** Accepts one payload; undefined if it is malformed. */
export type DepacketizeAudio = (payload: Uint8Array) => readonly AudioFrame[] | undefined

/** G.711 and Opus: the payload is the frame (RFC 3551 §4.5.14, RFC 7587 §4.2). */
export const wholePayload: DepacketizeAudio = (payload) =>
  payload.length === 0 ? undefined : [{ bytes: payload, offset: 0 }]

/** How mpeg4-generic packs its headers (RFC 3640 §4.1). */
export interface AacPacking {
  readonly sizeLength: number
  readonly indexLength: number
  readonly indexDeltaLength: number
}

const MAX_FRAME_BYTES = 8192

/**
 * mpeg4-generic in its AAC modes (RFC 3640 §3.2.1): headers of 8 or 16 bits, then the frames. A frame in several
 * packets is reassembled; each packet of such a frame repeats its whole size.
 */
export function depacketizeAac(packing: AacPacking): DepacketizeAudio | undefined {
  const headerBits = packing.sizeLength + packing.indexLength
  if (packing.indexDeltaLength !== packing.indexLength || (headerBits !== 16 && headerBits !== 8)) return undefined
  const headerBytes = headerBits / 8
  let cut: { readonly total: number; pieces: Uint8Array[]; bytes: number } | undefined
  const sizeAt = (bytes: Uint8Array, at: number): number =>
    (headerBytes === 2 ? uint16(bytes, at) : (bytes[at] ?? 0)) >> packing.indexLength

  const joinCut = (data: Uint8Array, size: number): readonly AudioFrame[] | undefined => {
    if (size > MAX_FRAME_BYTES) return undefined
    if (cut?.total !== size) cut = { total: size, pieces: [], bytes: 0 }
    cut.pieces.push(Uint8Array.from(data))
    cut.bytes += data.length
    if (cut.bytes < size && data.length > 0) return []
    const isWhole = cut.bytes === size
    const bytes = Buffer.concat(cut.pieces)
    cut = undefined
    return isWhole ? [{ bytes, offset: 0 }] : undefined
  }

  return (payload) => {
    const bits = uint16(payload, 0)
    const data = 2 + bits / 8
    if (bits === 0 || bits % headerBits !== 0 || data > payload.length) return undefined
    const count = bits / headerBits
    if (count === 1 && sizeAt(payload, 2) > payload.length - data)
      return joinCut(payload.subarray(data), sizeAt(payload, 2))
    cut = undefined
    const frames: AudioFrame[] = []
    let at = data
    for (let index = 0; index < count; index++) {
      const end = at + sizeAt(payload, 2 + index * headerBytes)
      if (end === at || end > payload.length) return undefined
      frames.push({ bytes: payload.subarray(at, end), offset: index * AAC_FRAME_SAMPLES })
      at = end
    }
    return frames
  }
}
