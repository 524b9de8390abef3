import { expect, test } from 'vitest'
import { turns } from './turns.ts'

const held = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, release: resolve }
}

test('so much of one key runs at once, the rest in the order in which it came', async () => {
  const { take } = turns({ atOnce: 2, waiting: 10 })
  const gates = Array.from({ length: 5 }, held)
  const begun: number[] = []
  const all = gates.map(({ promise }, at) =>
    take(1, async () => {
      begun.push(at)
      await promise
      return at
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  gates[1]?.release()
  await all[1]
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2])
  for (const { release } of gates) release()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4])
  expect(begun).toEqual([0, 1, 2, 3, 4])
})

test('another key does not wait for it', async () => {
  const { take } = turns({ atOnce: 1, waiting: 10 })
  const gate = held()
  const slow = take(1, () => gate.promise)
  expect(await take(2, async () => 'served')).toBe('served')
  gate.release()
  await slow
})

test('where too much waits the next one is told, and what waits is served all the same', async () => {
  const { take } = turns({ atOnce: 1, waiting: 1 })
  const gate = held()
  const first = take(1, () => gate.promise)
  const second = take(1, async () => 'second')
  expect(await take(1, async () => 'third')).toBe('full')
  gate.release()
  await first
  expect(await second).toBe('second')
  expect(await take(1, async () => 'fourth')).toBe('fourth')
})

test('work that fails gives its place on', async () => {
  const { take } = turns({ atOnce: 1, waiting: 5 })
  const failing = take(1, async () => {
    throw new Error('broken')
  })
  const next = take(1, async () => 'served')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('served')
})
