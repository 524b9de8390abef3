import { EXPORT_LINK_MS, type FootageExport, MAX_EXPORT_BYTES, MAX_WAITING_EXPORTS } from '@sightline/contract/exports'
import { instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { footageExports } from './index.ts'

let api: TestApi
const NOON = Date.UTC(2026, 0, 1, 12)
const HOUR = 3_600_000
const text = (at: number) => new Date(at).toISOString()
const inReply = (at: number) => text(at).replace('Z', '+00:00')

beforeAll(async () => {
  api = await testApi({ slices: [footageExports] })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  api.now = NOON + 24 * HOUR
})

/** An account with two cameras that have footage from noon to one o'clock, 3600 bytes each. */
async function recorded() {
  const account = await api.addAccount()
  const { accountId, zoneId } = account
  const [door, yard] = [await api.addCamera(accountId, zoneId, 'Door'), await api.addCamera(accountId, zoneId, 'Yard')]
  const run = { account_id: accountId, stream: 'main' as const, run_id: 'a'.repeat(32), bytes: 3600 }
  const span = { started_at: instant(NOON), ended_at: instant(NOON + HOUR) }
  await api.owner.plain
    .insertInto('recording_runs')
    .values([door, yard].map((camera_id) => ({ ...run, ...span, camera_id })))
    .execute()
  return { ...account, door, yard }
}

const wanted = (cameraIds: readonly number[], more: object = {}) => ({
  cameraIds,
  from: text(NOON),
  till: text(NOON + HOUR / 2),
  format: 'zip',
  ...more,
})

const add = async (token: string, body: object): Promise<FootageExport> => {
  const reply = await api.call(token, 'POST exports', body)
  expect(reply.status).toBe(202)
  return reply.body
}

const finish = (exportId: number, given: object = {}) =>
  api.owner.plain
    .updateTable('exports')
    .set({
      status: 'Done',
      progress: 100,
      exported_at: instant(api.now),
      expires_at: instant(api.now + 7 * 24 * HOUR),
      size_bytes: 2000,
      sha256: Buffer.alloc(32, 7),
      signer: 'ab'.repeat(32),
      has_sound: false,
      ...given,
    })
    .where('export_id', '=', exportId)
    .execute()

describe('an export', () => {
  test('waits for its turn, is in the list, and its job and audit entry name it', async () => {
    const { accountId, token, door, yard } = await recorded()
    const made = await add(token, wanted([door, yard], { name: 'Break-in', reason: 'Police', password: 'long enough' }))
    expect(made).toMatchObject({
      name: 'Break-in',
      reason: 'Police',
      format: 'zip',
      cameraIds: [door, yard],
      from: inReply(NOON),
      till: inReply(NOON + HOUR / 2),
      duration: 1800,
      status: 'Queued',
      progress: 0,
      hasPassword: true,
      userId: accountId,
      exportedAt: null,
      expiresAt: null,
      sizeBytes: null,
      sha256: null,
      failure: null,
    })
    expect((await api.call(token, 'GET exports')).body).toEqual([made])
    expect((await api.call(token, `GET exports/${made.exportId}`)).body).toEqual(made)
    const row = await api.owner.plain
      .selectFrom('exports')
      .selectAll()
      .where('export_id', '=', made.exportId)
      .executeTakeFirstOrThrow()
    expect(row.estimated_bytes).toBe(3600)
    expect(row.password_sealed?.toString('latin1')).not.toContain('long enough')
    const [entry] = await api.owner.plain
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('action', '=', 'addExport')
      .execute()
    expect(entry).toMatchObject({
      target_kind: 'export',
      target_id: made.exportId,
      after: { cameraIds: [door, yard], from: inReply(NOON), till: inReply(NOON + HOUR / 2), reason: 'Police' },
    })
    expect(JSON.stringify(entry)).not.toContain('long enough')
  })

  test.each([
    [{ cameraIds: [] }, 'cameraIds'],
    [{ cameraIds: [1, 1] }, 'cameraIds'],
    [{ cameraIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }, 'cameraIds'],
    [{ till: text(NOON) }, 'till'],
    [{ till: text(NOON + 12 * HOUR + 1) }, 'till'],
    [{ from: text(NOON + 30 * HOUR), till: text(NOON + 31 * HOUR) }, 'till'],
    [{ cameraIds: [1, 2], format: 'mp4' }, 'format'],
    [{ cameraIds: [1], format: 'mp4', password: 'long enough' }, 'password'],
    [{ password: 'short' }, 'password'],
    [{ format: 'avi' }, 'format'],
    [{ reason: 'a\u202eb' }, 'reason'],
    [{ speed: 3 }, 'speed'],
    [{ speed: 32 }, 'speed'],
    [{ speed: 0.5 }, 'speed'],
  ])('%j is refused with code 3', async (given, field) => {
    const { token } = await recorded()
    const reply = await api.call(token, 'POST exports', wanted([1], given))
    expect(reply).toMatchObject({ status: 400, body: { code: 3 } })
    expect(JSON.stringify(reply.body.fields)).toContain(field)
  })

  test.each(['', '  '])('with the watermark %j has none, and is the original', async (watermark) => {
    const { token, door } = await recorded()
    expect(await add(token, wanted([door], { watermark }))).toMatchObject({ overlay: false, watermark: null })
  })

  test('has its watermark without the spaces around it', async () => {
    const { token, door } = await recorded()
    expect(await add(token, wanted([door], { watermark: ' Copy ' }))).toMatchObject({ watermark: 'Copy' })
  })

  test('with text in its pictures is made apart, so that evidence doesn’t wait for it', async () => {
    const { token, door } = await recorded()
    const plain = await add(token, wanted([door]))
    const derived = await add(token, wanted([door], { overlay: true }))
    const keys = [`makeExport:${plain.exportId}`, `makeDerivedExport:${derived.exportId}`]
    const { rows } = await sql`select key from graphile_worker.jobs where key in (${sql.join(keys)})`.execute(
      api.owner.plain,
    )
    expect(rows).toHaveLength(2)
  })

  test('has the speed that was asked for, 1 otherwise, and says so in the audit log', async () => {
    const { token, door, accountId } = await recorded()
    expect(await add(token, wanted([door]))).toMatchObject({ speed: 1 })
    expect(await add(token, wanted([door], { speed: 1 }))).toMatchObject({ speed: 1 })
    const made = await add(token, wanted([door], { speed: 16 }))
    expect(made).toMatchObject({ speed: 16 })
    const log = api.owner.plain.selectFrom('audit_log').select('after').where('account_id', '=', accountId)
    const speeds = (await log.where('action', '=', 'addExport').execute()).map(
      ({ after }) => (after as { speed?: number }).speed,
    )
    expect(speeds.filter((speed) => speed !== undefined)).toEqual([16])
  })

  test.each([{ overlay: true }, { watermark: 'Copy' }, { logo: true }, { speed: 2 }])(
    'with %j is refused with code 17 by a server without an encoder, which says so before',
    async (given) => {
      const encodes = { sound: false, pictures: false }
      await using bare = await testApi({ slices: [footageExports], media: { encodes } })
      const { token, accountId, zoneId } = await bare.addAccount()
      const door = await bare.addCamera(accountId, zoneId, 'Door')
      expect((await bare.call(token, 'GET exportOptions')).body).toEqual({ overlay: false, logo: false, sound: false })
      bare.now = NOON + 24 * HOUR
      const reply = await bare.call(token, 'POST exports', wanted([door], given))
      expect(reply).toMatchObject({ status: 422, body: { code: 17 } })
      expect(reply.body.detail).toContain('ffmpeg')
    },
  )

  test('with overlay and watermark says so from the beginning, also in the audit log', async () => {
    const { token, door, accountId } = await recorded()
    expect((await api.call(token, 'GET exportOptions')).body).toEqual({ overlay: true, logo: true, sound: true })
    const made = await add(token, wanted([door], { overlay: true, watermark: 'Copy for Acme' }))
    expect(made).toMatchObject({ overlay: true, watermark: 'Copy for Acme' })
    expect(await add(token, wanted([door]))).toMatchObject({ overlay: false, watermark: null })
    const entry = await api.owner.plain
      .selectFrom('audit_log')
      .select('after')
      .where('account_id', '=', accountId)
      .where('target_id', '=', made.exportId)
      .executeTakeFirstOrThrow()
    expect(entry.after).toMatchObject({ overlay: true, watermark: 'Copy for Acme' })
  })

  test('of a time without footage, or of another account’s camera, is code 4', async () => {
    const { token, door } = await recorded()
    const other = await recorded()
    const late = wanted([door], { from: text(NOON + 2 * HOUR), till: text(NOON + 3 * HOUR) })
    expect(await api.call(token, 'POST exports', late)).toMatchObject({ status: 404, body: { code: 4 } })
    const foreign = wanted([door, other.door])
    expect(await api.call(token, 'POST exports', foreign)).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('needs the rights export and playback, and support never gets one', async () => {
    const { accountId, door, yard } = await recorded()
    const ask = async (rights: readonly ('export' | 'playback')[], cameraIds: readonly number[]) => {
      const { token } = await api.addSubUser(accountId, { rights: [...rights], cameraIds: [door] })
      return (await api.call(token, 'POST exports', wanted(cameraIds))).status
    }
    expect(await ask(['export', 'playback'], [door])).toBe(202)
    expect(await ask(['export', 'playback'], [door, yard])).toBe(404)
    expect(await ask(['export'], [door])).toBe(403)
    expect(await ask(['playback'], [door])).toBe(403)
    await api.owner.plain
      .updateTable('accounts')
      .set({ helpdesk_show_video: true })
      .where('account_id', '=', accountId)
      .execute()
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    for (const call of ['POST exports', 'GET exports'])
      expect(await api.call(support, call, call === 'GET exports' ? undefined : wanted([door]))).toMatchObject({
        body: { code: 9 },
      })
  })

  test('is seen by the owner and the sub-user who asked for it, and by nobody else', async () => {
    const { accountId, token, door } = await recorded()
    const rights = ['export', 'playback'] as const
    const asker = await api.addSubUser(accountId, { rights, cameraIds: [door] })
    const peer = await api.addSubUser(accountId, { rights, allCameras: true })
    const { exportId } = await add(asker.token, wanted([door]))
    const statusOf = async (by: string) => (await api.call(by, `GET exports/${exportId}`)).status
    expect([await statusOf(asker.token), await statusOf(token), await statusOf(peer.token)]).toEqual([200, 200, 404])
    expect((await api.call(peer.token, 'GET exports')).body).toEqual([])
    expect((await api.call(peer.token, `DELETE exports/${exportId}`)).status).toBe(404)
    const other = await recorded()
    expect(await statusOf(other.token)).toBe(404)
  })

  test('too many waiting, or too many bytes, is code 6', async () => {
    const { accountId, token, door } = await recorded()
    for (let n = 0; n < MAX_WAITING_EXPORTS; n += 1) await add(token, wanted([door]))
    expect(await api.call(token, 'POST exports', wanted([door]))).toMatchObject({ status: 409, body: { code: 6 } })
    const [first] = (await api.call(token, 'GET exports')).body
    expect((await api.call(token, `DELETE exports/${first.exportId}`)).status).toBe(204)
    await add(token, wanted([door]))
    await api.owner.plain
      .updateTable('exports')
      .set({ status: 'Failed' })
      .where('account_id', '=', accountId)
      .where('export_id', '!=', first.exportId)
      .execute()
    const { exportId } = await add(token, wanted([door]))
    await finish(exportId, { size_bytes: MAX_EXPORT_BYTES - 1799 })
    const full = await api.call(token, 'POST exports', wanted([door]))
    expect(full).toMatchObject({ status: 409, body: { code: 6 } })
    expect(full.body.detail).toContain('0 GiB are left')
    await finish(exportId, { size_bytes: MAX_EXPORT_BYTES - 1800 })
    await add(token, wanted([door]))
  })

  test('that was deleted is gone, and its deletion is in the audit log', async () => {
    const { accountId, token, door } = await recorded()
    const { exportId } = await add(token, wanted([door]))
    expect((await api.call(token, `DELETE exports/${exportId}`)).status).toBe(204)
    for (const call of [`GET exports/${exportId}`, `DELETE exports/${exportId}`, `POST exports/${exportId}/links`])
      expect(await api.call(token, call)).toMatchObject({ status: 404, body: { code: 4 } })
    const entries = await api.owner.plain
      .selectFrom('audit_log')
      .select('action')
      .where('account_id', '=', accountId)
      .where('target_id', '=', exportId)
      .orderBy('at')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['addExport', 'deleteExport'])
  })
})

describe('a download', () => {
  test('has an address that is bound to the session and is valid for 30 minutes, only when the file is done', async () => {
    const { accountId, token, door } = await recorded()
    const { exportId } = await add(token, wanted([door]))
    for (const call of ['POST exports/ID/links', 'GET exports/ID/download'])
      expect(await api.call(token, call.replace('ID', String(exportId)))).toMatchObject({
        status: 409,
        body: { code: 6 },
      })
    await finish(exportId)
    const { status, body } = await api.call(token, `POST exports/${exportId}/links`)
    expect(status).toBe(201)
    expect(body.expiresAt).toBe(inReply(api.now + EXPORT_LINK_MS))
    expect(body.url).toMatch(/^https?:\/\/[^/]+\/stream\/export\/open\?ticket=[\w-]{43}$/)
    const rows = await api.owner.plain
      .selectFrom('export_links')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute()
    expect(rows).toMatchObject([{ export_id: exportId, expires_at: api.now + EXPORT_LINK_MS, used_at: null }])
    const redirect = await fetch(`${api.origin}/rest/v2.4/exports/${exportId}/download`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
    })
    expect(redirect.status).toBe(302)
    expect(redirect.headers.get('location')).toContain('/stream/export/open?ticket=')
  })

  test('of an expired export is code 4', async () => {
    const { token, door } = await recorded()
    const { exportId } = await add(token, wanted([door]))
    await finish(exportId, { expires_at: instant(api.now) })
    for (const call of ['POST exports/ID/links', 'GET exports/ID/download'])
      expect(await api.call(token, call.replace('ID', String(exportId)))).toMatchObject({
        status: 404,
        body: { code: 4 },
      })
  })

  test('is refused to who has lost a camera, or the right to hear its sound', async () => {
    const { accountId, door, yard } = await recorded()
    const { token, userId } = await api.addSubUser(accountId, {
      rights: ['export', 'playback'],
      cameraIds: [door, yard],
    })
    const { exportId } = await add(token, wanted([door, yard]))
    await finish(exportId)
    const ask = () => api.call(token, `POST exports/${exportId}/links`)
    expect((await ask()).status).toBe(201)
    await finish(exportId, { has_sound: true })
    expect(await ask()).toMatchObject({ status: 403, body: { code: 9 } })
    await finish(exportId)
    await api.owner.plain
      .deleteFrom('user_cameras')
      .where('user_id', '=', userId)
      .where('camera_id', '=', yard)
      .execute()
    await expect.poll(async () => (await ask()).status).toBe(404)
  })
})

test('anyone can check by its hash whether a file was exported here', async () => {
  const { token, door } = await recorded()
  const { exportId } = await add(token, wanted([door]))
  const verify = (sha256: string, id = exportId) => api.call(undefined, `POST exports/${id}/verify`, { sha256 })
  const no = { valid: false, signer: null, signedAt: null }
  expect((await verify('07'.repeat(32))).body).toEqual(no)
  await finish(exportId)
  expect((await verify('07'.repeat(32))).body).toEqual({
    valid: true,
    signer: 'ab'.repeat(32),
    signedAt: inReply(api.now),
  })
  expect((await verify('08'.repeat(32))).body).toEqual(no)
  expect((await verify('07'.repeat(32), 1)).body).toEqual(no)
  expect(await verify('none')).toMatchObject({ status: 400, body: { code: 3 } })
  await api.call(token, `DELETE exports/${exportId}`)
  expect((await verify('07'.repeat(32))).body.valid).toBe(true)
})
