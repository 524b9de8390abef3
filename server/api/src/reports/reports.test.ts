import { PDFDocument } from '@cantoo/pdf-lib'
import { instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { storageUsage } from '../storage-usage/index.ts'
import { reports } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [reports, storageUsage] })
  api.now = Date.UTC(2026, 6, 10, 12)
})
afterAll(() => api[Symbol.asyncDispose]())

const HOUR_MS = 3_600_000
const span = { from: '2026-07-09', till: '2026-07-10' }
const MIDNIGHT = Date.UTC(2026, 6, 10)

/** A camera added on the 9th at noon, with footage from 23 h to 3 h. */
async function shop() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, '=Door')
  await api.owner.plain
    .updateTable('cameras')
    .set({ created_at: instant(MIDNIGHT - 12 * HOUR_MS) })
    .where('camera_id', '=', cameraId)
    .execute()
  await api.owner.plain
    .insertInto('recording_runs')
    .values({
      account_id: accountId,
      camera_id: cameraId,
      stream: 'main',
      run_id: 'a'.repeat(32),
      started_at: instant(MIDNIGHT - HOUR_MS),
      ended_at: instant(MIDNIGHT + 3 * HOUR_MS),
      bytes: 4000,
    })
    .execute()
  return { accountId, token, cameraId }
}

const made = async (token: string, body: object, under = '') => {
  const answer = await api.call(token, `POST ${under}reports`, { ...span, ...body })
  expect(answer).toMatchObject({ status: 201, body: { status: 'done' } })
  return answer.body
}
const download = async (token: string, { url }: { url: string }) => api.call(token, `GET ${url}`)

