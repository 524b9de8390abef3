import type { CameraCommandAnswer } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { devices } from '../devices/index.ts'
import { reportDevice } from '../devices-testing-store.ts'
import { answeringCameras } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { deviceChannels } from './index.ts'

let api: TestApi
let answer: CameraCommandAnswer
const asked: { cameraId: number; input: unknown }[] = []
beforeAll(async () => {
  const command = answeringCameras(({ cameraId, input }) => {
    asked.push({ cameraId, input })
    return answer
  })
  api = await testApi({ slices: [devices, deviceChannels, cameras], media: { command } })
})
afterAll(() => api[Symbol.asyncDispose]())

async function recorder() {
  const account = await api.addAccount()
  const given = { name: 'Cellar', zoneId: account.zoneId, address: '192.0.2.60', username: 'admin', password: 'secret' }
  const deviceId: number = (await api.call(account.token, 'POST devices', given)).body.deviceId
  await reportDevice(api, { accountId: account.accountId, deviceId })
  return { ...account, deviceId, path: `devices/${deviceId}/channels` }
}

describe('the inputs of a recorder', () => {
  test('have the number that they are reached by, and say whether they have video and are cameras', async () => {
    const { token, path } = await recorder()
    const { body: camera } = await api.call(token, `POST ${path}/2/camera`, { name: 'Till' })
    const free = { attached: false, cameraId: null }
    expect((await api.call(token, `GET ${path}`)).body).toEqual([
      { channelId: 1, channel: 1, name: 'profile 1', online: true, ...free },
      { channelId: 2, channel: 2, name: 'profile 2', online: true, attached: true, cameraId: camera.cameraId },
      { channelId: 3, channel: 3, name: 'profile 3', online: true, ...free },
      { channelId: 4, channel: 4, name: 'profile 4', online: false, ...free },
    ])
    expect((await api.call(token, `GET ${path}?attached=true`)).body).toHaveLength(1)
    expect((await api.call(token, `GET ${path}?attached=false`)).body).toHaveLength(3)
    expect((await api.call(token, `GET ${path}?attached=maybe`)).body).toMatchObject({ code: 3 })
    expect((await api.call(token, `GET ${path}/4`)).body).toMatchObject({ channel: 4, online: false })
    expect((await api.call(token, `GET ${path}/5`)).status).toBe(404)
  })

  test("name no camera that the caller doesn't have access to", async () => {
    const { accountId, token, zoneId, path, deviceId } = await recorder()
    const yard = await api.owner.plain
      .insertInto('zones')
      .values({ account_id: accountId, zone_id: deviceId + 1, name: 'Yard' })
      .returning('zone_id')
      .executeTakeFirstOrThrow()
    await api.call(token, `POST ${path}/1/camera`, { name: 'Gate', zoneId: yard.zone_id })
    const viewer = await api.addSubUser(accountId, { rights: [], zoneIds: [zoneId] })
    expect((await api.call(viewer.token, `GET ${path}/1`)).body).toMatchObject({ attached: true, cameraId: null })
  })
})

