import { expect, test } from 'vitest'
import { Silence } from './pulse.ts'

/** The state after looks at these times, in milliseconds. */
function after(looks: readonly number[]): Silence['state'] {
  const silence = new Silence(0)
  for (const now of looks) silence.look(now)
  return silence.state
}

const everyHalfSecond = (upTo: number) => Array.from({ length: upTo / 500 }, (_, index) => (index + 1) * 500)

test('a child without a beat is silent after 3.5 s and hung after 6 s', () => {
  expect(after(everyHalfSecond(3000))).toBe('alive')
  expect(after(everyHalfSecond(3500))).toBe('silent')
  expect(after(everyHalfSecond(5500))).toBe('silent')
  expect(after(everyHalfSecond(6000))).toBe('hung')
})

test('a machine that slept for an hour, or a parent that was busy for a minute, ends no child', () => {
  expect(after([500, 1000, 3_600_000, 3_600_500])).toBe('alive')
  expect(after([500, 60_000])).toBe('alive')
})

test('a beat begins the count again', () => {
  const silence = new Silence(0)
  for (const now of everyHalfSecond(5500)) silence.look(now)
  silence.beat()
  expect(silence.state).toBe('alive')
  silence.look(6000)
  expect(silence.state).toBe('alive')
})
