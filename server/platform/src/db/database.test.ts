import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bothEngines, type TestDatabase } from '../db-testing/index.ts'
import { isForeignKeyViolation, isUnavailable, isUniqueViolation, type Tx } from './index.ts'

const ONE = { accountId: 4_294_967_301, userId: 4_294_967_301 }
const OTHER = { accountId: 4_294_967_302, userId: 4_294_967_302 }

describe.each(bothEngines)('%s', (_, open) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await open()
    const owner = database.db('owner').plain
    await owner.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
    await owner.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
    for (const { accountId } of [ONE, OTHER]) {
      await owner.insertInto('accounts').values({ account_id: accountId, reseller_id: 255, name: 'A' }).execute()
      await owner
        .insertInto('zones')
        .values({ account_id: accountId, zone_id: accountId + 10, name: 'Z' })
        .execute()
    }
  })
  afterAll(() => database[Symbol.asyncDispose]())

  test('a read-only transaction changes nothing, because the database refuses it', async () => {
    const { readOnly } = database.db('app')
    const rename = readOnly.inTenant(ONE, (tx) => tx.updateTable('zones').set({ name: 'Other' }).execute())
    await expect(rename).rejects.toMatchObject({ code: '25006' })
    const zones = await readOnly.inTenant(ONE, (tx) => tx.selectFrom('zones').select('name').execute())
    expect(zones).toEqual([{ name: 'Z' }])
  })

  test('a tenant sees only its own rows without a filter', async () => {
    const zones = await database.db('app').inTenant(ONE, (tx) => tx.selectFrom('zones').selectAll().execute())
    expect(zones.map((zone) => zone.account_id)).toEqual([ONE.accountId])
  })

  test('reads of two tenants, and failed reads between them, share connections and see only their own rows', async () => {
    const { readOnly } = database.db('app')
    const zonesOf = (scope: typeof ONE) =>
      readOnly.inTenant(scope, (tx) => tx.selectFrom('zones').select('account_id').execute())
    const failing = () => readOnly.inTenant(ONE, (tx) => sql`select 1 / 0`.execute(tx))
    const rounds = Array.from({ length: 40 }, async (_round, index) => {
      const scope = index % 2 === 0 ? ONE : OTHER
      expect(await zonesOf(scope)).toEqual([{ account_id: scope.accountId }])
      await expect(failing()).rejects.toMatchObject({ code: '22012' })
      expect(await zonesOf(scope)).toEqual([{ account_id: scope.accountId }])
    })
    await Promise.all(rounds)
  })

  test('a read whose work ends before its first query returns its connection', async () => {
    const { readOnly } = database.db('app')
    for (let n = 0; n < 30; n += 1) {
      await expect(readOnly.inTenant(ONE, () => Promise.reject(new Error('left')))).rejects.toThrow('left')
    }
    expect(await readOnly.inTenant(ONE, (tx) => tx.selectFrom('zones').select('name').execute())).toHaveLength(1)
  })

  test("a connection whose read doesn't end is not reused", async () => {
    const { plain, readOnly } = database.db('owner')
    const pid = async (from: Pick<Tx, 'getExecutor'>) =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(from)).rows[0]?.pid
    await sql`create temp table one_of_each (n integer unique deferrable initially deferred)`.execute(plain)
    const before = await readOnly.transaction(async (tx) => {
      await sql`insert into one_of_each values (1), (1)`.execute(tx)
      return pid(tx)
    })
    await expect.poll(() => pid(plain).catch(() => before)).not.toBe(before)
  })

  test('without a tenant the tenant tables are closed, on new and used connections', async () => {
    const app = database.db('app')
    const readAll = () => app.plain.selectFrom('zones').selectAll().execute()
    await expect(readAll()).rejects.toThrow(/app\.account|bigint/)
    await app.inTenant(ONE, (tx) => tx.selectFrom('zones').selectAll().execute())
    for (let n = 0; n < 5; n += 1) await expect(readAll()).rejects.toThrow(/app\.account|bigint/)
    await expect(app.transaction((tx) => tx.selectFrom('zones').selectAll().execute())).rejects.toThrow()
  })

  test("another tenant's rows can't be written, changed or removed", async () => {
    const app = database.db('app')
    const insert = app.inTenant(ONE, (tx) =>
      tx.insertInto('zones').values({ account_id: OTHER.accountId, zone_id: 9, name: 'mine' }).execute(),
    )
    await expect(insert).rejects.toThrow(/row-level security/)
    await app.inTenant(ONE, async (tx) => {
      await tx.updateTable('zones').set({ name: 'taken' }).where('account_id', '=', OTHER.accountId).execute()
      await tx.deleteFrom('zones').where('account_id', '=', OTHER.accountId).execute()
    })
    const owner = database.db('owner').plain
    const rows = await owner.selectFrom('zones').select('name').where('account_id', '=', OTHER.accountId).execute()
    expect(rows).toEqual([{ name: 'Z' }])
  })

  test('no plane can change or remove audit entries', async () => {
    for (const role of ['app', 'auth', 'media'] as const) {
      const db = database.db(role)
      const change = db.inTenant(ONE, (tx) => tx.updateTable('audit_log').set({ action: 'other' }).execute())
      await expect(change).rejects.toThrow(/permission denied/)
      const remove = db.inTenant(ONE, (tx) => tx.deleteFrom('audit_log').execute())
      await expect(remove).rejects.toThrow(/permission denied/)
    }
  })

  test("the API and the media plane can't read passwords or tokens", async () => {
    for (const role of ['app', 'media'] as const) {
      const read = database.db(role).plain.selectFrom('auth.credentials').selectAll().execute()
      await expect(read).rejects.toThrow(/permission denied/)
    }
  })

  test("tenant ids that aren't integers never reach the server", async () => {
    const scope = { accountId: "1'; drop table zones; --" as unknown as number, userId: 1 }
    await expect(database.db('app').inTenant(scope, async () => 1)).rejects.toThrow(TypeError)
  })

  test('a transaction that throws leaves nothing behind', async () => {
    const app = database.db('app')
    const work = app.inTenant(ONE, async (tx) => {
      await tx.insertInto('zones').values({ account_id: ONE.accountId, zone_id: 77, name: 'half' }).execute()
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    const rows = await app.inTenant(ONE, (tx) => tx.selectFrom('zones').selectAll().where('zone_id', '=', 77).execute())
    expect(rows).toEqual([])
  })

  test('a connection that breaks between two statements fails only its transaction, as unavailable', async () => {
    const app = database.db('app')
    const work = app.inTenant(ONE, async (tx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx).catch(() => undefined)
      // No query is waiting when the connection breaks; the process must survive that.
      await sleep(100)
      await sql`select 1`.execute(tx)
    })
    expect(isUnavailable(await work.catch((error: unknown) => error))).toBe(true)
    await app.inTenant(ONE, (tx) => sql`select 1`.execute(tx))
  })

  test('a transaction that lost a conflict is retried, and both succeed', async () => {
    const app = database.db('app')
    const [first, second] = [501, 502]
    await app.inTenant(ONE, (tx) =>
      tx
        .insertInto('zones')
        .values([first, second].map((zone_id) => ({ account_id: ONE.accountId, zone_id, name: `${zone_id} ` })))
        .execute(),
    )
    let attempts = 0
    const both = Promise.withResolvers<void>()
    // Each locks the row that the other one wants next, so the server ends one of them (40P01).
    const write = (letter: string, order: readonly number[]) =>
      app.inTenant(ONE, async (tx) => {
        for (const zoneId of order) {
          await tx
            .updateTable('zones')
            .set({ name: sql`name || ${letter}::text` })
            .where('zone_id', '=', zoneId)
            .execute()
          if (zoneId !== order[0]) continue
          attempts += 1
          if (attempts === 2) both.resolve()
          await both.promise
        }
      })
    await Promise.all([write('a', [first, second]), write('b', [second, first])])
    // The loser may lock its row again before the winner wakes up, and lose a second time.
    expect(attempts).toBeGreaterThanOrEqual(3)
    const zones = await app.inTenant(ONE, (tx) =>
      tx.selectFrom('zones').select('name').where('zone_id', 'in', [first, second]).execute(),
    )
    expect(zones.map(({ name }) => [...name.slice(4)].toSorted().join(''))).toEqual(['ab', 'ab'])
  })

  test('a constraint violation names its constraint', async () => {
    const again = await database
      .db('owner')
      .plain.insertInto('accounts')
      .values({ account_id: ONE.accountId, reseller_id: 255, name: 'A' })
      .execute()
      .catch((error: unknown) => error)
    expect(isUniqueViolation(again, 'accounts_pkey')).toBe(true)
    expect(isUniqueViolation(again, 'other_key')).toBe(false)
    const orphan = await database
      .db('owner')
      .plain.insertInto('accounts')
      .values({ account_id: 9, reseller_id: 9, name: 'A' })
      .execute()
      .catch((error: unknown) => error)
    expect(isForeignKeyViolation(orphan)).toBe(true)
  })
})
