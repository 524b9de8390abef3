import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraAudio } from './index.ts'

let api: TestApi
let notified = 0
const talked: string[] = []
beforeAll(async () => {
  api = await testApi({
    slices: [cameraAudio, cameras],
    media: {
      camerasChanged: () => void notified++,
      talk: async ({ step }) => {
        talked.push(step)
        return { kind: step === 'close' ? 'ended' : 'open' }
      },
    },
  })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  notified = 0
  talked.length = 0
})

async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const path = `cameras/${cameraId}/settings/audio`
  const patch = (body: object, as = token) => api.call(as, `PATCH ${path}`, body)
  const get = (as = token) => api.call(as, `GET ${path}`)
  return { accountId, zoneId, cameraId, token, patch, get }
}

test('microphone and loudspeaker are switched one by one, and the workers hear of it', async () => {
  const { accountId, patch, get } = await oneCamera()
  const lacking = { gain: null, unavailable: { gain: 'notStandard' } }
  expect((await patch({ microphone: false })).body).toEqual({ microphone: false, speaker: true, ...lacking })
  expect((await patch({ speaker: false })).body).toEqual({ microphone: false, speaker: false, ...lacking })
  expect((await patch({ microphone: true, gain: null })).body).toEqual({ microphone: true, speaker: false, ...lacking })
  expect((await get()).body).toEqual({ microphone: true, speaker: false, ...lacking })
  expect(notified).toBe(3)
  const log = api.owner.plain.selectFrom('audit_log').select(['action', 'before', 'after'])
  expect(await log.where('account_id', '=', accountId).orderBy('at').limit(1).execute()).toMatchObject([
    { action: 'patchAudioSettings', before: { microphone: true }, after: { microphone: false } },
  ])
})

test('both are off for a camera that is added', async () => {
  const { accountId, zoneId, token } = await oneCamera()
  const row = { account_id: accountId, camera_id: 777_001, zone_id: zoneId, name: 'New' }
  const where = { address: '192.0.2.8', rtsp_port: 554, main_path: '/main', eth_mac_address: '' }
  await api.owner.plain
    .insertInto('cameras')
    .values({ ...row, ...where })
    .execute()
  expect((await api.call(token, 'GET cameras/777001/settings/audio')).body).toMatchObject({
    microphone: false,
    speaker: false,
  })
})

test('a status says that there is sound only with the microphone on', async () => {
  const { accountId, cameraId, token, patch } = await oneCamera()
  await api.owner.plain
    .insertInto('camera_status')
    .values({ account_id: accountId, camera_id: cameraId, online: true, audio_codec: 'aac' })
    .execute()
  const hasSound = async () => (await api.call(token, `GET cameras/${cameraId}/status`)).body.audioEnabled
  expect(await hasSound()).toBe(true)
  await patch({ microphone: false })
  expect(await hasSound()).toBe(false)
})

test('nobody talks through a camera whose loudspeaker is off', async () => {
  const { cameraId, token, patch } = await oneCamera()
  const talk = () => api.call(token, `POST cameras/${cameraId}/audio`, 'hello', { 'content-type': 'audio/basic' })
  expect(await talk()).toMatchObject({ status: 204 })
  talked.length = 0
  await patch({ speaker: false })
  expect(await talk()).toMatchObject({ status: 409, body: { code: 6 } })
  expect(talked).toEqual([])
})

test('a gain, which ONVIF can’t set, is code 11 and changes nothing', async () => {
  const { patch, get } = await oneCamera()
  expect(await patch({ microphone: false, gain: 5 })).toMatchObject({ status: 422, body: { code: 11 } })
  expect((await get()).body).toMatchObject({ microphone: true })
})

test.each([[{ microphone: 'off' }], [{ speaker: null }], [{ gain: 'loud' }]])('%j is refused', async (body) => {
  const { patch } = await oneCamera()
  expect(await patch(body)).toMatchObject({ status: 400, body: { code: 3 } })
})

test('reading and changing need the right editCamera and the camera', async () => {
  const { accountId, patch, get } = await oneCamera()
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView', 'microphone'], allCameras: true })
  expect((await get(viewer.token)).status).toBe(403)
  expect((await patch({ microphone: false }, viewer.token)).status).toBe(403)
  const other = await api.addAccount()
  expect((await get(other.token)).status).toBe(404)
  expect((await patch({ microphone: false }, other.token)).status).toBe(404)
})