describe('POST devices/{deviceId}/channels/{channelId}/camera', () => {
  test('makes an input a camera that is connected as the recorder said, with its password', async () => {
    const { accountId, token, zoneId, path, deviceId } = await recorder()
    const reply = await api.call(token, `POST ${path}/2/camera`, { name: 'Till' })
    expect(reply).toMatchObject({ status: 201, body: { name: 'Till', zoneId, accountId, brand: 'Acme' } })
    expect(reply.headers.get('location')).toMatch(new RegExp(`/cameras/${reply.body.cameraId}$`))
    const row = await api.owner.plain
      .selectFrom('cameras')
      .selectAll()
      .where('camera_id', '=', reply.body.cameraId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      device_id: deviceId,
      input: 2,
      address: '192.0.2.60',
      rtsp_port: 554,
      main_path: '/main?input=2',
      onvif_port: 80,
      username: 'admin',
      addition_status: 'validated',
      device_inputs: 4,
      motion_sources: ['source2'],
    })
    expect(row.password_sealed).not.toBeNull()
    const log = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
    expect(log.at(-1)).toMatchObject({ action: 'postChannelCamera', target_id: deviceId, after: { channel: 2 } })
  })

  test.each([
    ['an input without a camera', 4],
    ['an input that is a camera already', 1],
  ])('%s is code 6', async (_, channel) => {
    const { token, path } = await recorder()
    await api.call(token, `POST ${path}/1/camera`, { name: 'Gate' })
    const reply = await api.call(token, `POST ${path}/${channel}/camera`, { name: 'Till' })
    expect(reply).toMatchObject({ status: 409, body: { code: 6 } })
  })

  test('of ten at the same time, one becomes the camera', async () => {
    const { token, path } = await recorder()
    const all = Array.from({ length: 10 }, (_, at) => api.call(token, `POST ${path}/3/camera`, { name: `Till ${at}` }))
    const replies = await Promise.all(all)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  test('without a free camera slot it is code 7', async () => {
    const { accountId, token, path } = await recorder()
    await api.owner.plain.updateTable('accounts').set({ max_cameras: 0 }).where('account_id', '=', accountId).execute()
    const reply = await api.call(token, `POST ${path}/1/camera`, { name: 'Till' })
    expect(reply).toMatchObject({ status: 409, body: { code: 7 } })
  })

  test('without a name it is code 3; an input or a zone that is not there is not found', async () => {
    const { token, path } = await recorder()
    expect((await api.call(token, `POST ${path}/1/camera`, {})).body).toMatchObject({ code: 3 })
    expect((await api.call(token, `POST ${path}/9/camera`, { name: 'Till' })).status).toBe(404)
    expect((await api.call(token, `POST ${path}/1/camera`, { name: 'Till', zoneId: 999 })).status).toBe(404)
  })
})

describe('GET devices/{deviceId}/channels/{channelId}/snapshot', () => {
  test('is the picture that the recorder makes of the input, whether it is a camera or not', async () => {
    const { token, path, deviceId } = await recorder()
    const bytes = Buffer.from([0xff, 0xd8, 0xff, 0x00])
    answer = { kind: 'done', output: { bytes } }
    asked.length = 0
    const reply = await api.call(token, `GET ${path}/3/snapshot`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('image/jpeg')
    expect(reply.headers.get('cache-control')).toContain('no-store')
    expect(Buffer.from(reply.body)).toEqual(bytes)
    expect(asked).toEqual([{ cameraId: deviceId, input: { profile: 'sub3' } }])
  })

  test.each([
    ['cameraOffline', 424, 14],
    ['unsupported', 422, 11],
    ['noOnvif', 422, 11],
    ['credentialsIncorrect', 424, 12],
    ['rejected', 424, 13],
    ['timedOut', 504, 19],
  ] as const)('a recorder that answers %s is status %i, code %i', async (kind, status, code) => {
    const { token, path } = await recorder()
    answer = { kind }
    expect(await api.call(token, `GET ${path}/1/snapshot`)).toMatchObject({ status, body: { code } })
  })

  test('of an input without a camera it is code 18, and the recorder is not asked', async () => {
    const { token, path } = await recorder()
    asked.length = 0
    expect(await api.call(token, `GET ${path}/4/snapshot`)).toMatchObject({ status: 424, body: { code: 18 } })
    expect(asked).toEqual([])
  })

  test('of an input that is a private camera, or one out of scope, is none, and the recorder is not asked', async () => {
    const { accountId, token, zoneId, path, deviceId } = await recorder()
    await api.owner.plain
      .insertInto('zones')
      .values({ account_id: accountId, zone_id: deviceId + 1, name: 'Yard' })
      .execute()
    const gate = await api.call(token, `POST ${path}/1/camera`, { name: 'Gate', zoneId: deviceId + 1 })
    const viewer = await api.addSubUser(accountId, { rights: [], zoneIds: [zoneId] })
    answer = { kind: 'done', output: { bytes: Buffer.from([0xff, 0xd8]) } }
    expect((await api.call(viewer.token, `GET ${path}/2/snapshot`)).status).toBe(200)
    asked.length = 0
    expect(await api.call(viewer.token, `GET ${path}/1/snapshot`)).toMatchObject({ status: 404, body: { code: 4 } })
    await api.owner.plain
      .updateTable('cameras')
      .set({ mode: 'private' })
      .where('camera_id', '=', gate.body.cameraId)
      .execute()
    expect(await api.call(token, `GET ${path}/1/snapshot`)).toMatchObject({ status: 424, body: { code: 18 } })
    expect(asked).toEqual([])
  })

  test('in another size it is code 17', async () => {
    const { token, path } = await recorder()
    expect((await api.call(token, `GET ${path}/1/snapshot?resolution=10x10`)).body).toMatchObject({ code: 17 })
  })

  test('support that may not see video gets none; the recorder is not asked for those out of scope', async () => {
    const { accountId, zoneId, path } = await recorder()
    asked.length = 0
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    expect((await api.call(support, `GET ${path}/1/snapshot`)).body).toMatchObject({ code: 9 })
    const viewer = await api.addSubUser(accountId, { rights: [], zoneIds: [zoneId] })
    const elsewhere = await api.addSubUser(accountId, { rights: ['CameraView'] })
    const stranger = await api.addAccount()
    for (const { token } of [elsewhere, stranger]) {
      expect((await api.call(token, `GET ${path}/1/snapshot`)).status).toBe(404)
      expect((await api.call(token, `GET ${path}`)).status).toBe(404)
      expect((await api.call(token, `POST ${path}/1/camera`, { name: 'Till' })).status).not.toBe(201)
    }
    expect(asked).toEqual([])
    answer = { kind: 'done', output: { bytes: Buffer.from([0xff, 0xd8]) } }
    expect((await api.call(viewer.token, `GET ${path}/1/snapshot`)).status).toBe(200)
    expect((await api.call(viewer.token, `POST ${path}/1/camera`, { name: 'Till' })).status).toBe(403)
  })
})
