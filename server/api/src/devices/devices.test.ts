import { PASSWORD_HEADER } from '@sightline/contract/credentials'
import type { Right } from '@sightline/contract/rights'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cameraAdditions } from '../camera-additions/index.ts'
import { deviceChannels } from '../device-channels/index.ts'
import { reportDevice } from '../devices-testing-store.ts'
import { obedientCameras, obedientOutputs } from '../media-testing.ts'
import { COMMON_PASSWORD, RIGHT_PASSWORD, type TestApi, testApi } from '../slice-testing.ts'
import { devices } from './index.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  const command = obedientCameras(obedientOutputs)
  const media = { command, camerasChanged: () => void notified++ }
  api = await testApi({ slices: [devices, deviceChannels, cameraAdditions], media })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  notified = 0
})

const recorder = (zoneId: number) => ({
  name: 'Cellar',
  zoneId,
  address: '192.0.2.60',
  username: 'admin',
  password: 'topsecret',
})
const password = (text: string) => ({ [PASSWORD_HEADER]: Buffer.from(text).toString('base64url') })
const rowOf = (deviceId: number) =>
  api.owner.plain.selectFrom('devices').selectAll().where('device_id', '=', deviceId).executeTakeFirstOrThrow()
const auditOf = (accountId: number) =>
  api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()

async function added(given: { readonly isReported?: boolean } = {}) {
  const account = await api.addAccount()
  const { body } = await api.call(account.token, 'POST devices', recorder(account.zoneId))
  const deviceId: number = body.deviceId
  if (given.isReported !== false) await reportDevice(api, { accountId: account.accountId, deviceId })
  return { ...account, deviceId }
}

describe('POST devices', () => {
  test('writes the device, its password sealed, and the workers learn of it', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const reply = await api.call(token, 'POST devices', recorder(zoneId))
    expect(reply).toMatchObject({
      status: 201,
      body: {
        name: 'Cellar',
        zoneId,
        accountId,
        status: 'offline',
        additionStatus: 'inProgress',
        channels: [],
        jobs: [],
      },
    })
    expect(reply.headers.get('location')).toMatch(new RegExp(`/devices/${reply.body.deviceId}$`))
    expect(notified).toBe(1)
    const row = await rowOf(reply.body.deviceId)
    expect(row).toMatchObject({ address: '192.0.2.60', username: 'admin', named_port: null })
    expect(row.password_sealed?.toString()).not.toContain('topsecret')
    expect(await auditOf(accountId)).toMatchObject([
      { action: 'postDevice', target_kind: 'device', target_id: reply.body.deviceId, after: { username: 'admin' } },
    ])
    expect(JSON.stringify(await auditOf(accountId))).not.toContain('topsecret')
  })

  test.each([
    ['', 'Device name is required'],
    ['x'.repeat(33), 'Device name should be 1-32 characters'],
  ])('the name %j is refused: %s', async (name, message) => {
    const { token, zoneId } = await api.addAccount()
    const reply = await api.call(token, 'POST devices', { ...recorder(zoneId), name })
    expect(reply.body).toMatchObject({ code: 3, fields: [{ field: 'name', message }] })
  })

  test('the same address and port twice is code 5', async () => {
    const { token, zoneId } = await added()
    const again = await api.call(token, 'POST devices', recorder(zoneId))
    expect(again).toMatchObject({ status: 409, body: { code: 5 } })
    expect(await api.call(token, 'POST devices', { ...recorder(zoneId), port: 8000 })).toMatchObject({ status: 201 })
  })

  test('without a free slot it is code 6, also for twenty at the same time', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    await api.owner.plain.updateTable('accounts').set({ max_devices: 2 }).where('account_id', '=', accountId).execute()
    const all = Array.from({ length: 20 }, (_, at) =>
      api.call(token, 'POST devices', { ...recorder(zoneId), address: `192.0.2.${at + 1}` }),
    )
    const replies = await Promise.all(all)
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2)
    const others = replies.filter(({ status }) => status !== 201)
    expect(others.map(({ body }) => body.code)).toEqual(Array.from({ length: 18 }, () => 6))
  })

  test('a failed addition is tried again under its id, and takes no further slot', async () => {
    const { accountId, token, zoneId, deviceId } = await added({ isReported: false })
    const failed = { addition_status: 'failure', addition_sub_status: 'credentialsIncorrect' } as const
    await api.owner.plain.updateTable('devices').set(failed).where('device_id', '=', deviceId).execute()
    await api.owner.plain.updateTable('accounts').set({ max_devices: 1 }).where('account_id', '=', accountId).execute()
    const again = await api.call(token, 'POST devices', { ...recorder(zoneId), password: 'other' })
    expect(again).toMatchObject({ status: 201, body: { deviceId, additionStatus: 'inProgress' } })
  })

  test('cameras that were added as inputs of the recorder before are attached to it', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const input = { name: 'Till', zoneId, address: '192.0.2.60', channel: 2 }
    const camera = await api.call(token, 'POST cameras', input)
    const { body } = await api.call(token, 'POST devices', recorder(zoneId))
    await reportDevice(api, { accountId, deviceId: body.deviceId })
    const channels = await api.call(token, `GET devices/${body.deviceId}/channels`)
    expect(channels.body[1]).toMatchObject({ attached: true, cameraId: camera.body.cameraId })
  })

  test('needs the right addCameraManually and the whole zone', async () => {
    const { accountId, zoneId } = await api.addAccount()
    const adder = await api.addSubUser(accountId, { rights: ['addCameraManually'], zoneIds: [zoneId] })
    const elsewhere = await api.addSubUser(accountId, { rights: ['addCameraManually'] })
    const editor = await api.addSubUser(accountId, { rights: ['editCamera', 'deleteCamera'], zoneIds: [zoneId] })
    expect((await api.call(editor.token, 'POST devices', recorder(zoneId))).status).toBe(403)
    expect((await api.call(elsewhere.token, 'POST devices', recorder(zoneId))).status).toBe(404)
    expect((await api.call(adder.token, 'POST devices', recorder(zoneId))).status).toBe(201)
  })
})

