// @ts-check
// Draws the logos of the provider and of the demonstration's brands as PNGs into the modules that hold them: a theme takes no SVG,
// and neither mail programs nor PDFs show one. To be run by hand after a change here; needs /usr/bin/chromium and Liberation Sans.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { chromium } from 'playwright-core'

/** Pixels for each CSS pixel. */
const SCALE = 2
/** Steps of each channel: smooth edges need few. */
const STEPS = 15

const eye = (/** @type {string} */ fill) =>
  `<path d="M2 16C6 8.700 11 5 16 5s10 3.700 14 11c-4 7.300-9 11-14 11S6 23.300 2 16Z" fill="${fill}"/><circle cx="16" cy="16" r="6.500" fill="#fff"/><circle cx="16" cy="16" r="3" fill="${fill}"/>`
const shield =
  '<path d="M16 2 29 7v9c0 7-5.500 11.500-13 14C8.500 27.500 3 23 3 16V7Z" fill="#5b3fd6"/><path d="m9.500 16 4.500 4.500 8.500-9" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>'
const lighthouse =
  '<path d="M12 28h8l-1.500-14h-5Z" fill="#b3261e"/><path d="M12.500 12h7L16 5Z" fill="#b3261e"/><path d="M22 9l8-3M22 11.500l8 2M10 9 2 6M10 11.500l-8 2" stroke="#b3261e" stroke-width="2" stroke-linecap="round"/>'
const lighthouseTile =
  '<rect width="32" height="32" rx="7" fill="#b3261e"/><path d="M12.500 27h7l-1.300-12h-4.400Zm.500-14h6L16 6Z" fill="#fff"/><path d="M22 10l5-2M22 13l5 1M10 10 5 8M10 13l-5 1" stroke="#fff" stroke-width="2" stroke-linecap="round"/>'
const name = (/** @type {string} */ text, /** @type {string} */ ink, length = 0) =>
  `<text x="38" y="22.500" font-family="Liberation Sans" font-size="18" font-weight="700" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${ink}">${text}</text>`

/** @typedef {{ name: string, width: number, shapes: string }} Drawing */
/** @type {Record<string, readonly Drawing[]>} */
const modules = {
  'contract/src/theme/provider-logo.ts': [
    { name: 'providerLogo', width: 148, shapes: eye('#0b6e6e') + name('Sightline', '#14202b', 92) },
    { name: 'providerLogoDark', width: 148, shapes: eye('#35a7a2') + name('Sightline', '#f2f6f7', 92) },
  ],
  'server/run/demo/demo-logos.ts': [
    { name: 'harbourLogo', width: 172, shapes: shield + name('Harbour Guard', '#1b1633', 130) },
    { name: 'harbourLogoDark', width: 172, shapes: shield + name('Harbour Guard', '#f3f1fb', 130) },
    { name: 'harbourIcon', width: 32, shapes: shield },
    { name: 'beaconLogo', width: 150, shapes: lighthouse + name('Beacon Hill', '#2b1512', 108) },
    { name: 'beaconLogoDark', width: 150, shapes: lighthouse + name('Beacon Hill', '#fbf1f0', 108) },
    { name: 'beaconIcon', width: 32, shapes: lighthouseTile },
  ],
}

const chunk = (/** @type {string} */ type, /** @type {Uint8Array} */ data) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, check])
}

/** A PNG with a palette (W3C PNG §11.2.1 colour type 3). */
function png(/** @type {number} */ width, /** @type {number} */ height, /** @type {readonly number[]} */ rgba) {
  const stepped = rgba.map((value) => Math.round((Math.round((value / 255) * STEPS) / STEPS) * 255))
  /** @type {Map<string, number>} */
  const palette = new Map()
  const rows = Buffer.alloc((width + 1) * height)
  for (let at = 0; at < width * height; at += 1) {
    const colour = stepped[at * 4 + 3] === 0 ? '0,0,0,0' : stepped.slice(at * 4, at * 4 + 4).join()
    const index = palette.get(colour) ?? palette.set(colour, palette.size).size - 1
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = index
  }
  if (palette.size > 256) throw new Error(`a logo has ${palette.size} colours, and a palette holds 256`)
  const colours = [...palette.keys()].map((colour) => colour.split(',').map(Number))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flatMap((colour) => colour.slice(0, 3)))),
    chunk('tRNS', Buffer.from(colours.map((colour) => colour[3] ?? 255))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const page = await browser.newPage()
const draw = async (/** @type {Drawing} */ { name, width, shapes }) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="32" viewBox="0 0 ${width} 32">${shapes}</svg>`
  const size = [width * SCALE, 32 * SCALE]
  const pixels = await page.evaluate(
    async ([source, [w = 0, h = 0]]) => {
      const image = new Image()
      image.src = `data:image/svg+xml,${encodeURIComponent(source)}`
      await image.decode()
      const canvas = new OffscreenCanvas(w, h)
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('no canvas')
      context.drawImage(image, 0, 0, w, h)
      return [...context.getImageData(0, 0, w, h).data]
    },
    /** @type {const} */ ([svg, size]),
  )
  const base64 = png(size[0] ?? 0, size[1] ?? 0, pixels).toString('base64')
  return `export const ${name} =\n  'data:image/png;base64,${base64}'\n`
}
for (const [file, drawings] of Object.entries(modules)) {
  const texts = []
  for (const drawing of drawings) texts.push(await draw(drawing))
  writeFileSync(resolve(import.meta.dirname, '..', file), `/** Drawn by tools/draw-logos.mjs. */\n${texts.join('\n')}`)
}
await browser.close()
