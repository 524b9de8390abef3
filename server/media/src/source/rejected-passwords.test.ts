import { expect, test } from 'vitest'
import { type CameraHabits, parseHabits } from './camera-habits.ts'
import { RejectedPasswords } from './rejected-passwords.ts'

const MINUTE = 60_000

/** A clock that the test sets. */
function counted(habits: CameraHabits = {}) {
  const clock = { now: 1.8e12 }
  const of = (kind: 'rejections' | 'onvifRejections') => new RejectedPasswords(habits, kind, () => clock.now)
  return { habits, clock, of }
}

test('a pause lasts until it is over, and each further rejection counts', () => {
  const { clock, of } = counted()
  const rejected = of('rejections')
  expect([rejected.count, rejected.leftMs]).toEqual([0, 0])
  rejected.add(5 * MINUTE)
  clock.now += 2 * MINUTE
  expect([rejected.count, rejected.leftMs]).toEqual([1, 3 * MINUTE])
  clock.now += 10 * MINUTE
  expect(rejected.leftMs).toBe(0)
  rejected.add(15 * MINUTE)
  expect([rejected.count, rejected.leftMs]).toEqual([2, 15 * MINUTE])
})

test('streams and events count by themselves: a camera may take a password for one of them only', () => {
  const { habits, of } = counted()
  of('rejections').add(MINUTE)
  of('onvifRejections').add(5 * MINUTE)
  of('onvifRejections').add(15 * MINUTE)
  of('rejections').clear()
  expect(habits).toEqual({ onvifRejections: { count: 2, retryAt: 1.8e12 + 15 * MINUTE } })
  expect([of('rejections').leftMs, of('onvifRejections').leftMs]).toEqual([0, 15 * MINUTE])
})

test('the next process of a worker waits for the rest of the pause', () => {
  const before = counted()
  before.of('onvifRejections').add(60 * MINUTE)
  const after = counted(parseHabits(JSON.parse(JSON.stringify(before.habits))))
  after.clock.now += 20 * MINUTE
  const rejected = after.of('onvifRejections')
  expect([rejected.count, rejected.leftMs]).toEqual([1, 40 * MINUTE])
})

test('a clock that was set back by a year makes no pause longer than 75 minutes', () => {
  const { clock, of } = counted()
  of('onvifRejections').add(60 * MINUTE)
  clock.now -= 365 * 24 * 60 * MINUTE
  expect(of('onvifRejections').leftMs).toBe(75 * MINUTE)
})
