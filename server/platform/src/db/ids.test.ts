import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { bothEngines, POOL_SIZE } from '../db-testing/index.ts'
import { FIRST_ID, ID_SPACE, idSource, permutation } from './ids.ts'

const counter = fc.integer({ min: 0, max: ID_SPACE - 1 })
const key = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes))

test('two counters never give the same id, and every id is in range', () => {
  fc.assert(
    fc.property(key, counter, counter, (secret, a, b) => {
      const permute = permutation(secret)
      const ids = [permute(a), permute(b)]
      const isInside = ids.every((id) => Number.isInteger(id) && id >= 0 && id < ID_SPACE)
      return isInside && (ids[0] === ids[1]) === (a === b)
    }),
  )
})

test('the first 20,000 counters give 20,000 ids without a pattern', () => {
  const permute = permutation(randomBytes(16))
  const ids = Array.from({ length: 20_000 }, (_, n) => permute(n))
  expect(new Set(ids).size).toBe(ids.length)
  const rises = ids.filter((id, n) => id > (ids[n - 1] ?? 0)).length
  // A random order rises half of the time; six standard deviations are 2.2 %.
  expect(Math.abs(rises / ids.length - 0.5)).toBeLessThan(0.022)
})

test('a counter out of range is an error', () => {
  const permute = permutation(randomBytes(16))
  for (const n of [-1, 0.5, ID_SPACE]) expect(() => permute(n)).toThrow(RangeError)
})

test.each(bothEngines)(
  '%s: several sources never give the same id, across blocks, and never a small one',
  async (_, open) => {
    await using database = await open()
    const sources = (['app', 'auth', 'media', 'app'] as const).map((role) => idSource(database.db(role)))
    const ids = await Promise.all(sources.flatMap((source) => Array.from({ length: 700 }, () => source.next())))
    expect(new Set(ids).size).toBe(2800)
    expect(Math.min(...ids)).toBeGreaterThanOrEqual(FIRST_ID)
    expect(Math.max(...ids)).toBeLessThan(Number.MAX_SAFE_INTEGER)
  },
)

test.each(bothEngines)('%s: transactions that use every connection still get ids', async (_, open) => {
  await using database = await open()
  const db = database.db('app')
  const ids = idSource(db)
  let waiting = 0
  let release: () => void = () => undefined
  const all = new Promise<void>((resolve) => {
    release = resolve
  })
  // Takes every connection of the pool, so that none is left for the id source.
  const given = await Promise.all(
    Array.from({ length: POOL_SIZE }, () =>
      db.transaction(async (tx) => {
        await sql`select 1`.execute(tx)
        waiting += 1
        if (waiting === POOL_SIZE) release()
        await all
        return ids.next()
      }),
    ),
  )
  expect(new Set(given).size).toBe(POOL_SIZE)
})
