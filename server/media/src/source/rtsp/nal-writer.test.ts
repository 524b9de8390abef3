import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UnitMemory } from '../../frame/index.ts'
import { NalWriter } from './nal-writer.ts'

interface Picture {
  readonly sent: readonly Buffer[]
  readonly units: readonly Uint8Array[]
  readonly memory: readonly UnitMemory[]
}

/** Units of these sizes; `number` fills them, so that each picture is another one. */
function write(writer: NalWriter, number: number, sizes: readonly number[]): Picture {
  const sent = sizes.map((size, unit) => Buffer.alloc(size, (number * 7 + unit) & 0xff))
  for (const unit of sent) {
    writer.begin()
    for (let at = 0; at < unit.length; at += 1400) writer.append(unit.subarray(at, at + 1400))
    writer.end()
  }
  const memory = writer.memory ?? []
  return { sent, units: writer.take(), memory }
}

interface Held {
  readonly picture: Picture
  readonly until: number
}

function hold(picture: Picture, isKept: boolean): Picture {
  for (const memory of picture.memory) {
    if (isKept) memory.keep()
    else memory.hold()
  }
  return picture
}

function release({ memory }: Picture): void {
  for (const piece of memory) piece.release()
}

const isIntact = ({ sent, units }: Picture): boolean =>
  sent.every((unit, index) => unit.equals(units[index] ?? Buffer.of()))

const slabs = (pictures: readonly Picture[]): number =>
  new Set(pictures.flatMap(({ units }) => units.map(({ buffer }) => buffer))).size

describe('the memory of pictures', () => {
  test('is written to again after the last one who held it released it', () => {
    const writer = new NalWriter(true)
    const pictures = Array.from({ length: 400 }, (_, number) => write(writer, number, [10_000]))
    expect(slabs(pictures)).toBe(2)
  })

  test('is written to again also if some pictures are larger than all others together', () => {
    const writer = new NalWriter(true)
    const sizeOf = (number: number): number => (number % 50 === 0 ? 300_000 + number : 10_000)
    const pictures = Array.from({ length: 1000 }, (_, number) => write(writer, number, [sizeOf(number)]))
    expect(slabs(pictures)).toBeLessThan(10)
  })

  test('stays as it is for those who hold it, and for good if it was kept', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 5 })
    const plan = fc.record({
      sizes,
      heldFor: fc.integer({ min: 0, max: 30 }),
      isKept: fc.constantFrom(true, ...Array<false>(9).fill(false)),
    })
    fc.assert(
      fc.property(fc.array(plan, { minLength: 20, maxLength: 80 }), (plans) => {
        const writer = new NalWriter(true)
        let held: readonly Held[] = []
        for (const [number, one] of plans.entries()) {
          const picture = hold(write(writer, number, one.sizes), one.isKept)
          const until = one.isKept ? Number.POSITIVE_INFINITY : number + one.heldFor
          held = [...held, { picture, until }]
          expect(held.every((other) => isIntact(other.picture))).toBe(true)
          for (const due of held.filter((other) => other.until <= number)) release(due.picture)
          held = held.filter((other) => other.until > number)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('is new for a reader that lets nobody hold it', () => {
    const writer = new NalWriter()
    const pictures = Array.from({ length: 400 }, (_, number) => write(writer, number, [10_000]))
    expect(writer.memory).toBeUndefined()
    expect(pictures.every(isIntact)).toBe(true)
  })

  test('is released as often as it was held, or it says so', () => {
    const writer = new NalWriter(true)
    const [memory] = write(writer, 0, [100]).memory
    memory?.hold()
    memory?.release()
    // Held by its writer.
    memory?.release()
    expect(() => memory?.release()).toThrow('more often')
  })
})
