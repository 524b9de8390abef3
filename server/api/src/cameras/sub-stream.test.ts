import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameras } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [cameras] })
})
afterAll(() => api[Symbol.asyncDispose]())

test('a sub-stream has its own state, and one that is larger than the main stream is a warning', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const sub = { sub_online: false, sub_recording: false, sub_connection_result: 'cameraBusy' }
  const sizes = { width: 640, height: 360, sub_width: 1920, sub_height: 1080 }
  await api.owner.plain
    .insertInto('camera_status')
    .values({ account_id: accountId, camera_id: cameraId, online: true, ...sub, ...sizes })
    .execute()
  expect((await api.call(token, `GET cameras/${cameraId}/status`)).body).toMatchObject({
    online: true,
    subStream: { online: false, recordingOnCloud: false, lastConnectionResult: 'cameraBusy' },
    warnings: ['streamsSwapped'],
  })
})

test('a camera without a sub-stream has no state of one', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  expect((await api.call(token, `GET cameras/${cameraId}/status`)).body).toMatchObject({
    subStream: null,
    warnings: [],
    dismissedWarnings: [],
  })
})
