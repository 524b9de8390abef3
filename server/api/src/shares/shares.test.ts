import type { FootageShare } from '@sightline/contract/shares'
import { MAX_SHARES } from '@sightline/contract/shares'
import { toDateTime } from '@sightline/contract/wire'
import { type Db, instant } from '@sightline/platform/db'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { footageExports } from '../exports/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { shares } from './index.ts'
import { ShareOpener } from './open-share.ts'

let api: TestApi
const NOON = Date.UTC(2026, 0, 1, 12)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const text = (at: number) => new Date(at).toISOString()

beforeAll(async () => {
  api = await testApi({ slices: [shares, footageExports] })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  api.now = NOON + DAY
})

/** An account with a camera that has footage from noon to one o'clock. */
async function recorded() {
  const account = await api.addAccount()
  const { accountId, zoneId } = account
  const door = await api.addCamera(accountId, zoneId, 'Door')
  await api.owner.plain
    .insertInto('recording_runs')
    .values({
      account_id: accountId,
      camera_id: door,
      stream: 'main',
      run_id: 'a'.repeat(32),
      bytes: 3600,
      started_at: instant(NOON),
      ended_at: instant(NOON + HOUR),
    })
    .execute()
  return { ...account, door }
}

const wanted = (cameraId: number, more: object = {}) => ({
  cameraId,
  from: text(NOON),
  till: text(NOON + 60_000),
  expiresAt: text(api.now + DAY),
  ...more,
})

const add = async (token: string, body: object): Promise<{ share: FootageShare; url: string; secret: string }> => {
  const reply = await api.call(token, 'POST shares', body)
  expect(reply.status).toBe(201)
  return { ...reply.body, secret: new URL(reply.body.url).hash.slice(1) }
}

const copyOf = async (shareId: number) =>
  await api.owner.plain
    .selectFrom('shares as s')
    .innerJoin('exports as e', 'e.export_id', 's.export_id')
    .selectAll('e')
    .where('s.share_id', '=', shareId)
    .executeTakeFirstOrThrow()

async function finish(shareId: number, given: object = {}): Promise<void> {
  const { export_id } = await copyOf(shareId)
  await api.owner.plain
    .updateTable('exports')
    .set({
      status: 'Done',
      progress: 100,
      exported_at: instant(api.now),
      expires_at: instant(api.now + DAY),
      size_bytes: 2000,
      sha256: Buffer.alloc(32, 7),
      has_sound: false,
      ...given,
    })
    .where('export_id', '=', export_id)
    .execute()
}

const openPublic = (secret: string, password?: string) =>
  api.call(undefined, 'POST sharedFootage/public', { secret, ...(password !== undefined && { password }) })

describe('a share', () => {
  test('is a copy of the footage that is kept as long as the link, and isn’t listed as an export', async () => {
    const { token, door, accountId } = await recorded()
    const { share, url, secret } = await add(token, wanted(door, { public: true, name: 'Delivery' }))
    expect(share).toMatchObject({ cameraId: door, name: 'Delivery', status: 'Preparing', public: true, views: 0 })
    expect(url).toMatch(/^https?:\/\/[^/]+\/shared#[\w-]{22}$/)
    expect(await copyOf(share.shareId)).toMatchObject({ is_shared: true, kept_until: api.now + DAY, format: 'mp4' })
    expect((await api.call(token, 'GET exports')).body).toEqual([])
    expect((await api.call(token, 'GET shares')).body).toEqual([share])
    const rows = await api.owner.plain.selectFrom('shares').selectAll().where('account_id', '=', accountId).execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    const jobs = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
    expect(jobs).toMatchObject([{ action: 'addShare', target_kind: 'share', target_id: share.shareId }])
    expect(JSON.stringify(jobs)).not.toContain(secret)
  })

  test.each([
    ['till', { till: text(NOON) }],
    ['till', { till: text(NOON + 61 * 60_000) }],
    ['till', { from: text(NOON + 2 * DAY), till: text(NOON + 2 * DAY + 1000) }],
    ['expiresAt', { expiresAt: text(NOON) }],
    ['expiresAt', { expiresAt: text(NOON + 40 * DAY) }],
    ['password', { password: 'short' }],
  ])('with a wrong %s is refused: %o', async (field, more) => {
    const { token, door } = await recorded()
    const reply = await api.call(token, 'POST shares', wanted(door, more))
    expect(reply).toMatchObject({ status: 400, body: { code: 3 } })
    expect(JSON.stringify(reply.body)).toContain(field)
  })

  test('needs footage, a camera in reach, and the rights to export and to play', async () => {
    const { accountId, token, door } = await recorded()
    const late = { from: text(NOON + 2 * HOUR), till: text(NOON + 2 * HOUR + 1000) }
    expect(await api.call(token, 'POST shares', wanted(door, late))).toMatchObject({ status: 404, body: { code: 4 } })
    const { door: foreign } = await recorded()
    expect((await api.call(token, 'POST shares', wanted(foreign))).status).toBe(404)
    const ask = async (rights: readonly ('export' | 'playback')[], cameraIds: readonly number[]) => {
      const user = await api.addSubUser(accountId, { rights, cameraIds })
      return (await api.call(user.token, 'POST shares', wanted(door))).status
    }
    expect(await ask(['export', 'playback'], [door])).toBe(201)
    expect(await ask(['export', 'playback'], [])).toBe(404)
    expect(await ask(['export'], [door])).toBe(403)
    expect(await ask(['playback'], [door])).toBe(403)
  })

  test('beyond 100 of an account is refused', async () => {
    const { token, door } = await recorded()
    const { share } = await add(token, wanted(door))
    const row = await api.owner.plain
      .selectFrom('shares')
      .selectAll()
      .where('share_id', '=', share.shareId)
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: MAX_SHARES - 1 }, (_, index) => ({
      ...row,
      created_at: instant(api.now),
      expires_at: instant(api.now + DAY),
      ended_at: null,
      share_id: 1_000_000 + index,
      secret_sha256: Buffer.from(String(index).padStart(32, '0')),
    }))
    await api.owner.plain.insertInto('shares').values(more).execute()
    expect(await api.call(token, 'POST shares', wanted(door))).toMatchObject({ status: 409, body: { code: 6 } })
  })
})

