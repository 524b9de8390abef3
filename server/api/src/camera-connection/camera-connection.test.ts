import type { CameraCommandAnswer, FoundConnection, TriedConnection } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraConnection } from './index.ts'

let api: TestApi
let tried: TriedConnection[] = []
let answer: CameraCommandAnswer<'tryConnection'>
const found: FoundConnection = {
  rtspPort: 554,
  mainPath: '/main',
  subPath: null,
  isSecure: false,
  onvif: { port: 8000, isSecure: false, certificate: null },
  serial: 'A1',
}
const connected = { kind: 'done', output: { kind: 'connected', found } } as const
beforeAll(async () => {
  api = await testApi({
    slices: [cameraConnection],
    media: {
      command: async (question) => {
        if (question.name !== 'tryConnection') throw new Error(`unexpected command ${question.name}`)
        tried.push(question.input as TriedConnection)
        return answer as never
      },
    },
  })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  tried = []
  answer = connected
})

async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const path = `cameras/${cameraId}/connection`
  const call = (method: 'GET' | 'PATCH', part: 'details' | 'credentials', body?: object, as = token) =>
    api.call(as, `${method} ${path}/${part}`, body)
  const row = () =>
    api.owner.plain
      .selectFrom('cameras')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('camera_id', '=', cameraId)
      .executeTakeFirstOrThrow()
  const log = () => api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
  return { accountId, zoneId, cameraId, token, call, row, log }
}

test('credentials are stored once the camera accepted them, and no reply or log has the password', async () => {
  const { call, row, log } = await oneCamera()
  const before = await row()
  const body = { username: 'operator', password: 'correct horse', allowBasic: true }
  const saved = await call('PATCH', 'credentials', body)
  const shown = { username: 'operator', passwordKnown: true, allowBasic: true }
  expect(saved).toMatchObject({ status: 200, body: shown })
  expect(saved.body).toEqual(shown)
  expect(tried).toMatchObject([{ address: before.address, username: 'operator', allowBasic: true }])
  const after = await row()
  expect(after.password_sealed?.toString('base64')).toBe(tried[0]?.passwordSealed)
  expect([after.rtsp_port, after.main_path]).toEqual([before.rtsp_port, before.main_path])
  expect((await call('GET', 'credentials')).body).toEqual(shown)
  expect(JSON.stringify([tried, await log(), saved.body])).not.toContain('correct horse')
  expect(await log()).toMatchObject([{ action: 'patchCameraCredentials', after: { ...shown, password: 'changed' } }])
})

test('editing a camera without `localExceptions` hides its local address, also in the answer to a change; the log has it', async () => {
  const { accountId, cameraId, call, log } = await oneCamera()
  const of = { cameraIds: [cameraId] }
  const editor = await api.addSubUser(accountId, { ...of, rights: ['editCamera'] })
  const local = await api.addSubUser(accountId, { ...of, rights: ['editCamera', 'localExceptions'] })
  const viewer = await api.addSubUser(accountId, { ...of, rights: ['localExceptions'] })
  const hidden = { localIp: null, localPort: null, streamType: 'rtsp', onvif: true }
  expect((await call('PATCH', 'details', { localPort: 8000 }, editor.token)).body).toMatchObject(hidden)
  expect((await call('GET', 'details', undefined, editor.token)).body).toMatchObject(hidden)
  const shown = { localIp: '192.0.2.7', localPort: 8000 }
  expect((await call('GET', 'details', undefined, local.token)).body).toMatchObject(shown)
  expect(await call('GET', 'details', undefined, viewer.token)).toMatchObject({ status: 403, body: { code: 9 } })
  expect(await log()).toMatchObject([{ action: 'patchCameraConnection', after: shown }])
})

test('an empty user name is refused: without a user it is null', async () => {
  const { call } = await oneCamera()
  const refused = await call('PATCH', 'credentials', { username: '' })
  expect(refused).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'username' }] } })
  expect(tried).toEqual([])
})

test('a password has at most 128 letters', async () => {
  const { call } = await oneCamera()
  expect(await call('PATCH', 'credentials', { password: 'x'.repeat(129) })).toMatchObject({
    status: 400,
    body: { code: 3 },
  })
  expect(tried).toEqual([])
})

test('what isn’t named stays, and a camera without a user has no password', async () => {
  const { call, row } = await oneCamera()
  await call('PATCH', 'credentials', { username: 'operator', password: 'one' })
  const { password_sealed: sealed } = await row()
  await call('PATCH', 'credentials', { allowBasic: true })
  expect(tried[1]).toMatchObject({ username: 'operator', passwordSealed: sealed?.toString('base64'), allowBasic: true })
  expect((await call('PATCH', 'credentials', { username: null })).body).toEqual({
    username: null,
    passwordKnown: false,
    allowBasic: true,
  })
})

