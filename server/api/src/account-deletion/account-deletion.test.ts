import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCheckpointPath, startSigner, verifyAudit } from '@sightline/platform/audit-chain'
import { MS_PER_DAY, MS_PER_HOUR, manualClock } from '@sightline/platform/clock'
import { type Db, instant } from '@sightline/platform/db'
import { engines, hold, type TestDatabase } from '@sightline/platform/db-testing'
import type { JobTasks } from '@sightline/platform/jobs'
import { bringForward, runJobs } from '@sightline/platform/jobs/testing'
import { silentLogger } from '@sightline/platform/log'
import { publicHalf } from '@sightline/platform/signed-line'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLogs } from '../audit-logs/index.ts'
import { cameras } from '../cameras/index.ts'
import { deletionsDeps, moveDeletion } from '../deletion-testing.ts'
import { permissionProfiles } from '../permission-profiles/index.ts'
import { resellerAccounts } from '../reseller-accounts/index.ts'
import { RIGHT_CODE, RIGHT_PASSWORD, type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from '../sub-users/index.ts'
import { userDetails } from '../user-details/index.ts'
import { users } from '../users/index.ts'
import { deletionTasks } from './carry-out.ts'
import { erasureTasks } from './erase.ts'
import { accountDeletion } from './index.ts'

const slices = [accountDeletion, auditLogs, cameras, permissionProfiles, resellerAccounts, subUsers, userDetails, users]

const proof = { password: RIGHT_PASSWORD }

describe.each(engines)('deletions on %s', (_engine, open) => {
  let database: TestDatabase
  let api: TestApi
  let account: { accountId: number; token: string; zoneId: number }
  let dealer: string

  beforeAll(async () => {
    database = await open()
    api = await testApi({ slices, open: async () => database })
    dealer = (await api.addStaff()).token
  })
  afterAll(() => api[Symbol.asyncDispose]())
  beforeEach(async () => {
    await api.owner.plain.deleteFrom('mail_outbox').execute()
    api.now = Date.now()
    account = await api.addAccount()
  })

  const ask = (token = account.token, body: object = proof) => api.call(token, 'POST users/self/deletion', body)
  const state = async (token = account.token) => (await api.call(token, 'GET users/self/deletion')).body
  const mails = async () => {
    const rows = await api.owner.plain
      .selectFrom('mail_outbox')
      .select(['kind', 'recipient'])
      .where('account_id', '=', account.accountId)
      .orderBy('mail_id')
      .execute()
    return rows.map(({ kind, recipient }) => [kind, recipient])
  }
  const run = async (tasks: JobTasks) => {
    await bringForward(database.db('owner'))
    await runJobs(database.connection, tasks)
  }
  const carry = (now = Date.now(), db = api.app) => run(deletionTasks(deletionsDeps(db, manualClock(now))))
  const isThere = async (userId: number) =>
    (await api.owner.plain.selectFrom('users').select('user_id').where('user_id', '=', userId).execute()).length === 1
  const actions = async (accountId: number) => {
    const rows = await api.owner.plain
      .selectFrom('audit_log')
      .select('action')
      .where('account_id', '=', accountId)
      .orderBy('at')
      .execute()
    return rows.map(({ action }) => action)
  }

  test('an owner requests deletion of the account, sees the date and cancels it', async () => {
    expect(await state()).toEqual({
      what: 'account',
      requestedAt: null,
      deletesAt: null,
      accountDeletesAt: null,
      asksForCode: false,
    })
    const asked = await ask()
    expect(asked.status).toBe(200)
    const deletesAt = Date.parse(asked.body.deletesAt)
    expect(deletesAt - api.now).toBe(14 * MS_PER_DAY)
    expect(await state()).toEqual(asked.body)
    const guard = await api.addSubUser(account.accountId, { rights: [] })
    expect(await state(guard.token)).toMatchObject({
      what: 'person',
      deletesAt: null,
      accountDeletesAt: asked.body.deletesAt,
    })
    expect((await api.call(account.token, 'DELETE users/self/deletion')).status).toBe(204)
    expect(await state()).toMatchObject({ deletesAt: null, accountDeletesAt: null })
    expect(await api.call(account.token, 'DELETE users/self/deletion')).toMatchObject({
      status: 409,
      body: { code: 6 },
    })
    const to = `owner-${account.accountId}@demo.example`
    expect((await mails()).sort()).toEqual([
      ['deletionCancelled', to],
      ['deletionRequested', to],
    ])
    expect(await actions(account.accountId)).toEqual(['requestDeletion', 'cancelDeletion'])
  })

  test('a second request changes nothing and is not logged', async () => {
    const first = await ask()
    api.now += MS_PER_HOUR
    expect((await ask()).body).toEqual(first.body)
    expect(await mails()).toHaveLength(1)
    expect(await actions(account.accountId)).toEqual(['requestDeletion'])
  })

  test("deletion needs the password, and the second factor's code if there is one; support, keys and demonstrations can't request it", async () => {
    expect(await ask(account.token, { password: 'another one' })).toMatchObject({ status: 401, body: { code: 8 } })
    expect(await ask(account.token, { ...proof, code: '999999' })).toMatchObject({ status: 403, body: { code: 9 } })
    expect(await ask(account.token, {})).toMatchObject({ status: 400, body: { code: 3 } })
    for (const kind of ['support', 'apiKey'] as const) {
      const token = await api.addToken({ accountId: account.accountId, userId: account.accountId }, kind)
      expect((await ask(token)).status).toBe(403)
      expect((await api.call(token, 'DELETE users/self/deletion')).status).toBe(403)
    }
    await api.owner.plain
      .updateTable('accounts')
      .set({ user_type: 'demo' })
      .where('account_id', '=', account.accountId)
      .execute()
    expect((await ask()).status).toBe(403)
    await api.owner.plain
      .updateTable('accounts')
      .set({ user_type: 'trial' })
      .where('account_id', '=', account.accountId)
      .execute()
    expect((await ask(account.token, { ...proof, code: RIGHT_CODE })).status).toBe(200)
  })

  test.each([
    ['wrong', 'locked', 429],
    ['wrong', 'overloaded', 429],
  ] as const)("a password that can't be checked now doesn't count as right: %s %s", async (_wrong, verdict, status) => {
    await using other = await testApi({ slices, password: verdict })
    const { token } = await other.addAccount()
    expect((await other.call(token, 'POST users/self/deletion', proof)).status).toBe(status)
  })

  test('the reseller sees the request in its own log and with the account', async () => {
    const { body } = await ask()
    const log = await api.call(dealer, 'GET resellers/self/auditLogs?actions=requestDeletion')
    expect(log.body[0]).toMatchObject({ action: 'requestDeletion', target: { id: account.accountId } })
    const seen = await api.call(dealer, `GET resellers/self/accounts/${account.accountId}`)
    expect(seen.body.deletesAt).toBe(body.deletesAt)
  })

  test('the owner gets one reminder a day before the end, and nothing is deleted earlier', async () => {
    const deletesAt = Date.parse((await ask()).body.deletesAt)
    await carry(deletesAt - MS_PER_DAY - 1)
    expect((await mails()).map(([kind]) => kind)).toEqual(['deletionRequested'])
    for (const now of [deletesAt - MS_PER_DAY, deletesAt - MS_PER_HOUR, deletesAt - 1]) await carry(now)
    expect((await mails()).map(([kind]) => kind).sort()).toEqual(['deletionAhead', 'deletionRequested'])
    expect(await isThere(account.accountId)).toBe(true)
  })

  test("a cancelled deletion isn't carried out, even if both happen at the same moment", async () => {
    await ask()
    await moveDeletion(api.owner, account.accountId, Date.now() - 1)
    await using held = await hold(
      { owner: api.owner.plain },
      `select from users where user_id = ${account.accountId} for update`,
    )
    const cancelled = api.call(account.token, 'DELETE users/self/deletion')
    await held.waiting(1)
    const carried = carry()
    await held.waiting(2)
    await held.release()
    expect((await cancelled).status).toBe(204)
    await carried
    expect(await isThere(account.accountId)).toBe(true)
  })

  test('at the end the account is deleted with everything in it, once, and other accounts stay', async () => {
    const { accountId, zoneId } = account
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const guard = await api.addSubUser(accountId, { rights: ['viewUserSettings'], cameraIds: [cameraId] })
    const other = await api.addAccount()
    await api.addCamera(other.accountId, other.zoneId, 'Other door')
    await api.call(account.token, 'POST permissionProfiles', { name: 'Guards', rights: {} })
    await ask()
    await moveDeletion(api.owner, accountId, Date.now() - 1)
    await Promise.all([carry(), carry(), carry()])
    expect((await mails()).filter(([kind]) => kind === 'deletionDone')).toHaveLength(1)
    expect(await actions(accountId)).toContain('accountDeleted')
    for (const userId of [accountId, guard.userId]) expect(await isThere(userId)).toBe(false)
    expect((await api.call(account.token, 'GET users/self')).status).toBe(401)
    expect((await api.call(other.token, 'GET cameras')).body).toHaveLength(1)
    const gone = await api.owner.plain
      .selectFrom('erasures')
      .select('user_id')
      .where('account_id', '=', accountId)
      .execute()
    expect(gone.map((row) => row.user_id).sort()).toEqual([accountId, guard.userId].sort())
  })

  test('a sub-user deletes only their own user; entries of what they did stay', async () => {
    const { accountId } = account
    const guard = await api.addSubUser(accountId, { rights: [] })
    expect((await ask(guard.token)).body).toMatchObject({ what: 'person', accountDeletesAt: null })
    await moveDeletion(api.owner, guard.userId, Date.now() - 1)
    await carry()
    expect(await isThere(guard.userId)).toBe(false)
    expect(await isThere(accountId)).toBe(true)
    expect((await api.call(account.token, 'GET users/self')).status).toBe(200)
    expect(await actions(accountId)).toEqual(['requestDeletion', 'personDeleted'])
  })

  test('users deleted by the owner or the dealer are erased from the log as late as if they had asked themselves', async () => {
    const { accountId } = account
    const guard = await api.addSubUser(accountId, { rights: [] })
    expect((await api.call(account.token, `DELETE users/${guard.userId}`)).status).toBe(204)
    expect((await api.call(dealer, `DELETE resellers/self/accounts/${accountId}`)).status).toBe(204)
    const rows = await api.owner.plain
      .selectFrom('erasures')
      .select(['user_id', 'removed_at', 'erase_after'])
      .where('account_id', '=', accountId)
      .orderBy('removed_at')
      .execute()
    expect(rows.map((row) => [row.user_id, row.erase_after - row.removed_at])).toEqual([
      [guard.userId, 14 * MS_PER_DAY],
      [accountId, 14 * MS_PER_DAY],
    ])
  })

  describe('the log of a deleted account', () => {
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sightline-erased-'))
    })
    afterAll(() => rm(folder, { recursive: true }))

    const forgotten: number[] = []
    const erase = (now = Date.now()) =>
      run(
        erasureTasks({
          db: database.db('eraser'),
          auth: { forgetUser: async ({ userId }) => void forgotten.push(userId) },
          clock: manualClock(now),
          log: silentLogger,
        }),
      )
    const personal = async (owner: Db, accountId: number) => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from audit_log l where (l.account_id = ${accountId} or l.target_id = ${accountId})
          and (actor_name is not null or before is not null or after is not null or address is not null or salt is not null)`.execute(
        owner.plain,
      )
      return rows[0]?.n
    }

    test('loses its personal values and still verifies; unsigned entries wait', async () => {
      const { accountId } = account
      const other = await api.addAccount()
      await api.call(other.token, 'PATCH users/self', { firstName: 'Grace' })
      await api.call(account.token, 'PATCH users/self/details', { city: 'Canary Wharf' })
      await ask()
      await moveDeletion(api.owner, accountId, Date.now() - 1)
      await carry()
      await api.owner.plain
        .updateTable('mail_outbox')
        .set({ sent_at: instant(Date.now()), content_sealed: null })
        .execute()
      const all = await personal(api.owner, accountId)
      await erase()
      expect(await personal(api.owner, accountId)).toBe(all)
      const { privateKey } = generateKeyPairSync('ed25519')
      const file = getCheckpointPath(join(folder, 'audit'))
      const signer = startSigner({
        db: database.db('sealer'),
        signingKey: privateKey,
        file,
        clock: manualClock(Date.now()),
        log: silentLogger,
      })
      await signer[Symbol.asyncDispose]()
      await erase(Date.now() + MS_PER_HOUR)
      expect(await personal(api.owner, accountId)).toBe(0)
      expect(await personal(api.owner, other.accountId)).toBeGreaterThan(0)
      expect(forgotten).toContain(accountId)
      const settings = {
        publicKey: publicHalf(privateKey),
        file,
        isCopy: false,
        accountId: undefined,
        since: undefined,
      }
      const report = await verifyAudit(api.owner, { ...settings, isSealing: false, now: Date.now() })
      expect(report.findings).toEqual([])
      expect(report.chains.erased).toBeGreaterThanOrEqual(5)
      const [row] = await api.owner.plain.selectFrom('erasures').selectAll().where('user_id', '=', accountId).execute()
      expect(row).toMatchObject({ sign_in_erased_at: expect.any(Number), log_erased_at: expect.any(Number) })
      expect(await mails()).toEqual([])
    })
  })

  describe('the role that erases personal values', () => {
    const eraser = () => database.db('eraser').plain
    test("can't erase or write entries of users who still exist", async () => {
      await api.call(account.token, 'PATCH users/self', { firstName: 'Grace' })
      const { accountId } = account
      const empty = { actor_name: null, before: null, after: null, address: null, salt: null }
      const { numUpdatedRows } = await eraser()
        .updateTable('audit_log')
        .set(empty)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      expect(numUpdatedRows).toBe(0n)
      // The rows that would be written for an existing user without their knowledge.
      await api.owner.plain
        .insertInto('erasures')
        .values({ user_id: accountId, account_id: accountId, removed_at: instant(0), erase_after: instant(0) })
        .execute()
      expect(
        (await eraser().updateTable('audit_log').set(empty).where('account_id', '=', accountId).executeTakeFirst())
          .numUpdatedRows,
      ).toBe(0n)
      await api.owner.plain.deleteFrom('erasures').where('user_id', '=', accountId).execute()
    })

    test.each([
      [`update audit_log set action = 'x'`],
      ['delete from audit_log'],
      ['select email from users'],
      ['delete from erasures'],
      [`insert into erasures values (1, 1, now(), now())`],
    ])('%s is refused', async (statement) => {
      await expect(sql.raw(statement).execute(eraser())).rejects.toThrow(/permission denied/)
    })

    test('can erase values but not replace them', async () => {
      const { accountId } = account
      await api.call(account.token, 'PATCH users/self', { firstName: 'Grace' })
      await ask()
      await moveDeletion(api.owner, accountId, Date.now() - 1)
      await carry()
      const half = eraser()
        .updateTable('audit_log')
        .set({ actor_name: 'Somebody Else' })
        .where('account_id', '=', accountId)
      await expect(half.execute()).rejects.toThrow(/row-level security/)
    })
  })
})
