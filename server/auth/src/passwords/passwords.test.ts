import { describe, expect, test } from 'vitest'
import { openPasswords } from './index.ts'
import { limited } from './limited.ts'

describe('hashing', () => {
  test('argon2id with 19 MiB, two passes, one lane, and a salt each', async () => {
    const passwords = await openPasswords()
    const [one, other] = await Promise.all([passwords.hash('Correct-horse7'), passwords.hash('Correct-horse7')])
    expect(one.ok && one.value).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toEqual(other)
    expect(await passwords.verify(one.ok ? one.value : '', 'Correct-horse7')).toEqual({ ok: true, value: true })
    expect(await passwords.verify(one.ok ? one.value : '', 'correct-horse7')).toEqual({ ok: true, value: false })
  })
  test('nobody has no password', async () => {
    const passwords = await openPasswords()
    expect(await passwords.verify(undefined, '')).toEqual({ ok: true, value: false })
  })
  test('beyond the queue it is refused at once instead of piling up', async () => {
    const passwords = await openPasswords()
    const all = await Promise.all(Array.from({ length: 200 }, () => passwords.verify(undefined, 'x')))
    const refused = all.filter((answer) => !answer.ok)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toEqual({ ok: false, failure: 'overloaded' })
    expect((await passwords.verify(undefined, 'x')).ok).toBe(true)
  })
})

describe('limited', () => {
  test('never runs more than allowed, first come first served, and goes on after failures', async () => {
    const run = limited({ running: 2, waiting: 10 })
    let running = 0
    let most = 0
    const order: number[] = []
    const work = (n: number) => async () => {
      running += 1
      most = Math.max(most, running)
      order.push(n)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      if (n === 3) throw new Error('third')
    }
    const results = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => run(work(n))))
    expect(most).toBe(2)
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(results.map(({ status }) => status)[3]).toBe('rejected')
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  })
})
