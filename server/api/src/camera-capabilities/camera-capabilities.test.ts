import type { CameraAbilities } from '@sightline/contract/camera-capabilities'
import type { CameraCommandAnswer } from '@sightline/contract/media-plane'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringCameras, silentAbilities } from '../media-testing.ts'
import { referenceLists } from '../reference-lists/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraCapabilities } from './index.ts'

let api: TestApi
let answer: CameraCommandAnswer<'readAbilities'>
const asked: number[] = []
beforeAll(async () => {
  const command = answeringCameras(({ cameraId }) => {
    asked.push(cameraId)
    return answer
  })
  api = await testApi({ slices: [cameraCapabilities, referenceLists], media: { command } })
})
afterAll(() => api[Symbol.asyncDispose]())

const abilities: CameraAbilities = {
  ...silentAbilities,
  abilities: {
    ptz: { state: 'yes', tried: 'GetNodes: 1' },
    speaker: { state: 'no', tried: 'GetAudioOutputs: 0' },
    wifi: { state: 'unknown', tried: 'GetDot11Capabilities: no reply within 5000 ms' },
  },
  codecs: ['H264'],
  resolutions: ['1920x1080'],
}

async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const path = `cameras/${cameraId}/capabilities`
  return { accountId, cameraId, token, get: () => api.call(token, `GET ${path}`), path }
}

test('of a camera that was not asked yet, everything is unknown and nothing is claimed', async () => {
  const { get } = await oneCamera()
  const { body } = await get()
  expect(body).toMatchObject({ ptz: 'unknown', wdr: 'unknown', resolutions: [], tried: {}, askedAt: null })
})

test('what a camera said is kept with its time, and unknown stays apart from no', async () => {
  const { accountId, cameraId, get } = await oneCamera()
  const row = { account_id: accountId, camera_id: cameraId, asked_at: instant(api.now) }
  await api.owner.plain
    .insertInto('camera_capabilities')
    .values({ ...row, abilities: JSON.stringify(abilities) })
    .execute()
  const { body } = await get()
  expect(body).toMatchObject({ cameraId, ptz: 'yes', speaker: 'no', wifi: 'unknown', pir: 'unknown' })
  expect(body).toMatchObject({ codecs: ['H264'], resolutions: ['1920x1080'] })
  expect(body.tried).toEqual({
    ptz: 'GetNodes: 1',
    speaker: 'GetAudioOutputs: 0',
    wifi: 'GetDot11Capabilities: no reply within 5000 ms',
  })
  expect(Date.parse(body.askedAt)).toBe(api.now)
})

test('a camera is asked again by those who may edit it, and the audit log says so', async () => {
  const { accountId, cameraId, token, path } = await oneCamera()
  answer = { kind: 'done', output: abilities }
  expect(await api.call(token, `POST ${path}`)).toMatchObject({ status: 200, body: { ptz: 'yes', pir: 'unknown' } })
  const log = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId)
  expect(await log.execute()).toMatchObject([{ action: 'refreshCameraCapabilities', target_id: cameraId }])
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView'], allCameras: true })
  asked.length = 0
  expect(await api.call(viewer.token, `POST ${path}`)).toMatchObject({ status: 403 })
  expect(await api.call((await oneCamera()).token, `POST ${path}`)).toMatchObject({ status: 404 })
  expect(asked).toEqual([])
  expect(await api.call(viewer.token, `GET ${path}`)).toMatchObject({ status: 200 })
})

test.each([
  ['unsupported', 422, 11],
  ['noOnvif', 422, 11],
  ['credentialsIncorrect', 424, 12],
  ['rejected', 424, 13],
  ['cameraOffline', 424, 18],
  ['timedOut', 504, 19],
] as const)('a camera that could not be asked (%s) is an error', async (kind, status, code) => {
  const { token, path } = await oneCamera()
  answer = { kind }
  expect(await api.call(token, `POST ${path}`)).toMatchObject({ status, body: { code } })
})

test('what a camera is, as it said itself; another account’s camera looks like none', async () => {
  const { accountId, cameraId, token } = await oneCamera()
  const said = { brand: 'Maker', model: 'Dome 2', firmware_version: '5.7.1', serial: 'A1' }
  await api.owner.plain.updateTable('cameras').set(said).where('camera_id', '=', cameraId).execute()
  expect(await api.call(token, `GET cameras/${cameraId}/deviceInfo`)).toMatchObject({
    status: 200,
    body: { brand: 'Maker', model: 'Dome 2', firmwareVersion: '5.7.1', serial: 'A1', type: 'camera' },
  })
  await api.owner.plain.updateTable('cameras').set({ device_inputs: 8 }).where('camera_id', '=', cameraId).execute()
  expect((await api.call(token, `GET cameras/${cameraId}/deviceInfo`)).body.type).toBe('channel')
  const newer = { ...abilities, information: { ...silentAbilities.information, firmwareVersion: '6.0' } }
  const row = { account_id: accountId, camera_id: cameraId, asked_at: instant(api.now) }
  await api.owner.plain
    .insertInto('camera_capabilities')
    .values({ ...row, abilities: JSON.stringify(newer) })
    .execute()
  expect((await api.call(token, `GET cameras/${cameraId}/deviceInfo`)).body).toMatchObject({
    firmwareVersion: '6.0',
    serial: 'A1',
  })
  const other = await api.addAccount()
  for (const name of ['deviceInfo', 'capabilities'])
    expect(await api.call(other.token, `GET cameras/${cameraId}/${name}`)).toMatchObject({ status: 404 })
})

test('device types are listed for everyone', async () => {
  const { status, body } = await api.call(undefined, 'GET deviceTypes')
  expect(status).toBe(200)
  expect(body).toMatchObject([
    { deviceTypeId: 0, brand: null, model: null },
    { deviceTypeId: 1000, capabilities: ['track'] },
  ])
})
