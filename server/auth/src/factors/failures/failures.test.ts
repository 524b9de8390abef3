import { manualClock } from '@sightline/platform/clock'
import { engines } from '@sightline/platform/db-testing'
import { describe, expect, test } from 'vitest'
import { failures, LIMITS, type Subject, WINDOW_MS } from './index.ts'

const user = (userId: number): Subject => ({ kind: 'user', userId })
const HERE = '192.0.2.1'

describe.each(engines)('%s: failed tries', (_, open) => {
  test('ten for one account from one address lock it there for the rest of 15 minutes, and nowhere else', async () => {
    await using database = await open()
    const clock = manualClock(Date.now())
    const counted = failures(database.db('auth'), clock)
    for (let i = 0; i < LIMITS.pair; i++) expect((await counted.reserve([user(1)], HERE)).kind).toBe('open')
    clock.advance(60_000)
    expect(await counted.reserve([user(1)], HERE)).toEqual({ kind: 'locked', retryAfterS: 14 * 60 })
    expect((await counted.reserve([user(1)], '192.0.2.2')).kind).toBe('open')
    expect((await counted.reserve([user(2)], HERE)).kind).toBe('open')
    clock.advance(WINDOW_MS - 60_000)
    expect((await counted.reserve([user(1)], HERE)).kind).toBe('open')
  })

  test('the limit holds for many concurrent tries', async () => {
    await using database = await open()
    const counted = failures(database.db('auth'), manualClock(Date.now()))
    const all = await Promise.all(Array.from({ length: 40 }, () => counted.reserve([user(1)], HERE)))
    expect(all.filter(({ kind }) => kind === 'open')).toHaveLength(LIMITS.pair)
  })

  test('guessing from many addresses locks the account everywhere', async () => {
    await using database = await open()
    const counted = failures(database.db('auth'), manualClock(Date.now()))
    for (let i = 0; i < LIMITS.subject; i++) {
      expect((await counted.reserve([user(1)], `192.0.2.${i}`)).kind).toBe('open')
    }
    expect((await counted.reserve([user(1)], '198.51.100.1')).kind).toBe('locked')
  })

  test('guessing many accounts from one address locks that address for all of them', async () => {
    await using database = await open()
    const counted = failures(database.db('auth'), manualClock(Date.now()))
    for (let i = 0; i < LIMITS.address; i++) expect((await counted.reserve([user(i)], HERE)).kind).toBe('open')
    expect((await counted.reserve([user(9999)], HERE)).kind).toBe('locked')
  })

  test('only failures count: a success clears the account at that address and its own try', async () => {
    await using database = await open()
    const counted = failures(database.db('auth'), manualClock(Date.now()))
    for (let round = 0; round < 30; round++) {
      const reservation = await counted.reserve([user(1)], HERE)
      if (reservation.kind === 'open') await reservation.succeeded([user(1)])
    }
    const rows = await database.db('owner').plain.selectFrom('auth.failures').select(['key', 'failures']).execute()
    expect(rows.every((row) => row.failures === 0)).toBe(true)
  })

  test("many concurrent successes don't deadlock", async () => {
    await using database = await open()
    const counted = failures(database.db('auth'), manualClock(Date.now()))
    const people = [user(1), user(2), user(3)]
    const succeed = async () => {
      for (let i = 0; i < 20; i++) {
        const reservation = await counted.reserve(people, HERE)
        if (reservation.kind === 'open') await reservation.succeeded(people)
      }
    }
    await Promise.all(Array.from({ length: 6 }, succeed))
    const rows = await database.db('owner').plain.selectFrom('auth.failures').select('failures').execute()
    expect(rows.every((row) => row.failures === 0)).toBe(true)
  })

  test('counts survive a restart and contain no email address', async () => {
    await using database = await open()
    const clock = manualClock(Date.now())
    const typo: Subject = { kind: 'email', emailFolded: 'typo-hunter2' }
    for (let i = 0; i < LIMITS.pair; i++) await failures(database.db('auth'), clock).reserve([typo], HERE)
    expect((await failures(database.db('auth'), clock).reserve([typo], HERE)).kind).toBe('locked')
    const rows = await database.db('owner').plain.selectFrom('auth.failures').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('hunter2')
  })

  test("further tries while locked don't extend the lock", async () => {
    await using database = await open()
    const clock = manualClock(Date.now())
    const counted = failures(database.db('auth'), clock)
    for (let i = 0; i < 30; i++) await counted.reserve([user(1)], HERE)
    clock.advance(WINDOW_MS)
    expect((await counted.reserve([user(1)], HERE)).kind).toBe('open')
  })
})