describe('reports of an account', () => {
  test('uptime is the share of each day that has footage', async () => {
    const { token, cameraId } = await shop()
    const report = await made(token, { type: 'cameraUptime', format: 'json' })
    expect(report).toMatchObject({ type: 'cameraUptime', ...span, timeZone: 'UTC', rows: 2 })
    const { status, body } = await download(token, report)
    expect(status).toBe(200)
    const of = { cameraId, camera: '=Door', hours: 12 }
    expect(body).toEqual({
      type: 'cameraUptime',
      ...span,
      timeZone: 'UTC',
      madeAt: '2026-07-10T12:00:00.000+00:00',
      rows: [
        { ...of, day: '2026-07-09', recordedHours: 1, uptimePercent: 8.33 },
        { ...of, day: '2026-07-10', recordedHours: 3, uptimePercent: 25 },
      ],
    })
  })

  test('a storage report is CSV, and a name is never a formula', async () => {
    const { token, cameraId } = await shop()
    const report = await made(token, { type: 'storageUsage' })
    const answer = await download(token, report)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="storageUsage-2026-07-09-2026-07-10.csv"',
    )
    expect(answer.body.toString()).toBe(
      `\uFEFFday,cameraId,camera,bytes,hours\r\n2026-07-09,${cameraId},'=Door,1000,1\r\n2026-07-10,${cameraId},'=Door,3000,3\r\n`,
    )
  })

  // The letters of a Japanese font take seconds of one core.
  test('a PDF has the reader’s language and the brand’s name', { timeout: 60_000 }, async () => {
    const { accountId, token } = await shop()
    await api.owner.plain.updateTable('users').set({ language: 'ja' }).where('user_id', '=', accountId).execute()
    const report = await made(token, { type: 'cameraUptime', format: 'pdf' })
    expect(report).toMatchObject({ format: 'pdf', rows: 2 })
    const answer = await download(token, report)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toContain('.pdf"')
    const pdf = await PDFDocument.load(answer.body)
    expect([pdf.getPageCount(), pdf.getTitle(), pdf.getAuthor()]).toEqual([1, 'カメラの稼働率', 'Sightline'])
  })

  test('a PDF of more than 4000 rows is refused (code 3), and so are two at once for one account (code 16)', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const many = { account_id: accountId, zone_id: zoneId, address: '192.0.2.7', rtsp_port: 554, main_path: '/main' }
    for (let count = 0; count < 150; count++) {
      await api.owner.plain
        .insertInto('cameras')
        .values({ ...many, camera_id: 500_000 + count, name: `Camera ${count}`, eth_mac_address: '02:00:00:00:00:01' })
        .execute()
    }
    const ask = (from: string) =>
      api.call(token, 'POST reports', { type: 'storageUsage', from, till: '2026-07-10', format: 'pdf' })
    expect((await ask('2026-06-12')).body).toMatchObject({ code: 3, detail: expect.stringContaining('4000 rows') })
    const answers = await Promise.all([ask('2026-07-01'), ask('2026-07-01')])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429])
    expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({ code: 16 })
  })

  test('activity counts each user’s actions per day, with support listed separately', async () => {
    const { accountId, token } = await api.addAccount()
    const { userId } = await api.addSubUser(accountId, { rights: [] })
    let id = 1
    const line = (action: string, at: number, of: { user?: number; staff?: number; name: string }) =>
      api.owner.plain
        .insertInto('audit_log')
        .values({
          account_id: accountId,
          audit_log_id: id++,
          at: instant(at),
          user_id: of.user ?? accountId,
          actor_name: of.name,
          staff_id: of.staff ?? null,
          action,
        })
        .execute()
    const guard = { user: userId, name: 'Guard' }
    await line('login', MIDNIGHT - HOUR_MS, guard)
    await line('live', MIDNIGHT - 1, guard)
    await line('live', MIDNIGHT, guard)
    await line('play', MIDNIGHT, guard)
    await line('patchZone', MIDNIGHT + HOUR_MS, { staff: 9_000_000, name: 'Sam Support' })
    await line('login', MIDNIGHT - 30 * HOUR_MS, guard)
    const { body } = await download(token, await made(token, { type: 'userActivity', format: 'json' }))
    const nothing = { signIns: 0, liveViews: 0, playbacks: 0, otherActions: 0 }
    expect(body.rows).toEqual([
      { ...nothing, day: '2026-07-09', userId, user: 'Guard', staff: false, signIns: 1, liveViews: 1, total: 2 },
      { ...nothing, day: '2026-07-10', userId, user: 'Guard', staff: false, liveViews: 1, playbacks: 1, total: 2 },
      { ...nothing, day: '2026-07-10', userId: 9_000_000, user: 'Sam Support', staff: true, otherActions: 1, total: 1 },
    ])
  })

  test('reports are listed newest first for a week, at most 20, and creating one is in the audit log', async () => {
    const { accountId, token } = await api.addAccount()
    const ids: number[] = []
    for (let count = 0; count < 22; count++) {
      api.now += 1
      ids.unshift((await made(token, { type: 'storageUsage' })).reportId)
    }
    api.now -= 22
    const listed = await api.call(token, 'GET reports')
    expect(listed.body.map(({ reportId }: { reportId: number }) => reportId)).toEqual(ids.slice(0, 20))
    const [newest] = ids
    const one = await api.call(token, `GET reports/${newest}`)
    expect(one.body).toMatchObject({ reportId: newest, expiresAt: '2026-07-17T12:00:00.022+00:00' })
    const log = await api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'target_id', 'after'])
      .where('account_id', '=', accountId)
      .where('target_id', '=', newest ?? 0)
      .execute()
    expect(log).toMatchObject([
      { action: 'addReport', after: { type: 'storageUsage', ...span, format: 'csv', rows: 0 } },
    ])
    api.now += 7 * 24 * HOUR_MS + 22
    const later = [await api.call(token, 'GET reports'), await api.call(token, `GET reports/${newest}/download`)]
    api.now -= 7 * 24 * HOUR_MS + 22
    expect(later).toMatchObject([{ body: [] }, { body: { code: 4 } }])
  })

  test.each([
    [{ type: 'eventCounts' }, 'events are not recorded yet'],
    [{ type: 'billing' }, 'billing reports are only available to dealers'],
  ])('%j is not supported (code 11), and the error says why', async (body, why) => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'POST reports', { ...span, ...body })
    expect(answer).toMatchObject({ status: 422, body: { code: 11, detail: expect.stringContaining(why) } })
  })

  test.each([
    { from: '2026-07-10', till: '2026-07-09' },
    { from: '2026-06-09', till: '2026-07-10' },
    { from: '2026-07-10', till: '2026-07-11' },
    { from: '2026-06-31', till: '2026-07-10' },
  ])('the span %j is refused (code 3)', async (given) => {
    const { token } = await api.addAccount()
    expect((await api.call(token, 'POST reports', { type: 'storageUsage', ...given })).body).toMatchObject({ code: 3 })
  })

  test('account reports are for the owner: sub-users get code 9, other owners code 4, and support none', async () => {
    const { accountId, token } = await api.addAccount()
    const { reportId } = await made(token, { type: 'storageUsage' })
    const guard = await api.addSubUser(accountId, { rights: ['storageUsage', 'viewUserSettings'], allCameras: true })
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    const stranger = await api.addAccount()
    for (const path of [`reports/${reportId}`, `reports/${reportId}/download`]) {
      expect((await api.call(guard.token, `GET ${path}`)).body).toMatchObject({ code: 9 })
      expect((await api.call(support, `GET ${path}`)).body).toMatchObject({ code: 9 })
      expect((await api.call(stranger.token, `GET ${path}`)).body).toMatchObject({ code: 4 })
    }
    expect((await api.call(stranger.token, 'GET reports')).body).toEqual([])
  })

  test('a query longer than five seconds is stopped (code 19)', async () => {
    const { accountId, token } = await shop()
    const staff = await api.addStaff()
    const answers = await api.owner.transaction(async (tx) => {
      await sql`lock table recording_runs, subscriptions in access exclusive mode`.execute(tx)
      return Promise.all([
        api.call(token, 'POST reports', { type: 'cameraUptime', ...span }),
        api.call(staff.token, 'POST resellers/self/reports', { type: 'billing', ...span }),
      ])
    })
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [504, 19],
      [504, 19],
    ])
    expect((await api.call(token, `GET accounts/${accountId}/usage`)).status).toBe(200)
  })
})

