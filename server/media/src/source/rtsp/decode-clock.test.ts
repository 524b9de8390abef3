import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DecodeClock } from './decode-clock.ts'

/** Decoding order of numbers of pictures as they are seen. */
type Order = readonly number[]

const TICKS = 3600

const clockOf = (depth?: number): DecodeClock => {
  const clock = new DecodeClock()
  clock.announce(depth)
  return clock
}

/** Times in pictures of 40 ms, counted from the first one shown. */
const timesOf = (clock: DecodeClock, order: Order, start = 100) =>
  order
    .map((number) => clock.timesOf((start + number) * TICKS))
    .map(({ decoded, shown }) => [decoded / TICKS - start, shown / TICKS - start])

/**
 * A key picture, then pictures in an order in which each is shown at most `depth` positions earlier than it arrives.
 */
const orders = fc
  .tuple(fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 60 }), fc.integer({ min: 0, max: 4 }))
  .map(([choices, depth]) => {
    const left = choices.map((_, number) => number)
    const order: number[] = []
    let ahead = 0
    for (const choice of choices) {
      // A picture may come before others only as long as no more than `depth` have done so.
      const place = ahead < depth ? choice % Math.min(2, left.length) : 0
      const [number = 0] = left.splice(place, 1)
      order.push(number)
      ahead = order.filter((other) => other > (left[0] ?? Number.POSITIVE_INFINITY)).length
    }
    return { order: [0, ...order.map((number) => number + 1)], depth }
  })

describe('decode times', () => {
  test('equal presentation times if pictures arrive in display order', () => {
    for (const depth of [undefined, 0])
      expect(timesOf(clockOf(depth), [0, 1, 2, 3])).toEqual([
        [0, 0],
        [1, 1],
        [2, 2],
        [3, 3],
      ])
  })

  test('of announced B pictures advance evenly from the first picture on', () => {
    expect(timesOf(clockOf(1), [0, 3, 1, 2, 6, 4, 5])).toEqual([
      [-1, 0],
      [0, 3],
      [1, 1],
      [2, 2],
      [3, 6],
      [4, 4],
      [5, 5],
    ])
    const pyramid = timesOf(clockOf(2), [0, 4, 2, 1, 3, 8, 6, 5, 7])
    expect(pyramid.map(([decoded]) => decoded)).toEqual([-2, -1, 0, 1, 2, 3, 4, 5, 6])
  })

  test('of unannounced B pictures wait until the order is known, then advance evenly', () => {
    const times = timesOf(clockOf(), [0, 2, 1, 4, 3, 6, 5]).map(([decoded = 0]) => Math.round(decoded * 1000) / 1000)
    expect(times).toEqual([0, 2, 2, 2.001, 3, 4, 5])
  })

  test('with a known depth are never after presentation and never equal', () => {
    fc.assert(
      fc.property(orders, ({ order, depth }) => {
        const times = timesOf(clockOf(depth), order)
        expect(times.map(([, shown]) => shown)).toEqual(order)
        for (const [index, [decoded = 0, shown = 0]] of times.entries()) {
          expect(decoded).toBeLessThanOrEqual(shown)
          if (index > 0) expect(decoded).toBeGreaterThan(times[index - 1]?.[0] ?? 0)
        }
      }),
      { numRuns: 500, seed: 1 },
    )
  })

  test("don't go back across a loss", () => {
    const clock = clockOf(2)
    timesOf(clock, [0, 2, 1, 4, 3])
    clock.restart()
    const times = timesOf(clock, [50, 52, 51, 54, 53])
    expect(times.map(([decoded]) => decoded)).toEqual([48, 49, 50, 51, 52])
  })

  test('increase even if a camera sets its clock back: its pictures follow each other until the clock has caught up', () => {
    for (const depth of [undefined, 0, 2]) {
      const clock = clockOf(depth)
      const before = Array.from({ length: 20 }, (_, number) => number)
      const after = Array.from({ length: 30 }, (_, number) => number + 5)
      const times = timesOf(clock, [...before, ...after])
      const shown = times.map(([, at = 0]) => at)
      const decoded = times.map(([at = 0]) => at)
      for (const list of [shown, decoded]) expect(list).toEqual(list.toSorted((a, b) => a - b))
      expect(new Set(shown).size).toBe(shown.length)
      expect(shown.at(-1)).toBe(34)
    }
  })
})
