import { expect, test } from 'vitest'
import { rateLimit } from './rate-limit.ts'

const clockwork = (perSecond: number, burst: number) => {
  const clock = { now: 1000 }
  return { clock, limit: rateLimit({ perSecond, burst }, () => clock.now) }
}

test('a burst may come at once; after it calls come as fast as the limit says', () => {
  const { clock, limit } = clockwork(10, 5)
  const calls = () => Array.from({ length: 7 }, () => limit.refusal('a') === undefined)
  expect(calls()).toEqual([true, true, true, true, true, false, false])
  clock.now += 200
  expect(calls()).toEqual([true, true, false, false, false, false, false])
  clock.now += 60_000
  expect(calls()).toEqual([true, true, true, true, true, false, false])
})

test('whoever waits as long as was said is served', () => {
  const { clock, limit } = clockwork(10, 2)
  limit.refusal('a')
  limit.refusal('a')
  const wait = limit.refusal('a') ?? 0
  expect(wait).toBe(100)
  clock.now += wait
  expect(limit.refusal('a')).toBeUndefined()
})

test('callers do not count for each other', () => {
  const { limit } = clockwork(10, 1)
  expect([limit.refusal('a'), limit.refusal('b')]).toEqual([undefined, undefined])
  expect(limit.refusal('a')).toBeDefined()
})

test('100,000 callers are remembered; of more, those who were heard of longest ago are forgotten', () => {
  const { limit } = clockwork(1, 1)
  limit.refusal('gone')
  limit.refusal('again and again')
  for (let n = 0; n < 100_000; n += 1) {
    limit.refusal(`new ${n}`)
    if (n % 1000 === 0) limit.refusal('again and again')
  }
  expect(limit.refusal('again and again')).toBeDefined()
  expect(limit.refusal('gone')).toBeUndefined()
})
