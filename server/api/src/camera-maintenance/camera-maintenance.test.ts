import { toDateTime } from '@sightline/contract/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deviceChannels } from '../device-channels/index.ts'
import { devices } from '../devices/index.ts'
import { reportDevice } from '../devices-testing-store.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraMaintenance } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [cameraMaintenance, devices, deviceChannels] })
})
afterAll(() => api[Symbol.asyncDispose]())

const off = { enabled: false, until: null }

async function cameraOfSomebody() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const path = `devices/${cameraId}/maintenance`
  return { accountId, token, cameraId, look: `GET ${path}`, put: `PUT ${path}` }
}

test('maintenance lasts until someone ends it', async () => {
  const { token, look, put } = await cameraOfSomebody()
  expect((await api.call(token, look)).body).toEqual(off)
  expect(await api.call(token, put, { enabled: true })).toMatchObject({
    status: 200,
    body: { enabled: true, until: null },
  })
  expect((await api.call(token, put, { enabled: false })).body).toEqual(off)
  expect((await api.call(token, look)).body).toEqual(off)
})

test('maintenance with an end time ends automatically', async () => {
  const { token, look, put } = await cameraOfSomebody()
  const until = toDateTime(api.now + 3_600_000)
  expect((await api.call(token, put, { enabled: true, until })).body).toEqual({ enabled: true, until })
  api.now += 3_600_001
  expect((await api.call(token, look)).body).toEqual(off)
})

test('an end time in the past is refused with code 3, and nothing changes', async () => {
  const { token, look, put } = await cameraOfSomebody()
  const answer = await api.call(token, put, { enabled: true, until: toDateTime(api.now) })
  expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'until' }] } })
  expect((await api.call(token, look)).body).toEqual(off)
})

test('maintenance needs the right to change the camera; a camera out of scope is not found', async () => {
  const { accountId, cameraId, look, put } = await cameraOfSomebody()
  const viewer = await api.addSubUser(accountId, { rights: [], cameraIds: [cameraId] })
  expect((await api.call(viewer.token, look)).body).toEqual(off)
  expect(await api.call(viewer.token, put, { enabled: true })).toMatchObject({ status: 403 })
  const elsewhere = await api.addSubUser(accountId, { rights: ['editCamera'] })
  for (const call of [look, put]) {
    const body = call === put ? { enabled: true } : undefined
    expect(await api.call(elsewhere.token, call, body)).toMatchObject({ status: 404, body: { code: 4 } })
  }
})

test('the audit log has who started and who ended it', async () => {
  const { accountId, token, cameraId, put } = await cameraOfSomebody()
  await api.call(token, put, { enabled: true })
  const log = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
  expect(log).toMatchObject([
    { action: 'putCameraMaintenance', target_id: cameraId, before: off, after: { enabled: true, until: null } },
  ])
})

test('maintenance of a recorder is that of the cameras at its inputs too', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const recorder = { name: 'Cellar', zoneId, address: '192.0.2.60' }
  const deviceId = (await api.call(token, 'POST devices', recorder)).body.deviceId
  await reportDevice(api, { accountId, deviceId })
  const { body: camera } = await api.call(token, `POST devices/${deviceId}/channels/1/camera`, { name: 'Till' })
  const on = { enabled: true, until: null }
  expect((await api.call(token, `PUT devices/${deviceId}/maintenance`, { enabled: true })).body).toEqual(on)
  expect((await api.call(token, `GET devices/${deviceId}/maintenance`)).body).toEqual(on)
  expect((await api.call(token, `GET devices/${camera.cameraId}/maintenance`)).body).toEqual(on)
  const past = { enabled: true, until: toDateTime(api.now) }
  expect((await api.call(token, `PUT devices/${deviceId}/maintenance`, past)).body).toMatchObject({ code: 3 })
  await api.call(token, `PUT devices/${deviceId}/maintenance`, { enabled: false })
  expect((await api.call(token, `GET devices/${camera.cameraId}/maintenance`)).body).toEqual(off)
  const viewer = await api.addSubUser(accountId, { rights: [], zoneIds: [zoneId] })
  const stranger = await api.addAccount()
  expect((await api.call(viewer.token, `PUT devices/${deviceId}/maintenance`, { enabled: true })).status).toBe(403)
  expect((await api.call(stranger.token, `PUT devices/${deviceId}/maintenance`, { enabled: true })).status).toBe(404)
})