describe('GET devices/{deviceId}/additionStatus/poll', () => {
  const finish = (deviceId: number, subStatus: string) =>
    api.owner.plain
      .updateTable('devices')
      .set({ addition_status: 'failure', addition_sub_status: subStatus })
      .where('device_id', '=', deviceId)
      .execute()

  test('answers when the device was found, with the number of its inputs', async () => {
    const { accountId, token, deviceId } = await added({ isReported: false })
    const waiting = api.call(token, `GET devices/${deviceId}/additionStatus/poll`)
    await reportDevice(api, { accountId, deviceId })
    expect(await waiting).toMatchObject({
      status: 200,
      body: { deviceId, Status: 'added', SubStatus: 'none', channels: 4, code: null, message: null },
    })
    const { body } = await waiting
    expect(body.steps.map(({ step, state }: { step: string; state: string }) => `${step} ${state}`)).toEqual([
      'reachable done',
      'identified done',
      'signedIn done',
      'streams done',
    ])
  })

  test.each([
    ['deviceOffline', 14],
    ['addressNotAllowed', 14],
    ['credentialsIncorrect', 12],
    ['unsupportedDevice', 3],
    ['deviceError', 13],
    ['unknown', 1],
  ])('%s is code %i of operation 241, with its text', async (subStatus, code) => {
    const { token, deviceId } = await added({ isReported: false })
    await finish(deviceId, subStatus)
    const { body } = await api.call(token, `GET devices/${deviceId}/additionStatus/poll`)
    expect(body).toMatchObject({ status: 'failure', subStatus, code, message: expect.stringMatching(/\w/) })
  })
})

