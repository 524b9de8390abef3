import { expect, test } from 'vitest'
import { LoopPressure } from './loop-pressure.ts'

/** Looks, each so many milliseconds later than it was due. */
function looked(lateness: readonly number[]) {
  const pressure = new LoopPressure(0)
  let now = 0
  const gone = lateness.map((late) => {
    now += 250 + late
    return pressure.look(now)
  })
  return { pressure, now, gone }
}

test('a loop that keeps up is not late', () => {
  const { pressure, now, gone } = looked([0, 10, 200, 499, 0])
  expect(pressure.isLate(now)).toBe(false)
  expect(gone).not.toContain(true)
})

test('a loop that was half a second late is late for another second, and then no more', () => {
  const { pressure, now } = looked([0, 500])
  expect(pressure.isLate(now)).toBe(true)
  for (const later of [250, 500, 750]) expect(pressure.look(now + later)).toBe(false)
  expect(pressure.isLate(now + 750)).toBe(true)
  pressure.look(now + 1000)
  expect(pressure.isLate(now + 1000)).toBe(false)
})

test('a look that is overdue makes it late before the look is made', () => {
  const { pressure, now } = looked([0])
  expect(pressure.isLate(now + 700)).toBe(false)
  expect(pressure.isLate(now + 800)).toBe(true)
})

test('viewers have to go when it is very late twice in a row, not after one sleep of the machine', () => {
  expect(looked([60_000, 0, 0]).gone).toEqual([false, false, false])
  expect(looked([1000, 600, 1000]).gone).toEqual([false, false, false])
  expect(looked([1000, 1000, 1500, 0]).gone).toEqual([false, true, true, false])
})
