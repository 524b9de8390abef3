import { describe, expect, test } from 'vitest'
import { openPasswords } from './index.ts'

describe('hashing', () => {
  test('uses argon2id with 19 MiB, two passes, one lane and a random salt', async () => {
    const passwords = await openPasswords()
    const [one, other] = await Promise.all([passwords.hash('Correct-horse7'), passwords.hash('Correct-horse7')])
    expect(one.ok && one.value).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toEqual(other)
    expect(await passwords.verify(one.ok ? one.value : '', 'Correct-horse7')).toEqual({ ok: true, value: true })
    expect(await passwords.verify(one.ok ? one.value : '', 'correct-horse7')).toEqual({ ok: true, value: false })
  })
  test('an unknown user has no password', async () => {
    const passwords = await openPasswords()
    expect(await passwords.verify(undefined, '')).toEqual({ ok: true, value: false })
  })
  test('runs one at a time, in order of arrival', async () => {
    const passwords = await openPasswords()
    const done: number[] = []
    await Promise.all(Array.from({ length: 12 }, (_, n) => passwords.verify(undefined, 'x').then(() => done.push(n))))
    expect(done).toEqual(Array.from({ length: 12 }, (_, n) => n))
  })
  test('refuses requests beyond the queue immediately', async () => {
    const passwords = await openPasswords()
    const all = await Promise.all(Array.from({ length: 200 }, () => passwords.verify(undefined, 'x')))
    const refused = all.filter((answer) => !answer.ok)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toEqual({ ok: false, failure: 'overloaded' })
    expect((await passwords.verify(undefined, 'x')).ok).toBe(true)
  })
})
