import { idSource, instant } from '@sightline/platform/db'
import { createSemaphore } from '@sightline/platform/limits'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { RIGHT_PASSWORD, type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from '../sub-users/index.ts'
import { userDetails } from '../user-details/index.ts'
import { heldChunks } from './held-chunks.ts'
import { personalData } from './index.ts'
import { type Slice, spanJoiner } from './rules.ts'

let api: TestApi
let account: { accountId: number; token: string; zoneId: number }
let cameraId: number
beforeAll(async () => {
  api = await testApi({ slices: [personalData, subUsers, userDetails] })
  account = await api.addAccount()
  cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
})
afterAll(() => api[Symbol.asyncDispose]())

const proof = { password: RIGHT_PASSWORD }
const download = (token = account.token, body: object = proof) => api.call(token, 'POST users/self/personalData', body)
const HOUR = 3_600_000
const TEN = Date.UTC(2026, 10, 1, 10)

async function addFootage(camera: number, slices: readonly { hour: number; minutes?: number; run?: string }[]) {
  const rows = slices.map(({ hour, minutes = 60, run = 'a' }) => ({
    account_id: account.accountId,
    camera_id: camera,
    stream: 'main' as const,
    run_id: run.repeat(32),
    started_at: instant(TEN + hour * HOUR),
    ended_at: instant(TEN + hour * HOUR + minutes * 60_000),
    is_open: false,
    bytes: 1000,
  }))
  await api.owner.plain.insertInto('recording_runs').values(rows).execute()
}

describe('the personal data download', () => {
  test("is one JSON document with the user's profile, rights, actions, and time spans of footage", async () => {
    await addFootage(cameraId, [{ hour: 0 }, { hour: 1 }, { hour: 2, minutes: 30 }, { hour: 5, run: 'b' }])
    await api.call(account.token, 'PATCH users/self/details', { city: 'Delft' })
    const answer = await download()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toMatch(
      /attachment; filename="personal-data-\d{4}-\d\d-\d\d\.json"/,
    )
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const { body } = answer
    expect(body).toMatchObject({ format: 'personal data', version: 1, sessions: [] })
    expect(body.person).toMatchObject({ userId: account.accountId, isOwner: true, city: 'Delft' })
    expect(body.account).toMatchObject({ name: 'Shop', supportAccess: { withVideo: false } })
    expect(body.cameras).toMatchObject([{ cameraId, name: 'Door' }])
    expect(body.footage).toEqual([
      {
        cameraId,
        stream: 'main',
        from: '2026-11-01T10:00:00.000+00:00',
        till: '2026-11-01T12:30:00.000+00:00',
        bytes: 3000,
      },
      {
        cameraId,
        stream: 'main',
        from: '2026-11-01T15:00:00.000+00:00',
        till: '2026-11-01T16:00:00.000+00:00',
        bytes: 1000,
      },
    ])
    const actions = body.auditLog.map((line: { action: string }) => line.action)
    expect(actions).toEqual(['patchUserDetails', 'downloadPersonalData'])
    expect(body.auditLog[0]).toMatchObject({ by: 'you', address: '192.0.2.1', after: { city: 'Delft' } })
  })

  test('contains no credentials', async () => {
    const planted = 'plantedsecretplanted'
    const { accountId } = account
    const bytes = Buffer.from(planted)
    const sha = Buffer.concat([bytes, Buffer.alloc(32)]).subarray(0, 32)
    const { plain } = api.owner
    await plain.updateTable('cameras').set({ username: planted, password_sealed: bytes, address: planted }).execute()
    const device = { push_device_id: 77, user_id: accountId, platform: 'web' as const, endpoint_sha256: sha }
    const seen = { created_at: instant(0), seen_at: instant(0) }
    await plain
      .insertInto('push_devices')
      .values({ account_id: accountId, ...device, subscription_sealed: bytes, ...seen })
      .execute()
    const text = JSON.stringify((await download()).body)
    expect(text).toContain('"pushDeviceId":77')
    for (const form of [
      planted,
      bytes.toString('hex'),
      bytes.toString('base64'),
      bytes.toString('base64url'),
      sha.toString('hex'),
    ]) {
      expect(text).not.toContain(form)
    }
    const { rows } = await sql<{
      salt: string
    }>`select encode(salt, 'hex') as salt from audit_log where account_id = ${accountId}`.execute(plain)
    for (const { salt } of rows) expect(text).not.toContain(salt)
  })

  test('of a sub-user contains only their data: no other users, no cameras out of scope, no footage without the right playback', async () => {
    const hidden = await api.addCamera(account.accountId, account.zoneId, 'Vault')
    const plain = await api.addSubUser(account.accountId, { rights: ['CameraView'], cameraIds: [cameraId] })
    await api.call(account.token, `PATCH users/${plain.userId}/access`, { cameraIds: [cameraId, hidden] })
    await api.call(account.token, `PATCH users/${plain.userId}/access`, { cameraIds: [cameraId] })
    const { body } = await download(plain.token)
    expect(body.person).toMatchObject({ userId: plain.userId, isOwner: false })
    expect(body.account).toEqual({ accountId: account.accountId, name: 'Shop', timeZone: 'UTC' })
    for (const name of ['people', 'subscription', 'zones', 'footage']) expect(body).not.toHaveProperty(name)
    expect(body.cameras.map((camera: { cameraId: number }) => camera.cameraId)).toEqual([cameraId])
    const text = JSON.stringify(body)
    expect(text).not.toContain(String(hidden))
    expect(text).not.toContain(`owner-${account.accountId}`)
    // Another user's name and address belong to that user.
    const byOwner = body.auditLog.filter((line: { by: string }) => line.by === 'somebodyElse')
    expect(byOwner.length).toBeGreaterThanOrEqual(2)
    for (const line of byOwner)
      for (const name of ['name', 'address', 'clientId']) expect(line).not.toHaveProperty(name)
    const player = await api.addSubUser(account.accountId, {
      rights: ['CameraView', 'playback'],
      cameraIds: [cameraId],
    })
    expect((await download(player.token)).body.footage).toHaveLength(2)
  })

  test('needs the password and is closed to support, keys and demonstrations', async () => {
    expect(await download(account.token, { password: 'another one' })).toMatchObject({ status: 401, body: { code: 8 } })
    expect(await download(account.token, { ...proof, code: '999999' })).toMatchObject({ status: 403 })
    expect(await download(account.token, {})).toMatchObject({ status: 400, body: { code: 3 } })
    for (const kind of ['support', 'apiKey'] as const) {
      const token = await api.addToken({ accountId: account.accountId, userId: account.accountId }, kind)
      expect((await download(token)).status).toBe(403)
      expect((await api.call(token, 'GET users/self/personalData')).status).toBe(403)
    }
    const demo = await api.addAccount()
    await api.owner.plain
      .updateTable('accounts')
      .set({ user_type: 'demo' })
      .where('account_id', '=', demo.accountId)
      .execute()
    expect((await download(demo.token)).status).toBe(403)
  })

  test('uses no code while downloads are at their limit, and no permit while the proof is wrong', async () => {
    const { accountId, token } = await api.addAccount()
    const other = await api.addToken({ accountId, userId: accountId })
    const wrong = { password: 'another one' }
    for (let times = 0; times < 2; times += 1) expect((await download(token, wrong)).status).toBe(401)
    const first = await api.owner.transaction(async (tx) => {
      await sql`lock table audit_log in exclusive mode`.execute(tx)
      const begun = download(token)
      const waits = sql`select from pg_locks where relation = 'audit_log'::regclass and not granted`
      await expect.poll(async () => (await waits.execute(tx)).rows).toHaveLength(1)
      // The proof isn't even checked.
      for (const body of [proof, wrong]) expect(await download(other, body)).toMatchObject({ status: 429 })
      return { begun }
    })
    expect((await first.begun).status).toBe(200)
    expect((await download(other, proof)).status).toBe(200)
  })

  test.each([
    ['locked', 429],
    ['overloaded', 429],
  ] as const)("is refused while passwords can't be checked: %s", async (password, status) => {
    await using other = await testApi({ slices: [personalData, subUsers, userDetails], password })
    const { token } = await other.addAccount()
    expect((await other.call(token, 'POST users/self/personalData', proof)).status).toBe(status)
  })

  test('is summarized for the dialog that deletes an account', async () => {
    expect((await api.call(account.token, 'GET users/self/personalData')).body).toMatchObject({
      cameras: 2,
      subscription: null,
      footage: { bytes: 4000, oldest: '2026-11-01T10:00:00.000+00:00', newest: '2026-11-01T16:00:00.000+00:00' },
    })
  })

  test('includes every entry once over many pages', async () => {
    const many = await api.addAccount()
    const ids = idSource(api.owner)
    const rows = await Promise.all(
      Array.from({ length: 4500 }, async (_, n) => ({
        account_id: many.accountId,
        audit_log_id: await ids.next(),
        at: instant(TEN + Math.floor(n / 10)),
        user_id: many.accountId,
        action: 'live',
        after: JSON.stringify({ n }),
      })),
    )
    for (let from = 0; from < rows.length; from += 1000) {
      await api.owner.plain
        .insertInto('audit_log')
        .values(rows.slice(from, from + 1000))
        .execute()
    }
    const { body } = await download(many.token)
    const numbers = body.auditLog
      .filter((line: { action: string }) => line.action === 'live')
      .map((line: { after: { n: number } }) => line.after.n)
    expect(new Set(numbers).size).toBe(4500)
    expect(numbers).toHaveLength(4500)
  })
})

test("adjoining slices form one span; a gap, another stream or rows without footage don't", () => {
  const joiner = spanJoiner()
  const slice = (start: number, end: number, more: Partial<Slice> = {}): Slice => ({
    cameraId: 1,
    stream: 'main',
    start,
    end,
    bytes: 5,
    runId: 'a',
    ...more,
  })
  const given = [
    slice(0, 1000),
    slice(2000, 3000),
    slice(3000, 3000, { bytes: 0 }),
    slice(9000, 9500),
    slice(9500, 9900, { stream: 'sub' }),
  ]
  const spans = [...given.flatMap((one) => joiner.add(one)), ...joiner.end()]
  expect(spans.map(({ stream, bytes }) => [stream, bytes])).toEqual([
    ['main', 10],
    ['main', 5],
    ['sub', 5],
  ])
})

test('a download releases its permit when it is read, stopped, or stalled for ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { tryAcquire } = createSemaphore<number>({ perKey: { concurrency: 1 } })
  const chunks = async function* () {
    yield 'a'
    yield 'b'
  }
  const begin = () => {
    const permit = tryAcquire(1)
    return permit.ok ? heldChunks(permit.value, chunks()) : undefined
  }
  const read: string[] = []
  for await (const chunk of begin() ?? []) read.push(chunk)
  expect(read).toEqual(['a', 'b'])
  await begin()?.[Symbol.asyncIterator]().return?.()
  expect(begin()).toBeDefined()
  expect(begin()).toBeUndefined()
  vi.advanceTimersByTime(10 * 60_000)
  expect(begin()).toBeDefined()
})

