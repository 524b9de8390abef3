import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { getNalType, nalType, splitAnnexB, toPayload } from '../h264/nal-unit.ts'
import { readPictureParameters, readSequenceParameters } from '../h264/parameter-sets.ts'
import { readSliceHeader } from '../h264/slice-header.ts'
import { noFfmpeg, testClips } from '../testing/clips.ts'
import { decodeStrictly } from '../testing/decode.ts'
import { composeStrip, paintBlock, type StripSize } from './strip-picture.ts'
import { StripWriter } from './strip-slice.ts'

const START_CODE = Buffer.from([0, 0, 0, 1])

interface Replaced {
  readonly stream: Buffer
  /** The expected strip of each picture: blocks, row by row. */
  readonly shown: readonly Int32Array[]
}

/** The clip with each strip rewritten, as Annex B. `fill` says what a picture shows. */
async function replaceStrips(
  path: string,
  size: StripSize,
  fill: (picture: number, blocks: Int32Array) => void,
): Promise<Replaced> {
  const units = splitAnnexB(await readFile(path))
  const unitOf = (type: number) => units.find((unit) => getNalType(unit) === type) ?? Buffer.alloc(0)
  const parameters = {
    sequence: readSequenceParameters(unitOf(nalType.sps)),
    picture: readPictureParameters(unitOf(nalType.pps)),
  }
  const writer = new StripWriter(size)
  const shown: Int32Array[] = []
  const written = units.map((unit) => {
    const raw = toPayload(unit)
    const isSlice = getNalType(unit) === nalType.slice || getNalType(unit) === nalType.keySlice
    const header = isSlice ? readSliceHeader(raw, parameters) : undefined
    if (header === undefined || header.firstMacroblock !== 0) return unit
    const blocks = new Int32Array(size.columns * size.rows)
    fill(shown.length, blocks)
    shown.push(blocks)
    return writer.write({ ...header, raw }, blocks)
  })
  return { stream: Buffer.concat(written.flatMap((unit) => [START_CODE, unit])), shown }
}

/** Draws blocks as the decoder should. */
function paintStrip(blocks: Int32Array, size: StripSize, width: number): Buffer {
  const luma = Buffer.alloc(width * size.rows * 16)
  for (const [at, block] of blocks.entries()) {
    const [column, row] = [at % size.columns, Math.floor(at / size.columns)]
    const samples = paintBlock(block, size)
    for (let y = 0; y < 16; y += 1)
      luma.set(samples.subarray(y * 16, y * 16 + 16), (row * 16 + y) * width + column * 16)
  }
  return luma
}

/** Repeatable: the same numbers each run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const streams = [
  { name: 'main', path: testClips.main.path, width: 1920, height: 1080, size: { columns: 120, rows: 4 } },
  { name: 'sub', path: testClips.sub.path, width: 640, height: 360, size: { columns: 40, rows: 2 } },
] as const

describe.skipIf(noFfmpeg !== undefined)(
  `the strip, as ffmpeg decodes it${noFfmpeg ? ` (skipped: ${noFfmpeg})` : ''}`,
  () => {
    test.each(streams)(
      '$name: shows every requested block to the pixel, however the blocks change between pictures',
      async (stream) => {
        const random = numbersFrom(7)
        const { stream: written, shown } = await replaceStrips(stream.path, stream.size, (picture, blocks) => {
          const texts = ['DOCK 7', `${picture % 7}${'8A'.repeat(picture % 50)}`, `LOADING  12:00:0${picture % 10}`]
          const text = texts[Math.floor(random() * texts.length)] ?? ''
          composeStrip(stream.size, { text, counter: Math.floor(random() * 2 ** 32) }, blocks)
          // Beyond what a caption can do: blocks at random places, so that motion vectors have all kinds of neighbours.
          for (let i = 0; i < 40; i += 1) {
            const [from, to] = [random(), random()].map((part) => Math.floor(part * blocks.length))
            blocks[to ?? 0] = blocks[from ?? 0] ?? 0
          }
        })
        const decoded = await decodeStrictly(['-f', 'h264', '-i', '-'], stream, written)
        expect(decoded.pictures).toHaveLength(30)
        for (const [picture, blocks] of shown.entries()) {
          const expected = paintStrip(blocks, stream.size, stream.width)
          expect(decoded.pictures[picture]?.subarray(0, expected.length).equals(expected), `picture ${picture}`).toBe(
            true,
          )
        }
      },
    )

    // Motion vectors of the clip may reach into the strip; the checkerboard it was encoded with keeps them from doing so often.
    test.each(streams)(
      '$name: changes at most a thousandth of the picture below the strip, and no key picture',
      async (stream) => {
        const { stream: written } = await replaceStrips(stream.path, stream.size, (picture, blocks) =>
          composeStrip(stream.size, { text: `CAMERA ${picture}`, counter: picture * 7919 }, blocks),
        )
        const [before, after] = await Promise.all([
          decodeStrictly(['-i', stream.path], stream),
          decodeStrictly(['-f', 'h264', '-i', '-'], stream, written),
        ])
        const below = stream.size.rows * 16 * stream.width
        for (const [at, picture] of before.pictures.entries()) {
          const changed = after.pictures[at] ?? Buffer.alloc(0)
          const differing = picture.reduce(
            (sum, luma, pixel) => sum + (pixel >= below && luma !== changed[pixel] ? 1 : 0),
            0,
          )
          expect(differing, `picture ${at}`).toBeLessThanOrEqual(at % 10 === 0 ? 0 : picture.length / 1000)
        }
      },
    )
  },
)
