import { type Db, idSource, openDatabase } from '@sightline/platform/db'
import { engines, type TestDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { slotFault } from './index.ts'

const AT_ONCE = 20
const FREE = 3

describe.each(engines)('slots on %s', (_engine, open) => {
  let database: TestDatabase
  let owner: Db
  /** A connection each, as the API has them. */
  let apps: readonly Db[]
  beforeAll(async () => {
    database = await open()
    owner = database.db('owner')
    const { connection } = database
    apps = Array.from({ length: AT_ONCE }, (_, at) =>
      openDatabase({ connection, role: 'app', maxConnections: 1, applicationName: `adder-${at}`, log: silentLogger }),
    )
    await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
    await owner.plain.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app[Symbol.asyncDispose]()))
    await database[Symbol.asyncDispose]()
  })

  const addAccount = async (limits: { max_cameras?: number; max_devices?: number }) => {
    const ids = idSource(owner)
    const [account_id, zone_id] = [await ids.next(), await ids.next()]
    await owner.plain
      .insertInto('accounts')
      .values({ account_id, reseller_id: 255, name: 'Shop', ...limits })
      .execute()
    await owner.plain.insertInto('zones').values({ account_id, zone_id, name: 'Shop' }).execute()
    return { account_id, zone_id }
  }
  type Account = Awaited<ReturnType<typeof addAccount>>

  /** The result of adding to an account over many connections at the same time. */
  const allAtOnce = async (account: Account, table: 'cameras' | 'devices', first = 1) => {
    const place = { address: '192.0.2.7', rtsp_port: 554, main_path: '/main' }
    const outcomes = await Promise.allSettled(
      apps.map((app, at) =>
        app.inTenant({ accountId: account.account_id, userId: account.account_id }, (tx) => {
          const thing = { ...account, name: `Thing ${at}`, eth_mac_address: '02:00:00:00:00:01' }
          return table === 'cameras'
            ? tx
                .insertInto('cameras')
                .values({ ...thing, ...place, camera_id: first + at })
                .execute()
            : tx
                .insertInto('devices')
                .values({ ...thing, device_id: first + at })
                .execute()
        }),
      ),
    )
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    return { added: AT_ONCE - errors.length, errors }
  }

  test.each([
    ['cameras', 20, 'not enough camera slots'],
    ['devices', 235, 'not enough device slots'],
  ] as const)('of 20 %s added at once exactly as many succeed as there are slots', async (table, operation, detail) => {
    const account = await addAccount({ max_cameras: FREE, max_devices: FREE })
    const { added, errors } = await allAtOnce(account, table, operation * 100)
    expect(added).toBe(FREE)
    const present = owner.plain.selectFrom(table).select('name').where('account_id', '=', account.account_id)
    expect(await present.execute()).toHaveLength(FREE)
    for (const error of errors) {
      expect(slotFault(error, { operation })).toEqual({ error: 'businessRule', detail })
      expect(slotFault(error, {})).toEqual({ error: 'subscriptionLimit', detail })
    }
  })

  test('a camera that could not be added takes no slot, and takes one again when it is tried again', async () => {
    const account = await addAccount({ max_cameras: 1 })
    const { account_id } = account
    const place = { address: '192.0.2.7', rtsp_port: 554, main_path: '/main', eth_mac_address: '' }
    const add = (cameraId: number, name: string, more: object = {}) =>
      owner.plain
        .insertInto('cameras')
        .values({ ...account, ...place, camera_id: cameraId, name, ...more })
        .execute()
    const [failed, good] = [account_id + 100, account_id + 101]
    await add(failed, 'Failed', { addition_status: 'failure' })
    await add(good, 'Good')
    await expect(add(account_id + 102, 'Third')).rejects.toThrow('may hold 1 cameras')
    const retry = () =>
      owner.plain
        .updateTable('cameras')
        .set({ addition_status: 'inProgress' })
        .where('account_id', '=', account_id)
        .where('camera_id', '=', failed)
        .execute()
    const error = await retry().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(slotFault(error, { operation: 20 })).toMatchObject({ error: 'businessRule' })
    await owner.plain.deleteFrom('cameras').where('camera_id', '=', good).execute()
    await retry()
    await expect(add(account_id + 103, 'Fourth')).rejects.toThrow('may hold 1 cameras')
  })

  test("an account without its own limit has the package's", async () => {
    const account = await addAccount({})
    const plan = { reseller_id: 255, subscription_package_id: 9001 }
    await owner.plain
      .insertInto('subscription_packages')
      .values({ ...plan, name: 'HD', max_cameras: FREE })
      .execute()
    const term = { start_date: '2026-01-01', end_date: '2027-01-01' }
    await owner.plain
      .insertInto('subscriptions')
      .values({ ...plan, ...term, account_id: account.account_id })
      .execute()
    expect((await allAtOnce(account, 'cameras', 5000)).added).toBe(FREE)
    // The package says nothing about devices.
    expect((await allAtOnce(account, 'devices', 6000)).added).toBe(AT_ONCE)
  })

  test("an account at its limit doesn't stop others from adding", async () => {
    const full = await addAccount({ max_cameras: 0 })
    const free = await addAccount({ max_cameras: AT_ONCE })
    const [refused, added] = await Promise.all([allAtOnce(full, 'cameras', 7000), allAtOnce(free, 'cameras', 8000)])
    expect([refused.added, added.added]).toEqual([0, AT_ONCE])
  })

  test("an unrelated error isn't mistaken for a limit", () => {
    expect(slotFault(new Error('limit_of_cameras'), { operation: 20 })).toBeUndefined()
  })
})