/** Tables with data about a user or an account, and where the download has it; a new one must be added here. */
const TOLD: Readonly<Record<string, string>> = {
  accounts: 'account',
  agreements: 'agreements',
  audit_chain: 'of lines that are told: places and hashes',
  audit_log: 'auditLog',
  audit_unsealed: 'of lines that are told: which wait',
  'auth.access_sessions': 'sessions',
  'auth.action_links': 'passwordLinks; the others open the account, or are emailChanges',
  'auth.clients': 'apiKeys',
  'auth.consents': 'applicationsLetIn',
  'auth.credentials': 'password',
  'auth.known_devices': 'knownDevices',
  'auth.lockdowns': 'lockdown',
  'auth.sign_in_history': 'signInHistory',
  'auth.user_sessions': 'signedIn',
  'auth.mail_requests': 'waits for seconds, then is one of mails',
  'auth.passkeys': 'passkeys',
  'auth.recovery_codes': 'opens the account',
  'auth.two_factor': 'secondFactor',
  body_camera_positions: 'of cameras, in the track of each',
  body_camera_setup_codes: 'good for half an hour',
  body_cameras: 'of cameras',
  camera_alerts: 'which absence was told: gone when it is over',
  camera_capabilities: 'of cameras',
  camera_check_ups: 'of cameras',
  camera_habits: 'of cameras',
  camera_leases: 'of machines',
  camera_password_changes: 'of cameras',
  camera_plans: 'of cameras, for two days',
  camera_replacements: 'of cameras',
  camera_transfers: 'of cameras, with the name and address that both owners gave each other',
  saved_views: 'of cameras: groups, sequences and layouts',
  sync_jobs: 'of cameras',
  former_cameras: 'of cameras, for a day',
  camera_log: 'of cameras, in the log of each',
  camera_maintenance: 'of cameras',
  camera_ports: 'of cameras',
  camera_statistics: 'of cameras, for a week',
  recording_days: 'of cameras',
  footage_deletion_requests: 'of cameras, with who asked for it',
  footage_deletions: 'of footage that is gone, with who deleted it',
  footage_locks: 'of cameras, with who locked it',
  footage_account_keys: 'of footage',
  footage_day_keys: 'of footage',
  footage_heads: 'of footage',
  removed_cameras: 'of cameras',
  removed_connections: 'of cameras and devices, for two minutes',
  mac_claims: 'of cameras and devices',
  camera_networks: 'of networks, as the operator assigned them',
  camera_status: 'of cameras',
  camera_warnings: 'of cameras',
  dismissed_warnings: 'of cameras, with who dismissed them',
  alert_events: 'of cameras, for seconds',
  alert_messages: 'for seconds; then in mails',
  event_alerts: 'of cameras, with who is told next',
  trouble_alerts: 'of cameras, with who was told',
  cameras: 'cameras',
  device_channels: 'of devices',
  device_jobs: 'of devices and cameras, with who began them in auditLog',
  device_log: 'of devices, in the log of each',
  device_maintenance: 'of devices',
  device_status: 'of devices',
  devices: 'devices',
  email_changes: 'emailChanges',
  erasures: 'of who is gone',
  events: 'of cameras, in the list of events; what users did is in auditLogs too',
  export_links: 'good for half an hour',
  exports: 'exports',
  idempotency_keys: 'replies that were given already, for a day',
  mail_outbox: 'mails',
  mobile_subscriptions: 'mobileSubscriptions',
  notification_settings: 'notificationSettings',
  permission_profiles: 'names and rights of roles, of no person',
  push_devices: 'pushDevices',
  push_messages: 'waits for seconds',
  recording_runs: 'footage',
  report_schedules: 'reportSchedules',
  reports: 'made from what is told',
  share_views: 'of links to footage, in the view log of each',
  shares: 'of cameras, in the list of shared links; who made them is in auditLog',
  staff: 'not of accounts',
  staff_accounts: 'of staff',
  stream_tickets: 'good for a minute',
  subscriptions: 'subscription',
  user_cameras: 'access',
  user_preferences: 'preferences',
  user_zones: 'access',
  users: 'person',
  zones: 'zones',
}

test("every table with personal data is listed, or why it isn't in the download", async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct case when c.table_schema = 'public' then c.table_name else c.table_schema || '.' || c.table_name end as name
      from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
     where c.table_schema in ('public', 'auth') and t.table_type = 'BASE TABLE'
       and c.column_name in ('user_id', 'account_id', 'organisation_id')`.execute(api.owner.plain)
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(TOLD).sort())
})
