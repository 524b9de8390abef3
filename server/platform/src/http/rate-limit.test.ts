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

test('many callers of long ago are forgotten, those who are still too fast are not', () => {
  const { clock, limit } = clockwork(1, 1)
  for (let n = 0; n < 10_000; n += 1) limit.refusal(`old ${n}`)
  clock.now += 5000
  limit.refusal('fast')
  for (let n = 0; n < 10_000; n += 1) limit.refusal(`new ${n}`)
  expect(limit.refusal('fast')).toBeDefined()
})
