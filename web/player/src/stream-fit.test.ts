import { expect, test } from 'vitest'
import { StreamFit } from './stream-fit.ts'

const MINUTE = 60_000

test('pictures that stay late lead to the sub-stream, a short delay doesn’t', () => {
  const fit = new StreamFit()
  expect(fit.next('delayed', 0)).toBeUndefined()
  expect(fit.next('delayed', 3500)).toBeUndefined()
  expect(fit.next('playing', 3600)).toBeUndefined()
  expect(fit.next('delayed', 4500)).toBeUndefined()
  expect(fit.next('stalled', 8600)).toBeUndefined()
  expect(fit.next('delayed', 8700)).toBe('sub')
})

test('a camera that stalls isn’t a slow network', () => {
  const fit = new StreamFit()
  for (let now = 0; now < MINUTE; now += 500) expect(fit.next('stalled', now)).toBeUndefined()
})

test('the main stream is tried again after a minute without delay, and twice as late each time', () => {
  const fit = new StreamFit()
  fit.next('delayed', 0)
  expect(fit.next('delayed', 4000)).toBe('sub')
  expect(fit.next('playing', 30_000)).toBeUndefined()
  expect(fit.next('delayed', 40_000)).toBeUndefined()
  expect(fit.next('playing', 40_000 + MINUTE - 1)).toBeUndefined()
  expect(fit.next('playing', 40_000 + MINUTE)).toBe('main')
  fit.next('delayed', 200_000)
  expect(fit.next('delayed', 204_000)).toBe('sub')
  expect(fit.next('playing', 204_000 + 2 * MINUTE - 1)).toBeUndefined()
  expect(fit.next('playing', 204_000 + 2 * MINUTE)).toBe('main')
})
