import { idSource, instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { bringForward, runJobs } from '@sightline/platform/jobs/testing'
import { silentLogger } from '@sightline/platform/log'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { reports } from './index.ts'
import { reportTasks, type ScheduleDeps } from './run-schedules.ts'

/** A Friday. */
const NOW = Date.UTC(2026, 6, 10, 12)
const DAY_MS = 86_400_000
let api: TestApi
let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
  api = await testApi({ slices: [reports], open: async () => database })
  api.now = NOW
})
afterEach(() => api[Symbol.asyncDispose]())

type Told = Parameters<ScheduleDeps['auth']['notifyReport']>[0]
let told: Told[] = []
beforeEach(() => {
  told = []
})

/** A separate process; `mailFails` makes it end before the email is queued. */
const front = (mailFails = false): ScheduleDeps => ({
  db: api.app,
  ids: idSource(api.app),
  now: () => api.now,
  log: silentLogger,
  auth: {
    async notifyReport(given) {
      if (mailFails) throw new Error('ended before the mail was written down')
      told.push(given)
    },
  },
})

/** Creates the reports that are due. */
const makeDue = async (deps: ScheduleDeps) => {
  await runJobs(database.connection, reportTasks(deps))
}

const add = async (token: string, schedule: object = { every: 'day', at: '06:00' }) => {
  const body = { type: 'storageUsage', format: 'json', from: '2026-07-09', till: '2026-07-10', schedule }
  return api.call(token, 'POST reports', body)
}
const listed = async (token: string) => (await api.call(token, 'GET reportSchedules')).body
const reportsOf = async (token: string) => (await api.call(token, 'GET reports')).body

describe('a schedule', () => {
  test('is created with a report, shows its next date, is in the audit log and can be deleted', async () => {
    const { accountId, token } = await api.addAccount()
    await api.owner.plain
      .updateTable('accounts')
      .set({ time_zone: 'Europe/Amsterdam' })
      .where('account_id', '=', accountId)
      .execute()
    const { status, body } = await add(token, { every: 'week', at: '06:30' })
    expect(status).toBe(201)
    const { reportScheduleId } = body
    const of = { type: 'storageUsage', format: 'json', every: 'week', at: '06:30' }
    expect(await listed(token)).toEqual([
      {
        reportScheduleId,
        ...of,
        nextAt: '2026-07-13T04:30:00.000+00:00',
        createdAt: '2026-07-10T12:00:00.000+00:00',
      },
    ])
    expect((await api.call(token, `DELETE reportSchedules/${reportScheduleId}`)).status).toBe(204)
    expect(await listed(token)).toEqual([])
    expect((await api.call(token, `DELETE reportSchedules/${reportScheduleId}`)).body).toMatchObject({ code: 4 })
    const log = await api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('account_id', '=', accountId)
      .where('target_kind', '=', 'reportSchedule')
      .orderBy('action')
      .execute()
    expect(log).toEqual([
      { action: 'addReportSchedule', before: null, after: of },
      { action: 'deleteReportSchedule', before: of, after: null },
    ])
  })

  test('is limited to five per account (code 6), even if ten are requested at once', async () => {
    const { token } = await api.addAccount()
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(5).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 6 })
    expect(await listed(token)).toHaveLength(5)
    expect(await reportsOf(token)).toHaveLength(5)
  })

  test.each([{ every: 'hour', at: '06:00' }, { every: 'day', at: '24:00' }, { every: 'day' }])(
    '%j is invalid (code 3)',
    async (schedule) => {
      const { token } = await api.addAccount()
      expect((await add(token, schedule)).body).toMatchObject({ code: 3 })
    },
  )

  test('belongs to the owner: sub-users get code 9, other accounts code 4, and billing can’t be scheduled (code 11)', async () => {
    const { accountId, token } = await api.addAccount()
    const { reportScheduleId } = (await add(token)).body
    const guard = await api.addSubUser(accountId, { rights: ['storageUsage'] })
    const stranger = await api.addAccount()
    expect((await api.call(guard.token, 'GET reportSchedules')).body).toMatchObject({ code: 9 })
    expect((await api.call(stranger.token, `DELETE reportSchedules/${reportScheduleId}`)).body).toMatchObject({
      code: 4,
    })
    expect(await listed(stranger.token)).toEqual([])
    const staff = await api.addStaff()
    const billing = { type: 'billing', from: '2026-07-09', till: '2026-07-10', schedule: { every: 'day', at: '06:00' } }
    expect((await api.call(staff.token, 'POST resellers/self/reports', billing)).body).toMatchObject({ code: 11 })
  })
})

