import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { silentLogger } from '../../log/index.ts'
import type { Postmaster } from './postmaster.ts'
import { restartPauseMs, supervise } from './supervisor.ts'

test('the first restart comes at once, later ones after growing pauses of at most 30 s', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 1000].map(restartPauseMs)).toEqual([
    200, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})

/** How often a server had failed in a row before each start, if it ran for these times between its crashes. */
async function failuresOf(ranForMs: readonly number[]): Promise<readonly number[]> {
  let now = 0
  const failures: number[] = []
  let crash: (exit: string) => void = () => undefined
  const server = () => {
    const { promise: ended, resolve } = Promise.withResolvers<string>()
    crash = resolve
    return { pid: 1, ended, stop: async () => resolve('stopped') } as unknown as Postmaster
  }
  const supervised = supervise(server(), {
    start: async () => server(),
    log: silentLogger,
    pauseMs: (count) => {
      failures.push(count)
      return 0
    },
    monotonic: () => now,
  })
  const starts: number[] = []
  for (const ms of ranForMs) {
    await setImmediate()
    now += ms
    crash('signal SIGKILL')
    await expect.poll(supervised.problem, { interval: 1 }).toBeDefined()
    starts.push(failures.at(-1) ?? 0)
    await expect.poll(supervised.problem, { interval: 1 }).toBeUndefined()
  }
  await supervised.stop()
  return starts
}

test('a server that worked between two crashes starts at once, one that ends again soon after a growing pause', async () => {
  expect(await failuresOf([30_000, 30_000, 30_000, 30_000, 30_000])).toEqual([1, 1, 1, 1, 1])
  expect(await failuresOf([30_000, 500, 500, 30_000, 500])).toEqual([1, 2, 3, 1, 2])
})
