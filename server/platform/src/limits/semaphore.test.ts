import { describe, expect, test } from 'vitest'
import { ok } from '../result/index.ts'
import { limitedCall } from './overload-error.ts'
import { createSemaphore } from './semaphore.ts'

const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}
const served = ok('served')
const serve = async () => 'served'

describe('a limit per key', () => {
  test('runs that many at once and the rest in order', async () => {
    const { run } = createSemaphore<number>({ perKey: { concurrency: 2, queue: 10 } })
    const gates = Array.from({ length: 5 }, gate)
    const begun: number[] = []
    const all = gates.map(({ promise }, at) =>
      run(1, async () => {
        begun.push(at)
        await promise
        return at
      }),
    )
    await Promise.resolve()
    expect(begun).toEqual([0, 1])
    gates[1]?.open()
    await all[1]
    await Promise.resolve()
    expect(begun).toEqual([0, 1, 2])
    for (const { open } of gates) open()
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4].map(ok))
    expect(begun).toEqual([0, 1, 2, 3, 4])
  })

  test("doesn't block another key", async () => {
    const { run } = createSemaphore<number>({ perKey: { concurrency: 1, queue: 10 } })
    const slow = gate()
    const first = run(1, () => slow.promise)
    expect(await run(2, serve)).toEqual(served)
    slow.open()
    await first
  })

  test('refuses when its queue is full, and still serves what waits', async () => {
    const { run } = createSemaphore<number>({ perKey: { concurrency: 1, queue: 1 } })
    const slow = gate()
    const first = run(1, () => slow.promise)
    const second = run(1, serve)
    expect(await run(1, serve)).toEqual({ ok: false, failure: 'keyFull' })
    slow.open()
    await first
    expect(await second).toEqual(served)
    expect(await run(1, serve)).toEqual(served)
  })

  test('releases the slot of failed work', async () => {
    const { run } = createSemaphore<number>({ perKey: { concurrency: 1, queue: 5 } })
    const failing = run(1, async () => {
      throw new Error('broken')
    })
    const next = run(1, serve)
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toEqual(served)
  })
})

describe('an overall limit', () => {
  test('queues across keys, and skips a key at its own limit', async () => {
    const { run } = createSemaphore<number>({
      perKey: { concurrency: 1, queue: 5 },
      overall: { concurrency: 2, queue: 5 },
    })
    const gates = Array.from({ length: 4 }, gate)
    const begun: string[] = []
    const work = (name: string, at: number) => async () => {
      begun.push(name)
      await gates[at]?.promise
    }
    const all = [run(1, work('1a', 0)), run(2, work('2a', 1)), run(1, work('1b', 2)), run(3, work('3a', 3))]
    await Promise.resolve()
    expect(begun).toEqual(['1a', '2a'])
    gates[1]?.open()
    await all[1]
    // The second work of key 1 came before that of key 3, but key 1 is still busy.
    await expect.poll(() => begun).toEqual(['1a', '2a', '3a'])
    for (const { open } of gates) open()
    await Promise.all(all)
    expect(begun).toEqual(['1a', '2a', '3a', '1b'])
  })

  test('refuses every key when its queue is full', async () => {
    const { run } = createSemaphore<number>({ overall: { concurrency: 1, queue: 1 } })
    const slow = gate()
    const first = run(1, () => slow.promise)
    const second = run(2, serve)
    expect(await run(3, serve)).toEqual({ ok: false, failure: 'full' })
    slow.open()
    await first
    expect(await second).toEqual(served)
  })
})

describe('a permit', () => {
  test('is granted immediately or not at all, and released once', async () => {
    const { tryAcquire } = createSemaphore<number>({ perKey: { concurrency: 1 }, overall: { concurrency: 2 } })
    const first = tryAcquire(1)
    expect(tryAcquire(1)).toEqual({ ok: false, failure: 'keyFull' })
    const second = tryAcquire(2)
    expect(tryAcquire(3)).toEqual({ ok: false, failure: 'full' })
    expect([first.ok, second.ok]).toEqual([true, true])
    if (first.ok) {
      first.value.release()
      first.value.release()
    }
    expect(tryAcquire(3).ok).toBe(true)
    expect(tryAcquire(4)).toEqual({ ok: false, failure: 'full' })
  })

  test('starts waiting work when released', async () => {
    const { run, tryAcquire } = createSemaphore<number>({ perKey: { concurrency: 1, queue: 1 } })
    const held = tryAcquire(1)
    const waiting = run(1, serve)
    if (held.ok) held.value.release()
    expect(await waiting).toEqual(served)
  })
})

test('a call is refused with 429 because of its own account, and with 503 because of others', async () => {
  const semaphore = createSemaphore<number>({ perKey: { concurrency: 1 }, overall: { concurrency: 2 } })
  const exporting = limitedCall(semaphore, { doing: 'exporting the audit log', retryAfterS: 5 })
  const slow = gate()
  const file = async () => {
    await slow.promise
    return ok('file')
  }
  const first = [exporting(1, file), exporting(2, file)]
  expect(await exporting(1, file)).toMatchObject({ failure: { error: 'tooManyRequests', retryAfter: 5 } })
  expect(await exporting(3, file)).toMatchObject({ failure: { error: 'overloaded', retryAfter: 5 } })
  slow.open()
  expect(await Promise.all(first)).toEqual([ok('file'), ok('file')])
  expect(await exporting(1, async () => ok('file'))).toEqual(ok('file'))
})
