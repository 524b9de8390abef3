import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keepLease, LEASE_MS, type LeaseDeps, RENEW_EVERY_MS } from './lease-keeper.ts'

/** A manual clock; every waiter wakes at its time. */
function manualTiming() {
  let now = 0
  const waiting: { at: number; wake: () => void }[] = []
  const abort = new AbortController()
  return {
    timing: {
      monotonic: () => now,
      wait: (ms: number) => new Promise<void>((wake) => void waiting.push({ at: now + ms, wake })),
      signal: abort.signal,
    },
    async advance(ms: number) {
      now += ms
      for (const waiter of waiting.filter((candidate) => candidate.at <= now)) {
        waiting.splice(waiting.indexOf(waiter), 1)
        waiter.wake()
      }
      await setImmediate()
    },
  }
}

/** A lease with fence 7; the test can change `renew` later. */
async function kept(given: Partial<LeaseDeps> = {}) {
  const { timing, advance } = manualTiming()
  const late: unknown[] = []
  const database = { renew: given.renew ?? (async () => 'held' as const) }
  const lease = await keepLease({
    take: async () => ({ fence: 7, isTakeover: false }),
    late: (byMs, state) => late.push([byMs, state]),
    ...timing,
    ...given,
    renew: (fence) => database.renew(fence),
  })
  if (lease === undefined) throw new Error('expected a lease')
  return { lease, advance, database, late }
}

test('a renewed lease stays held', async () => {
  const { lease, advance, late } = await kept()
  expect(lease.fence).toBe(7)
  for (let n = 0; n < 10; n += 1) await advance(RENEW_EVERY_MS)
  expect(lease.state).toBe('held')
  expect(lease.lost.aborted).toBe(false)
  expect(late).toEqual([])
})

test('a lease that was slept through has lapsed until it is renewed', async () => {
  const { lease, advance, database, late } = await kept()
  const answer = Promise.withResolvers<'held'>()
  database.renew = () => answer.promise
  await advance(LEASE_MS)
  expect(lease.state).toBe('lapsed')
  answer.resolve('held')
  await advance(0)
  expect(lease.state).toBe('held')
  expect(lease.lost.aborted).toBe(false)
  expect(late).toEqual([[LEASE_MS - RENEW_EVERY_MS, 'lapsed']])
})

test('a lease taken by another worker is lost with that cause', async () => {
  const { lease, advance, database } = await kept()
  database.renew = async () => 'takeover'
  await advance(LEASE_MS)
  expect(lease.state).toBe('taken')
  expect(lease.lost.reason).toBe('takeover')
})

test('a lease lapses while the database is down, and is held again when the database is back', async () => {
  const { lease, advance, database } = await kept()
  database.renew = async () => Promise.reject(new Error('no connection'))
  await advance(RENEW_EVERY_MS)
  expect(lease.state).toBe('held')
  for (let n = 0; n < 4; n += 1) await advance(RENEW_EVERY_MS)
  expect([lease.state, lease.lost.aborted]).toEqual(['lapsed', false])
  database.renew = async () => 'held'
  await advance(500)
  expect([lease.state, lease.lost.aborted]).toEqual(['held', false])
})

test('a worker waits for a camera that another worker has', async () => {
  const { timing, advance } = manualTiming()
  let answer: { fence: number; isTakeover: boolean } | undefined
  const taking = keepLease({ take: async () => answer, renew: async () => 'held', late: () => undefined, ...timing })
  await setImmediate()
  await advance(RENEW_EVERY_MS)
  answer = { fence: 3, isTakeover: true }
  await advance(RENEW_EVERY_MS)
  expect(await taking).toMatchObject({ fence: 3, isTakeover: true })
})