describe('opening a public share', () => {
  test('needs nothing but the link, gives an address once the copy is ready, and is in the view log and the audit log', async () => {
    const { accountId, token, door } = await recorded()
    const { share, secret } = await add(token, wanted(door, { public: true }))
    expect(await openPublic(secret)).toMatchObject({
      status: 200,
      body: { needsPassword: false, footage: { cameraName: 'Door', status: 'Preparing', gaps: null, url: null } },
    })
    await finish(share.shareId, { gaps: JSON.stringify([[NOON + 1000, NOON + 5500]]) })
    const opened = await openPublic(secret)
    expect(opened.body.footage.url).toMatch(/^https?:\/\/[^/]+\/stream\/share\/open\?ticket=[\w-]{43}$/)
    const gaps = [{ from: toDateTime(NOON + 1000), till: toDateTime(NOON + 5500) }]
    expect(opened.body.footage).toMatchObject({ status: 'Ready', hasSound: false, gaps })
    const views = await api.call(token, `GET shares/${share.shareId}/views`)
    expect(views.body.views).toMatchObject([{ userId: null, address: expect.any(String) }])
    expect((await api.call(token, 'GET shares')).body).toMatchObject([{ views: 1 }])
    const log = await api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'client_id'])
      .where('account_id', '=', accountId)
      .where('action', '=', 'openPublicShare')
      .execute()
    expect(log).toEqual([{ action: 'openPublicShare', client_id: 'sharedLink' }])
  })

  test('asks for the password, refuses a wrong one, and soon refuses to try more', async () => {
    const { token, door } = await recorded()
    const { share, secret } = await add(token, wanted(door, { public: true, password: 'gravel lamp ninety' }))
    expect(share.hasPassword).toBe(true)
    expect((await openPublic(secret)).body).toEqual({ needsPassword: true, footage: null })
    expect(await openPublic(secret, 'wrong one')).toMatchObject({ status: 403, body: { code: 9 } })
    expect(await openPublic(secret, 'gravel lamp ninety')).toMatchObject({
      status: 200,
      body: { needsPassword: false },
    })
    for (let times = 0; times < 12; times++) expect((await openPublic(secret, 'gravel lamp ninety')).status).toBe(200)
    for (let tries = 0; tries < 8; tries++) await openPublic(secret, 'wrong one')
    const limited = await openPublic(secret, 'another one')
    expect(limited).toMatchObject({ status: 429, body: { code: 16 } })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('does not hold a database connection while it checks a password', async () => {
    const { token, door, accountId } = await recorded()
    const { share } = await add(token, wanted(door, { public: true, password: 'gravel lamp ninety' }))
    const read = Promise.withResolvers<void>()
    const watched: Pick<Db, 'inTenant'> = {
      inTenant: (of, work) => api.owner.inTenant(of, work).finally(read.resolve),
    }
    const opener = new ShareOpener({ mediaOrigin: () => 'wss://front.example', now: () => api.now })
    const key = { accountId, shareId: share.shareId }
    let isChecked = false
    const checked = opener
      .checkPassword(watched as Db, { key, password: 'wrong one', address: '192.0.2.1', host: '', viewer: undefined })
      .finally(() => {
        isChecked = true
      })
    await read.promise
    await new Promise(setImmediate)
    expect(isChecked).toBe(false)
    expect(await checked).toMatchObject({ ok: false, failure: { detail: 'the password is wrong' } })
  })

  test('gets the same reply for a wrong link, an ended, an expired one, and one for the account only', async () => {
    const { token, door } = await recorded()
    const open = await add(token, wanted(door, { public: true }))
    const closed = await add(token, wanted(door))
    const short = await add(token, wanted(door, { public: true, expiresAt: text(api.now + 1000) }))
    expect((await api.call(token, `DELETE shares/${open.share.shareId}`)).status).toBe(204)
    api.now += 2000
    const replies = await Promise.all(
      ['A'.repeat(22), open.secret, closed.secret, short.secret].map((secret) => openPublic(secret)),
    )
    for (const reply of replies)
      expect(reply).toMatchObject({ status: 404, body: { code: 4, detail: replies[0]?.body.detail } })
    expect((await api.call(token, 'GET shares')).body).toMatchObject([{ shareId: closed.share.shareId }])
    expect((await copyOf(open.share.shareId)).removed_at).not.toBeNull()
    expect((await api.call(token, `DELETE shares/${open.share.shareId}`)).status).toBe(404)
    expect(await openPublic('not a secret')).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('ends with the right of the person who shared it', async () => {
    const { accountId, door } = await recorded()
    const { token, userId } = await api.addSubUser(accountId, { rights: ['export', 'playback'], cameraIds: [door] })
    const { secret } = await add(token, wanted(door, { public: true }))
    expect((await openPublic(secret)).status).toBe(200)
    await api.owner.plain
      .updateTable('users')
      .set({ rights: ['playback'] })
      .where('user_id', '=', userId)
      .execute()
    expect((await openPublic(secret)).status).toBe(404)
    await api.owner.plain
      .updateTable('users')
      .set({ rights: ['export', 'playback'] })
      .where('user_id', '=', userId)
      .execute()
    expect((await openPublic(secret)).status).toBe(200)
    await api.owner.plain.deleteFrom('user_cameras').where('user_id', '=', userId).execute()
    expect((await openPublic(secret)).status).toBe(404)
  })
})

describe('opening a share of the account', () => {
  const open = (token: string, secret: string, more: object = {}) =>
    api.call(token, 'POST sharedFootage/account', { secret, ...more })

  test('needs a user of the account who may play the camera’s recordings, and hear it if it has sound', async () => {
    const { accountId, token, door } = await recorded()
    const { share, url, secret } = await add(token, wanted(door))
    expect(new URL(url).pathname).toBe('/app/shared')
    await finish(share.shareId)
    const user = async (rights: readonly ('playback' | 'microphone')[], cameraIds: readonly number[]) =>
      (await api.addSubUser(accountId, { rights, cameraIds })).token
    const may = await user(['playback'], [door])
    expect(await open(may, secret)).toMatchObject({ status: 200, body: { footage: { status: 'Ready' } } })
    expect((await open(await user(['playback'], []), secret)).status).toBe(404)
    expect((await open(await user([], [door]), secret)).status).toBe(403)
    expect((await open((await recorded()).token, secret)).status).toBe(404)
    expect(await open(may, 'B'.repeat(22))).toMatchObject({ status: 404 })
    expect(await open(may, '?')).toMatchObject({ status: 400 })
    await finish(share.shareId, { has_sound: true })
    expect(await open(may, secret)).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await open(await user(['playback', 'microphone'], [door]), secret)).status).toBe(200)
    const views = await api.call(token, `GET shares/${share.shareId}/views`)
    expect(views.body.views).toHaveLength(2)
    expect(views.body.views.every(({ userId }: { userId: number | null }) => userId !== null)).toBe(true)
  })

  test('asks for the password too, with the same limit', async () => {
    const { token, door } = await recorded()
    const { secret } = await add(token, wanted(door, { password: 'gravel lamp ninety' }))
    expect((await open(token, secret)).body.needsPassword).toBe(true)
    for (let tries = 0; tries < 10; tries++) await open(token, secret, { password: 'wrong one' })
    expect((await open(token, secret, { password: 'gravel lamp ninety' })).status).toBe(429)
  })
})

test('others of an account see their own shares only, and the owner sees all', async () => {
  const { accountId, token, door } = await recorded()
  const one = await api.addSubUser(accountId, { rights: ['export', 'playback'], cameraIds: [door] })
  const other = await api.addSubUser(accountId, { rights: ['export', 'playback'], cameraIds: [door] })
  const { share } = await add(one.token, wanted(door))
  const ids = async (of: string) => (await api.call(of, 'GET shares')).body.map((each: FootageShare) => each.shareId)
  expect(await ids(one.token)).toEqual([share.shareId])
  expect(await ids(other.token)).toEqual([])
  expect(await ids(token)).toEqual([share.shareId])
  expect((await api.call(other.token, `GET shares/${share.shareId}/views`)).status).toBe(404)
  expect((await api.call(other.token, `DELETE shares/${share.shareId}`)).status).toBe(404)
  expect((await api.call(token, `DELETE shares/${share.shareId}`)).status).toBe(204)
})
