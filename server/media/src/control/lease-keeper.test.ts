import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keepLease, LEASE_MS, RENEW_EVERY_MS } from './lease-keeper.ts'

/** Time moves only when told to, and every waiter is woken when its time has come. */
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

test('a lease that is renewed stays held', async () => {
  const { timing, advance } = manualTiming()
  const lease = await keepLease(async () => 7, timing)
  expect(lease?.fence).toBe(7)
  for (let n = 0; n < 10; n += 1) await advance(RENEW_EVERY_MS)
  expect(lease?.isHeld()).toBe(true)
  expect(lease?.lost.aborted).toBe(false)
})

test('a writer that slept through its lease may not write, even before it noticed', async () => {
  const { timing, advance } = manualTiming()
  let answer: number | undefined = 7
  const lease = await keepLease(async () => answer, timing)
  answer = 8
  await advance(LEASE_MS)
  expect(lease?.isHeld()).toBe(false)
  expect(lease?.lost.aborted).toBe(true)
})

test('a database that is away for a moment costs nothing; one that stays away ends the lease', async () => {
  const { timing, advance } = manualTiming()
  let away = false
  const lease = await keepLease(async () => {
    if (away) throw new Error('no connection')
    return 7
  }, timing)
  away = true
  await advance(RENEW_EVERY_MS)
  expect(lease?.isHeld()).toBe(true)
  away = false
  await advance(RENEW_EVERY_MS)
  expect(lease?.isHeld()).toBe(true)
  away = true
  for (let n = 0; n < 4; n += 1) await advance(RENEW_EVERY_MS)
  expect(lease?.isHeld()).toBe(false)
  expect(lease?.lost.aborted).toBe(true)
})

test('a camera that another worker has is waited for', async () => {
  const { timing, advance } = manualTiming()
  let answer: number | undefined
  const taking = keepLease(async () => answer, timing)
  await setImmediate()
  await advance(RENEW_EVERY_MS)
  answer = 3
  await advance(RENEW_EVERY_MS)
  expect((await taking)?.fence).toBe(3)
})
