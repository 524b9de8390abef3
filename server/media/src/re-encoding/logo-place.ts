import type { DrawnLogo } from '../decoder/index.ts'

interface Size {
  readonly width: number
  readonly height: number
}

/** Of the picture, at most. */
const MAX_WIDTH = 1 / 6
const MAX_HEIGHT = 1 / 9
const IHDR = { width: 16, height: 20, end: 24 } as const

/** Pixels of a PNG, from its header (W3C PNG, 11.2.1). @throws if it has none. */
function pngSize(png: Buffer): Size {
  if (png.length < IHDR.end || png.toString('latin1', 12, 16) !== 'IHDR') throw new Error('the logo is not a PNG')
  const [width, height] = [png.readUInt32BE(IHDR.width), png.readUInt32BE(IHDR.height)]
  if (width === 0 || height === 0) throw new Error('the logo has no pixels')
  return { width, height }
}

/** Where a logo is in pictures of that size: at the bottom right, as large in each, on a plate. Pixels, all even. */
export function placeLogo(png: Buffer, size: Size): DrawnLogo {
  const given = pngSize(png)
  const scale = Math.min((size.width * MAX_WIDTH) / given.width, (size.height * MAX_HEIGHT) / given.height)
  const [width, height] = [even(given.width * scale), even(given.height * scale)]
  const margin = even(size.height / 60)
  const padding = even(size.height / 90)
  const x = size.width - margin - padding - width
  const y = size.height - margin - padding - height
  return { png, width, height, x, y, padding }
}

const even = (pixels: number): number => Math.max(2, Math.round(pixels / 2) * 2)
