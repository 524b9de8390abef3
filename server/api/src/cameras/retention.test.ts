import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameras } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [cameras] })
})
afterAll(() => api[Symbol.asyncDispose]())

/** Without a package an account keeps footage for a week. */
async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const keep = (retention: unknown, as = token) => api.call(as, `PATCH cameras/${cameraId}`, { retention })
  return { accountId, cameraId, token, keep }
}

test('footage is kept as long as the package allows, and not longer', async () => {
  const { cameraId, token, keep } = await oneCamera()
  expect((await api.call(token, `GET cameras/${cameraId}`)).body).toMatchObject({ retention: 168, maxRetention: 168 })
  expect(await keep(24)).toMatchObject({ status: 200, body: { retention: 24, maxRetention: 168 } })
  expect(await keep(168)).toMatchObject({ status: 200, body: { retention: 168 } })
  for (const wrong of [169, 0, -24, 24.5, '24', null])
    expect(await keep(wrong), String(wrong)).toMatchObject({ status: 400, body: { code: 3 } })
  expect((await keep(169)).body.detail).toContain('retention: expected hours from 1 to 168')
})

test('a camera that keeps more than a smaller package allows stays as it is until somebody changes it', async () => {
  const { accountId, cameraId, keep } = await oneCamera()
  const cameraRow = api.owner.plain.updateTable('cameras').set({ retention_hours: 720 })
  await cameraRow.where('account_id', '=', accountId).where('camera_id', '=', cameraId).execute()
  expect(await keep(720)).toMatchObject({ status: 200, body: { retention: 720, maxRetention: 168 } })
  expect(await keep(168)).toMatchObject({ status: 200, body: { retention: 168, maxRetention: 168 } })
})

test('fewer hours delete footage: they need the right to delete recordings, and support has not got it', async () => {
  const { accountId, keep, token } = await oneCamera()
  const editor = await api.addSubUser(accountId, { rights: ['editCamera'], allCameras: true })
  expect(await keep(24, editor.token)).toMatchObject({ status: 403, body: { code: 9 } })
  const deleter = await api.addSubUser(accountId, { rights: ['editCamera', 'deleteRecording'], allCameras: true })
  expect(await keep(24, deleter.token)).toMatchObject({ status: 200 })
  expect(await keep(48, editor.token)).toMatchObject({ status: 200 })
  const support = await api.addToken({ accountId, userId: accountId }, 'support')
  expect(await keep(24, support)).toMatchObject({ status: 403, body: { code: 9 } })
  expect(await keep(72, support)).toMatchObject({ status: 200 })
  const log = api.owner.plain.selectFrom('audit_log').select(['before', 'after']).where('account_id', '=', accountId)
  expect(await log.orderBy('at').limit(1).execute()).toMatchObject([
    { before: { retention: 168 }, after: { retention: 24 } },
  ])
  expect(await keep(24, token)).toMatchObject({ status: 200 })
})
