import { expect, test } from 'vitest'
import { steadyClock } from './clock.ts'

function machine() {
  const time = { wall: 1_800_000_000_000, monotonic: 100 }
  const now = steadyClock(
    () => time.wall,
    () => time.monotonic,
  )
  return { time, now }
}

test('follows the monotonic clock when the wall clock is corrected forward or back', () => {
  const { time, now } = machine()
  time.monotonic += 1000
  time.wall += 4000
  expect(now()).toBe(1_800_000_001_000)
  time.monotonic += 1000
  time.wall -= 3_600_000
  expect(now()).toBe(1_800_000_002_000)
})

test('is right again after the machine sleeps', () => {
  const { time, now } = machine()
  time.monotonic += 20
  time.wall += 3_600_000
  expect(now()).toBe(1_800_003_600_000)
  time.monotonic += 40
  time.wall += 40
  expect(now()).toBe(1_800_003_600_040)
})