describe('reports of a reseller', () => {
  /** Two accounts; the one has a package since the 10th and a camera since noon of the 9th. */
  async function brand() {
    const resellerId = await api.addReseller()
    const [packageId] = [await packageOf(resellerId)]
    const one = await api.addAccount({ resellerId })
    const two = await api.addAccount({ resellerId })
    const long = instant(MIDNIGHT - 300 * HOUR_MS)
    await api.owner.plain
      .updateTable('accounts')
      .set({ created_at: long })
      .where('reseller_id', '=', resellerId)
      .execute()
    await api.owner.plain
      .updateTable('accounts')
      .set({ name: 'Bakery' })
      .where('account_id', '=', one.accountId)
      .execute()
    const cameraId = await api.addCamera(one.accountId, one.zoneId, 'Door')
    const noon = instant(MIDNIGHT - 12 * HOUR_MS)
    await api.owner.plain.updateTable('cameras').set({ created_at: noon }).where('camera_id', '=', cameraId).execute()
    const period = { start_date: '2026-07-10', end_date: '2027-07-09', reseller_id: resellerId }
    await api.owner.plain
      .insertInto('subscriptions')
      .values({ account_id: one.accountId, subscription_package_id: packageId, ...period })
      .execute()
    return { resellerId, packageId, one, two, staff: await api.addStaff({ resellerId }) }
  }
  const packageOf = async (resellerId: number) => {
    await api.addPackage(81, { resellerId })
    return 81
  }

  test('billing lists each account’s package and cameras for every day', async () => {
    const { resellerId, packageId, one, two, staff } = await brand()
    const report = await made(staff.token, { type: 'billing', format: 'json' }, 'resellers/self/')
    expect(report.url).toBe(`resellers/${resellerId}/reports/${report.reportId}/download`)
    const { body } = await download(staff.token, report)
    const of = ({ accountId }: { accountId: number }) => ({
      accountId,
      account: accountId === one.accountId ? 'Bakery' : 'Shop',
      status: 'active',
    })
    const without = { subscriptionPackageId: null, package: null, sku: null }
    expect(body.rows).toMatchObject([
      { day: '2026-07-09', ...of(one), ...without, cameras: 1 },
      { day: '2026-07-09', ...of(two), ...without, cameras: 0 },
      { day: '2026-07-10', ...of(one), subscriptionPackageId: packageId, cameras: 1 },
      { day: '2026-07-10', ...of(two), ...without, cameras: 0 },
    ])
    expect(body.rows[2].package).not.toBeNull()
  })

  test('staff limited to some accounts see only those, and can’t read reports about others', async () => {
    const { resellerId, one, two, staff } = await brand()
    const some = await api.addStaff({ resellerId, accountIds: [two.accountId] })
    const whole = await made(staff.token, { type: 'billing', format: 'json' }, 'resellers/self/')
    const part = await made(some.token, { type: 'billing', format: 'json' }, 'resellers/self/')
    const { body } = await download(some.token, part)
    expect(JSON.stringify(body)).toContain(String(two.accountId))
    expect(JSON.stringify(body)).not.toContain(String(one.accountId))
    expect((await download(some.token, whole)).body).toMatchObject({ code: 4 })
    expect((await api.call(some.token, `GET resellers/self/reports/${whole.reportId}`)).body).toMatchObject({ code: 4 })
    expect((await api.call(some.token, 'GET resellers/self/reports')).body).toMatchObject([{ reportId: part.reportId }])
    const other = await api.addStaff({ resellerId, accountIds: [one.accountId] })
    expect((await download(other.token, part)).body).toMatchObject({ code: 4 })
    expect((await api.call(staff.token, 'GET resellers/self/reports')).body).toHaveLength(2)
  })

  test('a report needs the permission viewInsights and the module reports, even above the reseller (code 9)', async () => {
    const { resellerId } = await brand()
    const without = await api.addStaff({ resellerId, permissions: ['viewAccounts'] })
    expect((await api.call(without.token, 'GET resellers/self/reports')).body).toMatchObject({ code: 9 })
    const bare = await api.addReseller({ modules: [] })
    const above = await api.addStaff({ level: 'distributor' })
    const ask = { type: 'billing', ...span }
    expect((await api.call(above.token, `POST resellers/${bare}/reports`, ask)).body).toMatchObject({ code: 9 })
    expect((await api.call(above.token, `POST resellers/${resellerId}/reports`, ask)).status).toBe(201)
  })

  test.each(['cameraUptime', 'storageUsage', 'userActivity'])(
    '%s contains account data and is available only to owners (code 11)',
    async (type) => {
      const { token } = await api.addStaff()
      const answer = await api.call(token, 'POST resellers/self/reports', { type, ...span })
      expect(answer.body).toMatchObject({
        code: 11,
        detail: expect.stringContaining('only available in the account itself'),
      })
    },
  )

  test.each([
    { from: '2026-07-10', till: '2026-07-09' },
    { from: '2026-06-09', till: '2026-07-10' },
    { from: '2026-07-10', till: '2026-07-11' },
  ])('the span %j is refused, and the error names the field (code 3)', async (given) => {
    const { token } = await api.addStaff()
    const answer = await api.call(token, 'POST resellers/self/reports', { type: 'billing', ...given })
    expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'till' }] } })
    expect((await api.call(token, 'GET resellers/self/reports')).body).toEqual([])
  })

  test('another reseller’s reports are not found (code 4)', async () => {
    const { resellerId, staff } = await brand()
    const { reportId } = await made(staff.token, { type: 'billing' }, 'resellers/self/')
    const stranger = await api.addStaff({ resellerId: await api.addReseller() })
    for (const path of [
      `${resellerId}/reports`,
      `${resellerId}/reports/${reportId}`,
      `self/reports/${reportId}/download`,
    ]) {
      expect((await api.call(stranger.token, `GET resellers/${path}`)).body).toMatchObject({ code: 4 })
    }
  })
})
