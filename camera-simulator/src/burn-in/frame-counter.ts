/**
 * The machine-readable half of the strip. Forty cells of equal width span the WHOLE width of the picture, in the lower
 * half of the strip (the upper half is text): 32 bits of the counter, most significant first, then 8 bits of CRC-8
 * (polynomial 0x07, starting at 0xff) over its four bytes. White is one, black is zero. The strip is 64 of 1080 lines
 * or 32 of 360 (see STRIP_SHAPES), so a cell is 48×32 or 16×16 pixels and survives scaling to a third.
 *
 * Nothing is imported here, because the function also runs in a browser page.
 */
const COUNTER_BITS = 32
export const CELLS = 40

/** Strip heights as a part of the picture's height: [lines of the strip, lines of the picture]. */
const STRIP_SHAPES: readonly (readonly [number, number])[] = [
  [64, 1080],
  [32, 360],
  [64, 720],
  [32, 720],
  [32, 1080],
  [64, 1440],
  [64, 2160],
]

function crc8(counter: number): number {
  let crc = 0xff
  for (let shift = 24; shift >= 0; shift -= 8) {
    crc ^= (counter >>> shift) & 0xff
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x80) === 0 ? (crc << 1) & 0xff : ((crc << 1) ^ 0x07) & 0xff
  }
  return crc
}

/** The forty cells of a counter, in reading order; 1 is white. The counter is taken modulo 2^32. */
export function counterCells(counter: number): readonly (0 | 1)[] {
  const number = counter % 2 ** COUNTER_BITS
  const check = crc8(number)
  return Array.from({ length: CELLS }, (_, cell) => {
    const bit = cell < COUNTER_BITS ? (number >>> (COUNTER_BITS - 1 - cell)) & 1 : (check >> (CELLS - 1 - cell)) & 1
    return bit === 1 ? 1 : 0
  })
}

/** Brightness as a byte per pixel, rows of `stride` bytes; limited or full range both do. */
interface LumaPicture {
  readonly luma: Uint8Array | Uint8ClampedArray
  readonly width: number
  readonly height: number
  readonly stride: number
}

const WHITE_ABOVE = 150
const BLACK_BELOW = 100
const SAMPLE_AT = [0.3, 0.5, 0.7] as const

function readCell(picture: LumaPicture, cell: number, strip: number): 0 | 1 | undefined {
  let white = 0
  for (const down of SAMPLE_AT) {
    for (const along of SAMPLE_AT) {
      const x = Math.floor(((cell + along) / CELLS) * picture.width)
      const y = Math.floor(strip * (0.5 + down / 2) * picture.height)
      const luma = picture.luma[y * picture.stride + x] ?? (WHITE_ABOVE + BLACK_BELOW) / 2
      if (luma >= BLACK_BELOW && luma <= WHITE_ABOVE) return undefined
      if (luma > WHITE_ABOVE) white += 1
    }
  }
  if (white === 0) return 0
  return white === SAMPLE_AT.length ** 2 ? 1 : undefined
}

function readCells(picture: LumaPicture, strip: number): number | undefined {
  let counter = 0
  let check = 0
  for (let cell = 0; cell < CELLS; cell += 1) {
    const bit = readCell(picture, cell, strip)
    if (bit === undefined) return undefined
    if (cell < COUNTER_BITS) counter = counter * 2 + bit
    else check = check * 2 + bit
  }
  return check === crc8(counter) ? counter : undefined
}

/**
 * Decodes the frame counter from the pixels of a whole picture of the simulator, scaled or not, as long as the picture
 * was neither cropped nor turned. All nine samples of each cell and the check must agree.
 *
 * @returns the counter, 0 to 2^32 - 1, or undefined when there is no counter to be read.
 */
export function readFrameCounter(
  luma: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
  stride: number = width,
): number | undefined {
  const picture = { luma, width, height, stride }
  for (const [lines, of] of STRIP_SHAPES) {
    const counter = readCells(picture, lines / of)
    if (counter !== undefined) return counter
  }
  return undefined
}
