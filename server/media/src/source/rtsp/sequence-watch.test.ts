import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SequenceWatch } from './sequence-watch.ts'

const watch = (...sequences: readonly number[]): number[] => {
  const watched = new SequenceWatch()
  return sequences.map((sequence) => watched.missingBefore(sequence & 0xff_ff))
}

describe('packet numbers', () => {
  test('that are missing are counted, across the end of the number space too', () => {
    expect(watch(10, 11, 14, 15)).toEqual([0, 0, 2, 0])
    expect(watch(65_534, 65_535, 0, 3)).toEqual([0, 0, 0, 2])
  })

  test('that come again are ignored', () => {
    expect(watch(10, 11, 11, 10, 12)).toEqual([0, 0, -1, -1, 0])
    expect(watch(200, 101, 201)).toEqual([0, -1, 0])
  })

  test.each([
    ['back by 10,000', -10_000],
    ['back by 30,000', -30_000],
    ['ahead by 10,000', 10_000],
  ])('that step %s are followed after two consecutive packets, and count as a loss', (_, step) => {
    expect(watch(20_000, 20_001, 20_002 + step, 20_003 + step, 20_004 + step)).toEqual([0, 0, -1, 1, 0])
  })

  test('of a stray packet change nothing', () => {
    expect(watch(20_000, 20_001, 5, 20_002, 900, 20_003)).toEqual([0, 0, -1, 0, -1, 0])
  })

  test('never stop a stream: after any step a camera that counts on is followed within a hundred packets', () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xff_ff }), fc.nat({ max: 0xff_ff }), (first, next) => {
        const watched = new SequenceWatch()
        for (let number = 0; number < 5; number++) watched.missingBefore((first + number) & 0xff_ff)
        const answers = Array.from({ length: 120 }, (_, number) => watched.missingBefore((next + number) & 0xff_ff))
        expect(answers.slice(101).every((missing) => missing === 0)).toBe(true)
      }),
      { numRuns: 500, seed: 1 },
    )
  })
})
