import { expect, test } from 'vitest'
import { clipEnd, type FootageSlice } from './clip-end.ts'

const MINUTE = 60_000
/** Minutes. */
const slice = (store: string, start: number, end: number, began = start): FootageSlice => ({
  store,
  start: start * MINUTE,
  end: end * MINUTE,
  began: began * MINUTE,
})
const endOf = (slices: readonly FootageSlice[], [from, till]: readonly [number, number]): number =>
  clipEnd(slices, { from: from * MINUTE, till: till * MINUTE }) / MINUTE

test.each([
  ['without footage', [], [0, 10], 10],
  ['of one disk', [slice('disk', 0, 60), slice('disk', 60, 120)], [10, 100], 100],
  ['with a gap that no disk fills', [slice('disk', 0, 20), slice('disk', 40, 60)], [10, 50], 50],
  ['that another machine continues', [slice('disk', 0, 20), slice('north', 21, 60)], [10, 50], 20],
  ['its second part', [slice('disk', 0, 20), slice('north', 21, 60)], [20, 50], 50],
  [
    'that two machines recorded for a while: the later one',
    [slice('disk', 0, 30), slice('north', 20, 60)],
    [25, 50],
    50,
  ],
  ['the same from before: as long as the first goes', [slice('disk', 0, 30), slice('north', 20, 60)], [10, 50], 30],
  ['with another machine in a gap', [slice('disk', 0, 20), slice('north', 20, 30), slice('disk', 30, 60)], [5, 50], 20],
  ['where nothing was recorded at first', [slice('north', 20, 60)], [0, 50], 50],
] as const)('a file %s', (_, slices, span, end) => {
  expect(endOf(slices, span)).toBe(end)
})
