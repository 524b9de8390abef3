import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { ffmpegDecoder, findFfmpeg } from './index.ts'

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the decoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const withDecoder = test.skipIf(ffmpeg === '')

const WIDTH = 1280
const HEIGHT = 720

/** Digits of 3 × 5 squares, a row each. */
const digits: Readonly<Record<string, string>> = {
  0: '###|#.#|#.#|#.#|###',
  1: '..#|..#|..#|..#|..#',
  4: '#.#|#.#|###|..#|..#',
  7: '###|..#|..#|..#|..#',
  8: '###|#.#|###|#.#|###',
}

/** A grey picture as bytes: light from above, a number plate across a quarter of its width, larger than any camera sees one. */
function sceneWith(plate: string): Uint8Array {
  const picture = new Uint8Array(WIDTH * HEIGHT)
  for (let y = 0; y < HEIGHT; y++) picture.fill(60 + Math.floor(y / 6), y * WIDTH, (y + 1) * WIDTH)
  const square = 14
  const [left, top] = [500, 300]
  for (let y = top - square; y < top + 6 * square; y++) picture.fill(235, y * WIDTH + left, y * WIDTH + left + 320)
  ;[...plate].forEach((digit, at) => {
    digits[digit]?.split('|').forEach((row, down) => {
      ;[...row].forEach((dot, right) => {
        if (dot !== '#') return
        const x = left + square + at * 4 * square + right * square
        for (let y = 0; y < square; y++)
          picture.fill(20, (top + down * square + y) * WIDTH + x, (top + down * square + y) * WIDTH + x + square)
      })
    })
  })
  return picture
}

function run(args: readonly string[], input: Uint8Array): Buffer {
  const { stdout, stderr, status } = spawnSync(ffmpeg, ['-hide_banner', '-loglevel', 'error', ...args], {
    input,
    maxBuffer: 1 << 26,
  })
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${stderr}`)
  return stdout
}

/** The scene as a camera sends it: one key picture. */
function keyPictureOf(scene: Uint8Array): { track: Extract<TrackConfig, { kind: 'video' }>; unit: AccessUnit } {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${WIDTH}x${HEIGHT}`, '-i', 'pipe:0']
  const coded = run(
    [...raw, '-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-f', 'h264', 'pipe:1'],
    scene,
  )
  const units = unitsOf(coded)
  const isParameterSet = (nal: Uint8Array) => [7, 8].includes((nal[0] ?? 0) & 31)
  const track = { kind: 'video', codec: 'h264', codecString: 'avc1.42c01f', width: WIDTH, height: HEIGHT } as const
  return {
    track: { ...track, parameterSets: units.filter(isParameterSet) },
    unit: { kind: 'video', time: 0, wallClock: 0, isKey: true, units: units.filter((nal) => !isParameterSet(nal)) },
  }
}

const alone = ({ track, unit }: ReturnType<typeof keyPictureOf>) => ({ track, units: [unit], shown: 0 })

/** NAL units between start codes (H.264 annex B). */
function unitsOf(coded: Buffer): Uint8Array[] {
  const units: Uint8Array[] = []
  for (let at = coded.indexOf(Buffer.of(0, 0, 1)); at !== -1; ) {
    const next = coded.indexOf(Buffer.of(0, 0, 1), at + 3)
    const end = next === -1 ? coded.length : next
    units.push(coded.subarray(at + 3, coded[end - 1] === 0 && next !== -1 ? end - 1 : end))
    at = next
  }
  return units
}

interface Grey {
  readonly width: number
  readonly pixels: Uint8Array
}

/** How bright each pixel of a JPEG is. */
function greyOf(jpeg: Uint8Array): Grey {
  const pgm = run(
    ['-f', 'mjpeg', '-i', 'pipe:0', '-pix_fmt', 'gray', '-f', 'image2pipe', '-c:v', 'pgm', 'pipe:1'],
    jpeg,
  )
  const [, width = '', height = ''] = /^P5\s(\d+) (\d+)\s255\s/.exec(pgm.subarray(0, 32).toString('latin1')) ?? []
  return { width: Number(width), pixels: pgm.subarray(pgm.length - Number(width) * Number(height)) }
}

/** The hardest edge: the most that two neighbours differ by. */
function hardestEdge({ width, pixels }: Grey): number {
  let hardest = 0
  for (let at = 1; at < pixels.length; at++) {
    if (at % width === 0) continue
    hardest = Math.max(hardest, Math.abs((pixels[at] ?? 0) - (pixels[at - 1] ?? 0)))
  }
  return hardest
}

const furthest = (one: Grey, other: Grey): number =>
  one.pixels.reduce((most, value, at) => Math.max(most, Math.abs(value - (other.pixels[at] ?? 0))), 0)

withDecoder('a blurred picture has no edges left, but still light and shade', async () => {
  const { track, unit } = keyPictureOf(sceneWith('80417'))
  const decoder = ffmpegDecoder(ffmpeg)
  const clear = greyOf(await decoder.toJpeg({ track, units: [unit], shown: 0 }))
  const blurred = greyOf(await decoder.toBlurredJpeg({ track, units: [unit], shown: 0 }))
  expect(clear.width).toBe(WIDTH)
  expect(hardestEdge(clear)).toBeGreaterThan(150)
  expect(blurred.width).toBeLessThanOrEqual(480)
  expect(hardestEdge(blurred)).toBeLessThanOrEqual(10)
  const middle = (row: number) => blurred.pixels[row * blurred.width + 20] ?? 0
  expect(middle(250) - middle(20)).toBeGreaterThan(60)
})

withDecoder("text across a quarter of the picture can't be distinguished from other text once blurred", async () => {
  const decoder = ffmpegDecoder(ffmpeg)
  const [one, other] = [keyPictureOf(sceneWith('80808')), keyPictureOf(sceneWith('08080'))]
  const clear = [await decoder.toJpeg(alone(one)), await decoder.toJpeg(alone(other))].map(greyOf)
  const blurred = [await decoder.toBlurredJpeg(alone(one)), await decoder.toBlurredJpeg(alone(other))].map(greyOf)
  const differ = ([a, b]: readonly Grey[]) => (a === undefined || b === undefined ? Number.NaN : furthest(a, b))
  expect(differ(clear)).toBeGreaterThan(150)
  expect(differ(blurred)).toBeLessThanOrEqual(8)
})

withDecoder("anything that can't be decoded is refused, blurred or not", async () => {
  const { track, unit } = keyPictureOf(sceneWith('1'))
  const broken = { ...unit, units: [Uint8Array.of(0x65, 1, 2, 3)] }
  const decoder = ffmpegDecoder(ffmpeg)
  await expect(decoder.toJpeg({ track, units: [broken], shown: 0 })).rejects.toThrow('ffmpeg ended with')
  await expect(decoder.toBlurredJpeg({ track, units: [broken], shown: 0 })).rejects.toThrow('ffmpeg ended with')
})
