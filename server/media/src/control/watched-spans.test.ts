import { expect, test } from 'vitest'
import { WatchedSpans } from './watched-spans.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

const watched = (...spans: readonly (readonly [number, number])[]) => {
  const all = new WatchedSpans()
  for (const [from, till] of spans) all.add({ from, till })
  return all.take().map(({ from, till }) => [from, till])
}

test('footage that follows, also backwards or with pictures left out, is one span', () => {
  const forward = Array.from({ length: 60 }, (_, n) => [n * SECOND, (n + 1) * SECOND] as const)
  expect(watched(...forward)).toEqual([[0, MINUTE]])
  expect(watched(...forward.toReversed())).toEqual([[0, MINUTE]])
  expect(watched(...forward.filter((_, n) => n % 5 === 0))).toEqual([[0, 56 * SECOND]])
})

test('a jump begins another span, one back into a span doesn’t', () => {
  expect(watched([0, SECOND], [MINUTE, MINUTE + SECOND], [500, 3 * SECOND])).toEqual([
    [0, 3 * SECOND],
    [MINUTE, MINUTE + SECOND],
  ])
  expect(watched([0, SECOND], [20 * SECOND, 21 * SECOND], [9 * SECOND, 12 * SECOND])).toEqual([[0, 21 * SECOND]])
})

test('of very many, the closest are put together, so that nothing is left out', () => {
  const far = Array.from({ length: 22 }, (_, n) => [n * MINUTE, n * MINUTE + SECOND] as const)
  const spans = watched(...far, [21 * MINUTE + 15 * SECOND, 21 * MINUTE + 16 * SECOND])
  expect(spans).toHaveLength(20)
  expect(spans.at(-1)).toEqual([21 * MINUTE, 21 * MINUTE + 16 * SECOND])
  expect(spans[0]?.[0]).toBe(0)
})

test('what was taken is not told again', () => {
  const all = new WatchedSpans()
  all.add({ from: 0, till: SECOND })
  expect(all.take()).toHaveLength(1)
  expect(all.take()).toEqual([])
})