describe('a recorder that was found', () => {
  test('is listed with its inputs, and by whether it responds', async () => {
    const { token, deviceId } = await added()
    const { body } = await api.call(token, 'GET devices')
    expect(body).toMatchObject([
      { deviceId, status: 'online', brand: 'Acme', channels: [1, 2, 3, 4].map((channel) => ({ channel })) },
    ])
    expect((await api.call(token, 'GET devices?online=true')).body).toHaveLength(1)
    expect((await api.call(token, 'GET devices?online=false')).body).toHaveLength(0)
    expect((await api.call(token, 'GET devices?type=recorder')).body).toHaveLength(1)
    expect((await api.call(token, 'GET devices?type=other')).body).toMatchObject({ code: 3 })
  })

  test('a path with two slashes answers the same (specification §7)', async () => {
    const { token, deviceId } = await added()
    expect((await api.call(token, `GET /devices/${deviceId}`)).body).toMatchObject({ deviceId })
  })

  test('has a status with its storage, credentials without the password, and connection details', async () => {
    const { token, deviceId } = await added()
    expect((await api.call(token, `GET devices/${deviceId}/status`)).body).toMatchObject({
      deviceId,
      online: true,
      storage: { totalBytes: 4_000_000_000_000, usedBytes: 1_000_000_000_000 },
      lastConnectionResult: 'ok',
    })
    const credentials = await api.call(token, `GET devices/${deviceId}/connection/credentials`)
    expect(credentials.body).toEqual({ username: 'admin', passwordKnown: true, allowBasic: false })
    expect((await api.call(token, `GET devices/${deviceId}/connection/details`)).body).toMatchObject({
      localIp: '192.0.2.60',
      localPort: 80,
      https: false,
    })
  })

  test('its local address takes the right `localExceptions`', async () => {
    const { accountId, zoneId, deviceId } = await added()
    const ask = async (rights: readonly Right[]) => {
      const { token } = await api.addSubUser(accountId, { zoneIds: [zoneId], rights })
      return (await api.call(token, `GET devices/${deviceId}/connection/details`)).body
    }
    expect(await ask(['editCamera'])).toMatchObject({ localIp: null, localPort: null, https: false })
    expect(await ask(['editCamera', 'localExceptions'])).toMatchObject({ localIp: '192.0.2.60', localPort: 80 })
  })

  test('deviceInfo answers in the singular too', async () => {
    const { token, deviceId } = await added()
    const info = { brand: 'Acme', model: 'NVR 4', type: 'recorder', channelCount: 4 }
    expect((await api.call(token, `GET device/${deviceId}/deviceInfo`)).body).toMatchObject(info)
    expect((await api.call(token, `GET devices/${deviceId}/deviceInfo`)).body).toMatchObject(info)
  })

  test('is renamed and moved, which the audit log has', async () => {
    const { accountId, token, deviceId } = await added()
    const other = await api.owner.plain
      .insertInto('zones')
      .values({ account_id: accountId, zone_id: deviceId + 1, name: 'Yard' })
      .returning('zone_id')
      .executeTakeFirstOrThrow()
    const next = { name: 'Yard recorder', zoneId: other.zone_id }
    expect((await api.call(token, `PATCH devices/${deviceId}`, next)).body).toMatchObject(next)
    const log = await auditOf(accountId)
    expect(log.at(-1)).toMatchObject({ action: 'patchDevice', before: { name: 'Cellar' }, after: next })
  })

  test.each([
    ['PATCH devices/:id', { name: '' }],
    ['PATCH devices/:id', { name: 'x'.repeat(33) }],
    ['PATCH devices/:id/connection/credentials', { username: 7 }],
    ['GET devices/:id/additionStatus/poll?known=sometimes', undefined],
  ])('%s with %j is code 3', async (call, body) => {
    const { token, deviceId } = await added()
    const answer = await api.call(token, call.replace(':id', String(deviceId)), body)
    expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('gets other credentials, and so do the cameras at its inputs', async () => {
    const { accountId, token, deviceId } = await added()
    const { body: camera } = await api.call(token, `POST devices/${deviceId}/channels/1/camera`, { name: 'Till' })
    const sealedOf = () =>
      api.owner.plain
        .selectFrom('cameras')
        .select(['username', 'password_sealed'])
        .where('camera_id', '=', camera.cameraId)
        .executeTakeFirstOrThrow()
    const before = await sealedOf()
    const given = { username: 'operator', password: 'changed' }
    const reply = await api.call(token, `PATCH devices/${deviceId}/connection/credentials`, given)
    expect(reply.body).toEqual({ username: 'operator', passwordKnown: true, allowBasic: false })
    const after = await sealedOf()
    expect(after.username).toBe('operator')
    expect(after.password_sealed?.equals(before.password_sealed ?? Buffer.alloc(0))).toBe(false)
    expect(JSON.stringify(await auditOf(accountId))).not.toContain('changed')
  })
})

describe('DELETE devices/{deviceId}', () => {
  test('needs the password of the caller; a wrong one is code 3', async () => {
    const { token, deviceId } = await added()
    const call = `DELETE devices/${deviceId}`
    expect(await api.call(token, call)).toMatchObject({ status: 400, body: { code: 3 } })
    expect(await api.call(token, call, undefined, password('wrong'))).toMatchObject({ status: 400, body: { code: 3 } })
    expect((await api.call(token, call, undefined, password(RIGHT_PASSWORD))).status).toBe(204)
    expect((await api.call(token, `GET devices/${deviceId}`)).status).toBe(404)
  })

  test('is code 6 while a camera is attached to one of its inputs', async () => {
    const { token, deviceId } = await added()
    await api.call(token, `POST devices/${deviceId}/channels/2/camera`, { name: 'Till' })
    const reply = await api.call(token, `DELETE devices/${deviceId}`, undefined, password(RIGHT_PASSWORD))
    expect(reply).toMatchObject({ status: 409, body: { code: 6 } })
  })

  test('of a device that could not be added needs no password', async () => {
    const { token, deviceId } = await added({ isReported: false })
    await api.owner.plain
      .updateTable('devices')
      .set({ addition_status: 'failure' })
      .where('device_id', '=', deviceId)
      .execute()
    expect((await api.call(token, `DELETE devices/${deviceId}`)).status).toBe(204)
  })
})

test('each call needs its own right and no other, and a device out of scope is not found', async () => {
  const { accountId, zoneId, deviceId } = await added()
  const calls = [
    ['GET devices/:id', 'CameraView', undefined],
    ['GET devices/:id/status', 'CameraView', undefined],
    ['GET devices/:id/deviceInfo', 'CameraView', undefined],
    ['GET devices/:id/connection/credentials', 'editCamera', undefined],
    ['GET devices/:id/connection/details', 'editCamera', undefined],
    ['PATCH devices/:id', 'editCamera', { name: 'Attic' }],
    ['PATCH devices/:id/connection/credentials', 'editCamera', { username: 'a', password: 'b' }],
    ['GET devices/:id/additionStatus/poll', 'addCameraManually', undefined],
    ['DELETE devices/:id', 'deleteCamera', undefined],
  ] as const
  const rights = ['editCamera', 'addCameraManually', 'deleteCamera', 'logFiles'] as const
  const inside = await Promise.all(
    rights.map((right) => api.addSubUser(accountId, { rights: [right], zoneIds: [zoneId] })),
  )
  const outside = await api.addSubUser(accountId, { rights })
  const stranger = await api.addAccount()
  for (const [call, right, body] of calls) {
    const path = call.replace(':id', String(deviceId))
    for (const [at, { token }] of inside.entries()) {
      const { status } = await api.call(token, path, body)
      const isAllowed = right === 'CameraView' || rights[at] === right
      expect([call, rights[at], status === 403]).toEqual([call, rights[at], !isAllowed])
    }
    for (const { token } of [outside, stranger])
      expect([call, (await api.call(token, path, body)).status]).toEqual([call, 404])
  }
})

test('too many wrong passwords are code 16', async () => {
  await using locked = await testApi({ slices: [devices], password: 'locked' })
  const { token, zoneId } = await locked.addAccount()
  const { body } = await locked.call(token, 'POST devices', recorder(zoneId))
  const reply = await locked.call(token, `DELETE devices/${body.deviceId}`, undefined, password(COMMON_PASSWORD))
  expect(reply).toMatchObject({ status: 429, body: { code: 16 } })
})
