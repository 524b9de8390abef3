import { expect, test } from 'vitest'
import { createRateLimiter } from './rate-limiter.ts'

const clockwork = (perSecond: number, burst: number) => {
  const clock = { now: 1000 }
  return { clock, limit: createRateLimiter({ perSecond, burst }, () => clock.now) }
}

test('a burst is allowed at once, and further calls at the rate limit', () => {
  const { clock, limit } = clockwork(10, 5)
  const calls = () => Array.from({ length: 7 }, () => limit.consume('a') === undefined)
  expect(calls()).toEqual([true, true, true, true, true, false, false])
  clock.now += 200
  expect(calls()).toEqual([true, true, false, false, false, false, false])
  clock.now += 60_000
  expect(calls()).toEqual([true, true, true, true, true, false, false])
})

test('a caller who waits for the given time is served', () => {
  const { clock, limit } = clockwork(10, 2)
  limit.consume('a')
  limit.consume('a')
  const wait = limit.consume('a') ?? 0
  expect(wait).toBe(100)
  clock.now += wait
  expect(limit.consume('a')).toBeUndefined()
})

test("keys don't affect each other", () => {
  const { limit } = clockwork(10, 1)
  expect([limit.consume('a'), limit.consume('b')]).toEqual([undefined, undefined])
  expect(limit.consume('a')).toBeDefined()
})

test('100,000 keys are remembered, and beyond that the least recently used are forgotten', () => {
  const { limit } = clockwork(1, 1)
  limit.consume('gone')
  limit.consume('again and again')
  for (let n = 0; n < 100_000; n += 1) {
    limit.consume(`new ${n}`)
    if (n % 1000 === 0) limit.consume('again and again')
  }
  expect(limit.consume('again and again')).toBeDefined()
  expect(limit.consume('gone')).toBeUndefined()
})
