import { expect, it } from 'vitest'
import { concurrencyLimit } from './concurrency-limit.ts'

it('never exceeds the limit, keeps the order, and continues after a failure', async () => {
  const limited = concurrencyLimit(2)
  const { signal } = new AbortController()
  const started: number[] = []
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const done = ends.map(({ promise }, index) =>
    limited(() => {
      started.push(index)
      return promise
    }, signal).then(
      () => 'ok',
      () => 'failed',
    ),
  )
  await Promise.resolve()
  expect(started).toEqual([0, 1])
  ends[1]?.reject(new Error('no picture'))
  await done[1]
  await expect.poll(() => started).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve()
  expect(await Promise.all(done)).toEqual(['ok', 'failed', 'ok', 'ok'])
  expect(started).toEqual([0, 1, 2, 3])
})

it('does not start canceled work', async () => {
  const limited = concurrencyLimit(1)
  const first = Promise.withResolvers<void>()
  const leaving = new AbortController()
  const busy = limited(() => first.promise, leaving.signal)
  let started = false
  const late = limited(async () => {
    started = true
  }, leaving.signal)
  leaving.abort()
  first.resolve()
  await busy
  await expect(late).rejects.toThrow()
  expect(started).toBe(false)
  await limited(async () => undefined, new AbortController().signal)
})