test('a camera moves to another address where it answers; its stream is where it said', async () => {
  const { call, row, log } = await oneCamera()
  expect(await call('PATCH', 'details', { localIp: 'CAMERA.example', localPort: 8000 })).toMatchObject({
    status: 200,
    body: { localIp: 'camera.example', localPort: 8000, https: false, streamType: 'rtsp', onvif: true },
  })
  expect(tried).toMatchObject([{ address: 'camera.example', port: 8000 }])
  expect(await row()).toMatchObject({ main_path: '/main', rtsp_port: 554, onvif_port: 8000, named_port: 8000 })
  expect(await log()).toMatchObject([{ action: 'patchCameraConnection', after: { localIp: 'camera.example' } }])
})

test('another address needs the password: the stored one could be read there by who names it', async () => {
  const { call, row } = await oneCamera()
  await call('PATCH', 'credentials', { username: 'operator', password: 'one' })
  const { password_sealed: sealed } = await row()
  const refused = await call('PATCH', 'details', { localIp: '192.0.2.9' })
  expect(refused).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'password' }] } })
  expect(tried).toHaveLength(1)
  // At its own address it stays.
  expect(await call('PATCH', 'details', { localPort: 8000 })).toMatchObject({ status: 200 })
  expect(tried[1]?.passwordSealed).toBe(sealed?.toString('base64'))
  expect(await call('PATCH', 'details', { localIp: '192.0.2.9', password: 'one' })).toMatchObject({ status: 200 })
  const after = await row()
  expect(after.password_sealed?.toString('base64')).toBe(tried[2]?.passwordSealed)
  expect(tried[2]?.passwordSealed).not.toBe(sealed?.toString('base64'))
})

describe('nothing is stored', () => {
  test.each([
    ['credentialsIncorrect', 424, 12],
    ['needsBasic', 422, 11],
    ['deviceOffline', 424, 14],
    ['unusable', 424, 13],
    ['timedOut', 504, 19],
  ] as const)('if the try says %s', async (reason, status, code) => {
    const { call, row, log } = await oneCamera()
    const before = await row()
    answer = { kind: 'done', output: { kind: 'failed', reason } }
    expect(await call('PATCH', 'credentials', { password: 'wrong' })).toMatchObject({ status, body: { code } })
    expect(await call('PATCH', 'details', { localIp: '192.0.2.9' })).toMatchObject({ status, body: { code } })
    expect(await row()).toEqual(before)
    expect(await log()).toEqual([])
  })

  test('if no worker serves the camera', async () => {
    const { call } = await oneCamera()
    answer = { kind: 'cameraOffline' }
    expect(await call('PATCH', 'details', { localIp: '192.0.2.9' })).toMatchObject({ status: 424, body: { code: 14 } })
  })

  test('if another camera answers there', async () => {
    const { accountId, call } = await oneCamera()
    await api.owner.plain.updateTable('cameras').set({ serial: 'B2' }).where('account_id', '=', accountId).execute()
    const refused = await call('PATCH', 'details', { localIp: '192.0.2.9' })
    expect(refused).toMatchObject({ status: 409, body: { code: 6 } })
    expect(refused.body.detail).toContain('serial number A1, expected B2')
  })

  test('if the account has a camera at this address', async () => {
    const { accountId, zoneId, token, call } = await oneCamera()
    const other = await api.addCamera(accountId, zoneId, 'Yard')
    const path = `PATCH cameras/${other}/connection/details`
    const place = { localIp: '192.0.2.9', localPort: 80 }
    expect(await api.call(token, path, place)).toMatchObject({ status: 200 })
    expect(await call('PATCH', 'details', place)).toMatchObject({ status: 409, body: { code: 5 } })
  })

  test('of an input of a recorder, whose connection is the recorder’s', async () => {
    const { accountId, zoneId, cameraId, call } = await oneCamera()
    const device = {
      account_id: accountId,
      device_id: cameraId + 1,
      zone_id: zoneId,
      name: 'NVR',
      address: '192.0.2.3',
    }
    await api.owner.plain.insertInto('devices').values(device).execute()
    const cameras = api.owner.plain.updateTable('cameras').set({ device_id: device.device_id })
    await cameras.where('account_id', '=', accountId).execute()
    expect(await call('PATCH', 'details', { localIp: '192.0.2.9' })).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await call('PATCH', 'credentials', { password: 'x' })).toMatchObject({ status: 409, body: { code: 6 } })
    expect(tried).toEqual([])
  })

  test.each([[{ localIp: 'http://camera' }], [{ localIp: '' }], [{ localPort: 0 }], [{ localPort: 70_000 }]])(
    'of %j, which is no address',
    async (body) => {
      const { call } = await oneCamera()
      expect(await call('PATCH', 'details', body)).toMatchObject({ status: 400, body: { code: 3 } })
      expect(tried).toEqual([])
    },
  )
})

test('reading and changing need the right editCamera and the camera', async () => {
  const { accountId, call } = await oneCamera()
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView'], allCameras: true })
  const other = await api.addAccount()
  for (const part of ['details', 'credentials'] as const) {
    expect((await call('GET', part, undefined, viewer.token)).status).toBe(403)
    expect((await call('PATCH', part, {}, viewer.token)).status).toBe(403)
    expect((await call('GET', part, undefined, other.token)).status).toBe(404)
    expect((await call('PATCH', part, {}, other.token)).status).toBe(404)
  }
  expect(tried).toEqual([])
})
