import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** Pixels of one square; the picture is shown at its own size, so that all squares are equally large. */
const SCALE = 4
/** Squares of white around, so that cameras find it (ISO/IEC 18004 §6.3.8). */
const BORDER = 4

/** The text as a QR code: `data:image/png;base64,…`. */
export function qrCode(text: string): string {
  const { data } = encode(text, { ecc: 'M', border: BORDER })
  return `data:image/png;base64,${png(data).toString('base64')}`
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A square picture in black and white, one bit for each pixel (PNG §11.2.2, colour type 0). */
function png(squares: readonly (readonly boolean[])[]): Buffer {
  const side = squares.length * SCALE
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const rows = squares.flatMap((row) => Array.from({ length: SCALE }, () => scanline(row, side)))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND'),
  ])
}

/** A filter byte, then the pixels; white is 1. */
function scanline(row: readonly boolean[], side: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(side / 8))
  for (let x = 0; x < side; x += 1) {
    if (row[Math.floor(x / SCALE)] !== true) line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
  }
  return line
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, check])
}
