import { inflateSync } from 'node:zlib'
import { fail, ok, type Result } from '@sightline/platform/result'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'

/** Pixels, each of four bytes: red, green, blue, alpha. */
interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

const MAX_SIDE = 2000
/** A theme has at most 65,536 characters per picture; base64 turns three bytes into four characters. */
const MAX_PNG_BYTES = 48_000
/** Largest first: twice the maximum display size of a logo, for high-resolution screens, then that size itself. */
const BOXES = [
  { width: 800, height: 240 },
  { width: 400, height: 120 },
]

const NO_PICTURE = 'This picture format isn’t supported. Use a PNG or JPEG file.'
const NO_SVG = 'SVG pictures aren’t supported. Use a PNG or JPEG file.'
const TOO_DETAILED = 'The picture is too detailed for a logo. Use one with fewer colors or a smaller size.'

/**
 * A PNG with only the pixels of a PNG or JPEG file, scaled down to the size of a logo. Only the first bytes decide the
 * file type. A failure is a sentence.
 */
export function reencode(file: Buffer): Result<Buffer, string> {
  const pixels = decode(file)
  if (!pixels.ok) return pixels
  for (const box of BOXES) {
    const encoded = encode(scaledInto(pixels.value, box))
    if (encoded.length <= MAX_PNG_BYTES) return ok(encoded)
  }
  return fail(TOO_DETAILED)
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const JPEG_SIGNATURE = Buffer.from('ffd8ff', 'hex')

function decode(file: Buffer): Result<Pixels, string> {
  const startsWith = (signature: Buffer): boolean => file.subarray(0, signature.length).equals(signature)
  if (startsWith(PNG_SIGNATURE)) return decodePng(file)
  if (startsWith(JPEG_SIGNATURE)) return decodeJpeg(file)
  return fail(/<svg[\s>]/i.test(file.toString('latin1', 0, 4096)) ? NO_SVG : NO_PICTURE)
}

/** The chunks for the pixels. Others are metadata, and a second header would change the size. */
const PIXEL_CHUNKS = new Set(['PLTE', 'tRNS', 'IDAT', 'IEND'])

function decodePng(file: Buffer): Result<Pixels, string> {
  const [header, ...rest] = chunksOf(file)
  if (header?.type !== 'IHDR' || header.data.length !== 13) return fail(NO_PICTURE)
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)]
  const fault = sizeFault(width, height)
  if (fault !== undefined) return fail(fault)
  try {
    // The library inflates interlaced pictures without a limit. A pixel has at most eight bytes, and each row of each
    // of the seven passes one more.
    const compressed = Buffer.concat(rest.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
    inflateSync(compressed, { maxOutputLength: width * height * 8 + 7 * height + 1024 })
    const chunks = [header, ...rest.filter(({ type }) => PIXEL_CHUNKS.has(type))]
    const { data } = PNG.sync.read(Buffer.concat([PNG_SIGNATURE, ...chunks.map(({ whole }) => whole)]))
    return ok({ width, height, data })
  } catch {
    return fail(NO_PICTURE)
  }
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** Including its length, type and checksum. */
  readonly whole: Buffer
}

/** The chunks up to the end of the picture (W3C PNG §5.3): length, type, data, checksum. */
function chunksOf(file: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = PNG_SIGNATURE.length; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) })
    if (type === 'IEND') break
    at = end
  }
  return chunks
}

function decodeJpeg(file: Buffer): Result<Pixels, string> {
  const size = jpegSize(file)
  if (size === undefined) return fail(NO_PICTURE)
  const fault = sizeFault(size.width, size.height)
  if (fault !== undefined) return fail(fault)
  try {
    const limits = { maxResolutionInMP: 4, maxMemoryUsageInMB: 256 }
    return ok(jpeg.decode(file, { useTArray: true, formatAsRGBA: true, ...limits }))
  } catch {
    return fail(NO_PICTURE)
  }
}

/** Width and height from the first frame header (ITU-T T.81 §B.2.2), which precedes the compressed picture. */
function jpegSize(file: Buffer): { readonly width: number; readonly height: number } | undefined {
  for (let at = 2; at + 9 <= file.length && file[at] === 0xff; ) {
    const marker = file[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) }
    at += 2 + file.readUInt16BE(at + 2)
  }
  return undefined
}

function sizeFault(width: number, height: number): string | undefined {
  if (width === 0 || height === 0) return NO_PICTURE
  if (width <= MAX_SIDE && height <= MAX_SIDE) return undefined
  return `The picture is ${width} × ${height} pixels. Use one of at most ${MAX_SIDE} × ${MAX_SIDE}.`
}

function encode({ width, height, data }: Pixels): Buffer {
  const png = new PNG({ width, height })
  png.data.set(data)
  return PNG.sync.write(png, { deflateLevel: 9 })
}

/** Scaled down until it fits, never up. */
function scaledInto(from: Pixels, box: { readonly width: number; readonly height: number }): Pixels {
  const scale = Math.min(1, box.width / from.width, box.height / from.height)
  if (scale === 1) return from
  const width = Math.max(1, Math.round(from.width * scale))
  const height = Math.max(1, Math.round(from.height * scale))
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y += 1) {
    const rows = sourceRange(y, height, from.height)
    for (let x = 0; x < width; x += 1) {
      data.set(meanColor(from, { rows, columns: sourceRange(x, width, from.width) }), (y * width + x) * 4)
    }
  }
  return { width, height, data }
}

interface Range {
  readonly start: number
  readonly end: number
}

function sourceRange(index: number, scaled: number, source: number): Range {
  const start = Math.floor((index * source) / scaled)
  return { start, end: Math.max(start + 1, Math.floor(((index + 1) * source) / scaled)) }
}

/** The mean of an area. Colors are weighted by alpha; otherwise the color of transparent pixels would show at edges. */
function meanColor(
  { data, width }: Pixels,
  { rows, columns }: { readonly rows: Range; readonly columns: Range },
): number[] {
  const sums = [0, 0, 0]
  let alphas = 0
  for (let y = rows.start; y < rows.end; y += 1) {
    for (let x = columns.start; x < columns.end; x += 1) {
      const at = (y * width + x) * 4
      const alpha = data[at + 3] ?? 0
      alphas += alpha
      for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0) * alpha
    }
  }
  const pixels = (rows.end - rows.start) * (columns.end - columns.start)
  const colors = sums.map((sum) => (alphas === 0 ? 0 : Math.round(sum / alphas)))
  return [...colors, Math.round(alphas / pixels)]
}