describe('a scheduled report', () => {
  test('is created once for yesterday by five processes, with one email', async () => {
    const { accountId, token } = await api.addAccount()
    const { reportScheduleId } = (await add(token)).body
    await makeDue(front())
    expect(await reportsOf(token)).toHaveLength(1)
    api.now = NOW + DAY_MS
    await Promise.all(Array.from({ length: 5 }, () => makeDue(front())))
    const [made, first, ...more] = await reportsOf(token)
    expect(more).toEqual([])
    expect(made).toMatchObject({ from: '2026-07-10', till: '2026-07-10', format: 'json', reportScheduleId })
    expect(first).toMatchObject({ from: '2026-07-09', reportScheduleId })
    expect(told).toMatchObject([
      { userId: accountId, reportId: made.reportId, email: `owner-${accountId}@demo.example`, from: '2026-07-10' },
    ])
    expect(await listed(token)).toMatchObject([{ nextAt: '2026-07-12T06:00:00.000+00:00' }])
  })

  test('is emailed by another process if the first ended before the email, without a second report', async () => {
    const { token } = await api.addAccount()
    await add(token)
    api.now = NOW + DAY_MS
    await makeDue(front(true))
    expect(told).toEqual([])
    expect(await reportsOf(token)).toHaveLength(2)
    await makeDue(front())
    expect(told).toEqual([])
    await bringForward(api.owner)
    await makeDue(front())
    await makeDue(front())
    expect(told).toHaveLength(1)
    expect(await reportsOf(token)).toHaveLength(2)
  })

  test('is created once for several days without a running server', async () => {
    const { token } = await api.addAccount()
    await add(token)
    api.now = NOW + 5 * DAY_MS
    await makeDue(front())
    await makeDue(front())
    expect(await reportsOf(token)).toHaveLength(2)
    expect(await listed(token)).toMatchObject([{ nextAt: '2026-07-16T06:00:00.000+00:00' }])
  })

  test('ends if the owner may no longer have it, and waits while the account is suspended', async () => {
    const { accountId, token } = await api.addAccount()
    await add(token)
    const account = (set: { status?: 'active' | 'suspended'; user_type?: 'demo' }) =>
      api.owner.plain.updateTable('accounts').set(set).where('account_id', '=', accountId).execute()
    await account({ status: 'suspended' })
    api.now = NOW + DAY_MS
    await makeDue(front())
    await account({ status: 'active' })
    expect(await listed(token)).toMatchObject([{ nextAt: '2026-07-12T06:00:00.000+00:00' }])
    await account({ user_type: 'demo' })
    api.now = NOW + 2 * DAY_MS
    await makeDue(front())
    expect(await listed(token)).toEqual([])
    expect(told).toEqual([])
  })

  test('is deleted with its owner', async () => {
    const { accountId, token } = await api.addAccount()
    await add(token)
    await api.owner.plain.deleteFrom('users').where('account_id', '=', accountId).execute()
    expect(await api.owner.plain.selectFrom('report_schedules').selectAll().execute()).toEqual([])
    api.now = NOW + DAY_MS
    await makeDue(front())
    expect(told).toEqual([])
  })

  test('that fails for one account doesn’t delay the others', async () => {
    const [first, second] = [await api.addAccount(), await api.addAccount()]
    await add(first.token)
    await add(second.token)
    await api.owner.plain
      .updateTable('report_schedules')
      .set({ type: 'unheardOf', next_at: instant(NOW - DAY_MS) })
      .where('account_id', '=', first.accountId)
      .execute()
    api.now = NOW + DAY_MS
    await makeDue(front())
    expect(told.map(({ accountId }) => accountId)).toEqual([second.accountId])
  })
})
