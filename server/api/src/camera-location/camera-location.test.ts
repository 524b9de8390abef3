import { afterAll, beforeAll, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraLocation } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [cameras, cameraLocation] })
})
afterAll(() => api[Symbol.asyncDispose]())

async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const path = `cameras/${cameraId}/location`
  const patch = (body: object, as = token) => api.call(as, `PATCH ${path}`, body)
  return { accountId, cameraId, token, path, patch, get: async (as = token) => api.call(as, `GET ${path}`) }
}

test('a location is set as numbers or as texts, and answered as texts', async () => {
  const { cameraId, token, patch, get } = await oneCamera()
  const none = { cameraId, latitude: null, longitude: null, timeZone: null }
  expect((await get()).body).toEqual(none)
  const here = { ...none, latitude: '52.0116', longitude: '-4.3571' }
  expect(await patch({ latitude: 52.0116, longitude: '-4.3571' })).toMatchObject({ status: 200, body: here })
  expect(await patch({ timeZone: 'Asia/Tokyo' })).toMatchObject({ body: { ...here, timeZone: 'Asia/Tokyo' } })
  expect((await api.call(token, `GET cameras/${cameraId}`)).body).toMatchObject({
    latitude: 52.0116,
    longitude: -4.3571,
    timeZone: 'Asia/Tokyo',
  })
  expect((await patch({ latitude: null, longitude: null, timeZone: null })).body).toEqual(none)
})

test('the camera’s own call takes the same place, as fields or as a location', async () => {
  const { cameraId, token, get } = await oneCamera()
  const patch = async (body: object) => api.call(token, `PATCH cameras/${cameraId}`, body)
  expect(await patch({ location: { latitude: '1.5', longitude: '2' } })).toMatchObject({
    status: 200,
    body: { latitude: 1.5, longitude: 2 },
  })
  expect((await get()).body).toMatchObject({ latitude: '1.5', longitude: '2' })
  expect(await patch({ latitude: -1.5, longitude: 3 })).toMatchObject({ body: { latitude: -1.5, longitude: 3 } })
  expect(await patch({ location: null })).toMatchObject({ body: { latitude: null, longitude: null } })
})

test.each([
  [{ latitude: 91, longitude: 0 }],
  [{ latitude: '90.5', longitude: '0' }],
  [{ latitude: 0, longitude: '-180.1' }],
  [{ latitude: 'north', longitude: '4' }],
  [{ latitude: '', longitude: '' }],
  [{ latitude: 52 }],
  [{ latitude: 52, longitude: null }],
  [{ timeZone: 'Moon' }],
])('%j is no place', async (body) => {
  const { patch, get } = await oneCamera()
  expect(await patch(body)).toMatchObject({ status: 400, body: { code: 3 } })
  expect((await get()).body).toMatchObject({ latitude: null, longitude: null })
})

test('seeing needs the camera, and changing needs the right editCamera', async () => {
  const { accountId, path, patch, get } = await oneCamera()
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView'], allCameras: true })
  expect((await get(viewer.token)).status).toBe(200)
  expect(await patch({ latitude: 1, longitude: 1 }, viewer.token)).toMatchObject({ status: 403, body: { code: 9 } })
  const other = await api.addAccount()
  expect(await api.call(other.token, `GET ${path}`)).toMatchObject({ status: 404, body: { code: 4 } })
  expect(await patch({ latitude: 1, longitude: 1 }, other.token)).toMatchObject({ status: 404, body: { code: 4 } })
})
