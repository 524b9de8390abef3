import { expect, test } from 'vitest'
import { CELLS, counterCells, readFrameCounter } from './frame-counter.ts'

/** A grey picture with the strip's cells drawn into it, in limited range. */
function draw(counter: number, size: { width: number; height: number; strip: number }): Uint8Array {
  const { width, height, strip } = size
  const luma = new Uint8Array(width * height).fill(120)
  const cells = counterCells(counter)
  for (let y = 0; y < strip; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isWhite = y >= strip / 2 && cells[Math.floor((x * CELLS) / width)] === 1
      luma[y * width + x] = isWhite ? 235 : 16
    }
  }
  return luma
}

const shapes = [
  { name: 'main', width: 1920, height: 1080, strip: 64 },
  { name: 'main at half size', width: 960, height: 540, strip: 32 },
  { name: 'main at a third', width: 640, height: 360, strip: 64 / 3 },
  { name: 'sub', width: 640, height: 360, strip: 32 },
  { name: 'sub at half size', width: 320, height: 180, strip: 16 },
]

test.each(shapes)('$name: every counter that is drawn is read back unchanged', (shape) => {
  for (const counter of [0, 1, 2, 255, 256, 699_840_017, 2 ** 31, 2 ** 32 - 1]) {
    expect(readFrameCounter(draw(counter, shape), shape.width, shape.height)).toBe(counter)
  }
})

test('the counter restarts at zero after 32 bits', () => {
  expect(counterCells(2 ** 32 + 5)).toEqual(counterCells(5))
})

test('a misread cell makes the counter unreadable, not wrong', () => {
  const shape = { width: 640, height: 360, strip: 32 }
  for (let cell = 0; cell < CELLS; cell += 1) {
    const luma = draw(123_456_789, shape)
    for (let y = 16; y < 32; y += 1) {
      for (let x = cell * 16; x < (cell + 1) * 16; x += 1) luma[y * 640 + x] = 251 - (luma[y * 640 + x] ?? 0)
    }
    expect(readFrameCounter(luma, 640, 360)).toBeUndefined()
  }
})

test('a picture without a strip has no counter', () => {
  expect(readFrameCounter(new Uint8Array(640 * 360).fill(16), 640, 360)).toBeUndefined()
  expect(readFrameCounter(new Uint8Array(640 * 360).fill(235), 640, 360)).toBeUndefined()
  expect(
    readFrameCounter(
      new Uint8Array(640 * 360).map((_, at) => (at * 97) % 256),
      640,
      360,
    ),
  ).toBeUndefined()
})

test("rows may be longer than the picture's width", () => {
  const tight = draw(42, { width: 640, height: 360, strip: 32 })
  const padded = new Uint8Array(704 * 360)
  for (let y = 0; y < 360; y += 1) padded.set(tight.subarray(y * 640, (y + 1) * 640), y * 704)
  expect(readFrameCounter(padded, 640, 360, 704)).toBe(42)
})
