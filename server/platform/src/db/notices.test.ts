import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { testDatabase } from '../db-testing/index.ts'

const PATIENCE = { timeout: 10_000 }
const isConnected = (said: readonly unknown[]) => vi.waitFor(() => expect(said).toContain(undefined), PATIENCE)

test('notices of a channel reach all who listen, also after the connection was lost', async () => {
  await using database = await testDatabase()
  const owner = database.db('owner').plain
  const app = database.db('app')
  const notify = (text: string) => sql`select pg_notify('events', ${text})`.execute(owner)
  const [one, other]: [unknown[], unknown[]] = [[], []]
  const stopOne = app.eventNotices((payload) => one.push(payload))
  const stopOther = app.eventNotices((payload) => other.push(payload))
  await isConnected(one)
  await notify('7')
  await vi.waitFor(() => expect([one.at(-1), other.at(-1)]).toEqual(['7', '7']), PATIENCE)
  stopOther()
  one.length = 0
  const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where usename = current_user and query like 'listen%'`.execute(app.plain)
  expect(ended.rows).toHaveLength(1)
  await isConnected(one)
  await notify('8')
  await vi.waitFor(() => expect(one.at(-1)).toBe('8'), PATIENCE)
  expect(other.at(-1)).toBe('7')
  stopOne()
})
