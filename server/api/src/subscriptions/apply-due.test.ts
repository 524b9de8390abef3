import { randomBytes } from 'node:crypto'
import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import { type ManualClock, MS_PER_DAY, manualClock } from '@sightline/platform/clock'
import { type Db, idSource, openDatabase } from '@sightline/platform/db'
import { engines, type TestDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { bringForward, runJobs } from '@sightline/platform/jobs/testing'
import { silentLogger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { type SubscriptionChangesDeps, subscriptionTasks } from './apply-due.ts'
import { subscriptions } from './index.ts'

describe.each(engines)('applying the next subscription on %s', (_engine, open) => {
  let database: TestDatabase
  let api: TestApi
  let clock: ManualClock
  let dealer: string
  let account: { accountId: number; token: string; zoneId: number }

  beforeAll(async () => {
    database = await open()
    api = await testApi({ slices: [subscriptions], open: async () => database })
    dealer = (await api.addStaff()).token
    await api.addPackage(1)
    await api.addPackage(2, { quality: 'HD1', days: 30, maxCameras: 20 })
    await api.addPackage(3, { maxCameras: 1 })
  })
  afterAll(() => api[Symbol.asyncDispose]())
  beforeEach(async () => {
    await api.owner.plain.deleteFrom('mail_outbox').execute()
    await api.owner.plain.deleteFrom('subscriptions').execute()
    at('2026-11-21T12:00:00Z')
    account = await api.addAccount()
    await choose({ subscriptionId: 2 })
  })

  /** The same time for the API and for the process that applies changes. */
  const at = (moment: string) => {
    api.now = Date.parse(moment)
    clock = manualClock(api.now)
  }
  const choose = (body: object) => api.call(dealer, `PATCH ${path()}`, body)
  const path = () => `resellers/self/accounts/${account.accountId}/subscriptions/current`
  const lines = async () => {
    const rows = await api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'user_id', 'after'])
      .where('account_id', '=', account.accountId)
      .where('action', 'like', 'subscription%')
      .orderBy('at')
      .execute()
    return rows.map(({ action, user_id, after }) => [action, user_id, after?.subscriptionId])
  }
  const mails = async () =>
    (await api.owner.plain.selectFrom('mail_outbox').select(['kind', 'recipient']).execute()).map((mail) => [
      mail.kind,
      mail.recipient,
    ])
  const stored = () =>
    api.owner.plain
      .selectFrom('subscriptions')
      .selectAll()
      .where('account_id', '=', account.accountId)
      .executeTakeFirstOrThrow()

  const seals = envelopeEncryption(randomBytes(32))
  /** Applies subscription changes like a process of the product. */
  const runner = (db: Db = api.app, over: Partial<SubscriptionChangesDeps> = {}): SubscriptionChangesDeps => ({
    db,
    ids: idSource(db),
    brands: brandSource(createBrandLookup(db), { scheme: 'https', ownHosts: () => ['video.example'], clock }),
    outbox: mailOutbox(seals, clock),
    clock,
    log: silentLogger,
    ...over,
  })
  const applyDue = async (deps: SubscriptionChangesDeps) => {
    await bringForward(api.owner)
    await runJobs(database.connection, subscriptionTasks(deps))
  }
  const pool = (): Db =>
    openDatabase({
      connection: database.connection,
      role: 'app',
      maxConnections: 2,
      applicationName: 'test-another-process',
      log: silentLogger,
    })

  test('happens the day after the last day, with one audit entry and one email', async () => {
    await choose({ subscriptionId: 1 })
    at('2027-11-20T23:59:00Z')
    await applyDue(runner())
    expect([await lines(), await mails()]).toEqual([[], []])
    at('2027-11-21T00:00:00Z')
    for (let round = 0; round < 3; round += 1) await applyDue(runner())
    expect(await lines()).toEqual([['subscriptionChanged', null, 1]])
    expect(await mails()).toEqual([['subscriptionChanged', `owner-${account.accountId}@demo.example`]])
    expect(await stored()).toMatchObject({
      subscription_package_id: 1,
      start_date: '2027-11-21',
      end_date: '2028-11-20',
      ended_at: null,
    })
  })

  test.each([
    ['Pacific/Kiritimati', '2027-11-20T09:59:00Z', '2027-11-20T10:00:00Z'],
    ['America/Los_Angeles', '2027-11-21T07:59:00Z', '2027-11-21T08:00:00Z'],
  ])("uses the account's own day: in %s", async (timeZone, before, after) => {
    const accounts = api.owner.plain.updateTable('accounts').set({ time_zone: timeZone })
    await accounts.where('account_id', '=', account.accountId).execute()
    at(before)
    await applyDue(runner())
    expect(await lines()).toEqual([])
    at(after)
    await applyDue(runner())
    expect(await lines()).toEqual([['subscriptionProlonged', null, 2]])
  })

  test('makes one change for several periods without a running server', async () => {
    at('2030-01-01T12:00:00Z')
    await applyDue(runner())
    expect(await lines()).toEqual([['subscriptionProlonged', null, 2]])
    expect(await stored()).toMatchObject({ start_date: '2029-11-21', end_date: '2030-11-20' })
  })

  test("ends a subscription once if it isn't renewed: the owner is notified, cameras stay, none can be added, and a new choice restarts it", async () => {
    await api.addCamera(account.accountId, account.zoneId, 'Door')
    await choose({ nextSubscriptionPackageId: -1 })
    at('2027-12-01T12:00:00Z')
    for (let round = 0; round < 3; round += 1) {
      await applyDue(runner())
      clock.advance(MS_PER_DAY)
    }
    expect(await lines()).toEqual([['subscriptionEnded', null, undefined]])
    expect(await mails()).toEqual([['subscriptionEnded', `owner-${account.accountId}@demo.example`]])
    expect((await api.call(account.token, 'GET accounts/self/subscriptions/current')).body).toMatchObject({
      subscriptionId: 2,
      nextSubscriptionId: -1,
      endDate: '2027-11-20',
    })
    const add = () => api.addCamera(account.accountId, account.zoneId, 'Gate')
    await expect(add()).rejects.toThrow(/may hold 0 cameras/)
    expect((await choose({ subscriptionId: 2 })).body).toMatchObject({ startDate: '2027-12-01', endDate: '2028-11-30' })
    await add()
    expect((await stored()).ended_at).toBeNull()
  })

  test('applies a smaller package even with too many cameras, and then adds no more', async () => {
    await choose({ subscriptionId: 3 })
    for (const name of ['Door', 'Gate']) await api.addCamera(account.accountId, account.zoneId, name)
    at('2027-11-21T12:00:00Z')
    await applyDue(runner())
    expect(await lines()).toEqual([['subscriptionChanged', null, 3]])
    await expect(api.addCamera(account.accountId, account.zoneId, 'Yard')).rejects.toThrow(/may hold 1 cameras/)
  })

  test('records an overdue renewal even if the owner chooses before the job runs', async () => {
    at('2027-11-21T12:00:00Z')
    expect((await choose({ nextSubscriptionPackageId: -1 })).body).toMatchObject({
      startDate: '2027-11-21',
      endDate: '2028-11-20',
      nextSubscriptionId: -1,
    })
    expect(await lines()).toEqual([['subscriptionProlonged', null, 2]])
    await applyDue(runner())
    expect(await lines()).toHaveLength(1)
  })

  test("happens once among many processes, and isn't repeated after a crash half-way", async () => {
    await choose({ subscriptionId: 1 })
    at('2027-11-21T12:00:00Z')
    const others = Array.from({ length: 4 }, pool)
    const dies = others.map((db) =>
      runner(db, {
        outbox: {
          async add(tx, mail) {
            await mailOutbox(seals, clock).add(tx, mail)
            throw new Error('the process ends here')
          },
        },
      }),
    )
    await Promise.all(dies.map((one) => applyDue(one)))
    expect([await lines(), await mails()]).toEqual([[], []])
    expect(await stored()).toMatchObject({ subscription_package_id: 2, end_date: '2027-11-20' })
    for (let round = 0; round < 3; round += 1) await Promise.all(others.map((db) => applyDue(runner(db))))
    expect(await lines()).toEqual([['subscriptionChanged', null, 1]])
    expect(await mails()).toHaveLength(1)
    await Promise.all(others.map((db) => db[Symbol.asyncDispose]()))
  })

  test('continues with other accounts if one fails', async () => {
    const first = account
    account = await api.addAccount()
    await choose({ subscriptionId: 2 })
    at('2027-11-21T12:00:00Z')
    const outbox = mailOutbox(seals, clock)
    await applyDue(
      runner(api.app, {
        outbox: {
          async add(tx, mail) {
            if (mail.accountId === first.accountId) throw new Error('this one never goes')
            await outbox.add(tx, mail)
          },
        },
      }),
    )
    expect(await lines()).toHaveLength(1)
    account = first
    expect(await lines()).toEqual([])
  })

  test('lets the API role write subscription emails for that account only, and read none', async () => {
    const outbox = mailOutbox(seals, clock)
    const content = { senderName: 'A', subject: 'B', text: 'C', html: 'D', language: 'en', pictures: [] }
    const write = (kind: string, accountId: number) =>
      api.app.inTenant({ accountId: account.accountId, userId: account.accountId }, (tx) =>
        outbox.add(tx, {
          ...content,
          accountId,
          mailId: Math.floor(Math.random() * 2 ** 40),
          kind,
          to: 'a@demo.example',
        }),
      )
    await write('subscriptionEnded', account.accountId)
    await expect(write('invitation', account.accountId)).rejects.toThrow(/row-level security/)
    await expect(write('subscriptionEnded', account.accountId + 1)).rejects.toThrow(/row-level security/)
    await expect(api.app.plain.selectFrom('mail_outbox').selectAll().execute()).rejects.toThrow(/permission denied/)
  })
})
