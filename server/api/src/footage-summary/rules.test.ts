import { expect, test } from 'vitest'
import { shareSeconds } from './rules.ts'

const HOUR = 3_600_000
const share = (hour: number, recordedMs: number) => ({ from: hour * HOUR, till: (hour + 1) * HOUR, recordedMs })

test('one span has all of the thirty seconds, also if little was recorded', () => {
  expect(shareSeconds([share(0, 5000)])).toEqual([{ from: 0, till: HOUR, seconds: 30 }])
  expect(shareSeconds([share(0, 0)])).toEqual([{ from: 0, till: HOUR, seconds: 30 }])
})

test('several spans have seconds as their shares of the footage, a second at least, and those without footage none', () => {
  const parts = shareSeconds([share(0, 2 * HOUR), share(1, 0), share(2, HOUR), share(3, 1000)])
  expect(parts.map(({ from, seconds }) => [from / HOUR, seconds])).toEqual([
    [0, 20],
    [2, 10],
    [3, 1],
  ])
})

test('of many spans, the twelve with the most footage are shown, in order', () => {
  const parts = shareSeconds(Array.from({ length: 20 }, (_, n) => share(n, n % 2 === 0 ? HOUR : n)))
  expect(parts).toHaveLength(12)
  expect(parts.map(({ from }) => from / HOUR)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 17, 18, 19])
})
