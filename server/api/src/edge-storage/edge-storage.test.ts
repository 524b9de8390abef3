import type { CameraCard, CameraCommandAnswer } from '@sightline/contract/media-plane'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answeringCameras } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { edgeStorage } from './index.ts'

let api: TestApi
let answer: CameraCommandAnswer<'readEdgeStorage'>
const asked: number[] = []
let notified = 0
beforeAll(async () => {
  const command = answeringCameras(({ cameraId }) => {
    asked.push(cameraId)
    return answer
  })
  api = await testApi({ slices: [edgeStorage], media: { command, camerasChanged: () => void notified++ } })
})
afterAll(() => api[Symbol.asyncDispose]())

const card: CameraCard = {
  edgeStorageId: 1,
  name: 'SD 1',
  state: 'ok',
  capacityMiB: 60_000,
  usedMiB: 20_000,
  inUse: true,
  formatted: true,
  formattable: true,
  recordedFrom: Date.UTC(2026, 2, 1),
  recordedUntil: null,
}
beforeEach(() => {
  answer = { kind: 'done', output: [card] }
  asked.length = 0
  notified = 0
})

async function oneCamera() {
  const account = await api.addAccount()
  const cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
  return { ...account, cameraId, path: `cameras/${cameraId}/edgeStorage` }
}

test('a card is shown as the camera says', async () => {
  const { token, path } = await oneCamera()
  const { status, body } = await api.call(token, `GET ${path}`)
  expect(status).toBe(200)
  expect(body).toEqual([{ ...card, recordedFrom: '2026-03-01T00:00:00.000+00:00', recordedUntil: null }])
})

test('formatting is a job: the card says so until it is over, and that it was formatted for a while', async () => {
  const { accountId, token, path, cameraId } = await oneCamera()
  const begun = await api.call(token, `POST ${path}/1/format`)
  expect(begun).toMatchObject({ status: 202, body: { jobId: expect.any(Number) } })
  expect(notified).toBe(1)
  const { jobId } = begun.body
  const job = api.owner.plain.selectFrom('device_jobs').selectAll().where('job_id', '=', jobId)
  expect(await job.executeTakeFirst()).toMatchObject({ type: 'formatStorage', storage_id: 1, camera_id: cameraId })
  expect((await api.call(token, `GET ${path}`)).body).toMatchObject([{ state: 'formatting' }])
  expect(await api.call(token, `POST ${path}/1/format`)).toMatchObject({ status: 409, body: { code: 6 } })
  const end = api.owner.plain.updateTable('device_jobs').set({ state: 'done', ended_at: instant(api.now) })
  await end.where('job_id', '=', jobId).execute()
  expect((await api.call(token, `GET ${path}`)).body).toMatchObject([{ state: 'formatted' }])
  api.now += 11 * 60_000
  expect((await api.call(token, `GET ${path}`)).body).toMatchObject([{ state: 'ok' }])
  const log = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId)
  expect(await log.execute()).toMatchObject([{ action: 'formatEdgeStorage', after: { edgeStorageId: 1, jobId } }])
})

test('a card that cannot be formatted from here says so before anything begins', async () => {
  const { token, path } = await oneCamera()
  answer = {
    kind: 'done',
    output: [
      { ...card, edgeStorageId: 0, formattable: false },
      { ...card, state: 'missing', formattable: false },
    ],
  }
  expect(await api.call(token, `POST ${path}/7/format`)).toMatchObject({ status: 404, body: { code: 4 } })
  expect(await api.call(token, `POST ${path}/1/format`)).toMatchObject({ status: 422, body: { code: 11 } })
  expect(notified).toBe(0)
})

test.each([
  ['unsupported', 422, 11],
  ['noOnvif', 422, 11],
  ['credentialsIncorrect', 424, 12],
  ['rejected', 424, 13],
  ['cameraOffline', 424, 18],
  ['timedOut', 504, 19],
] as const)('a camera that could not be asked (%s) is an error of both calls', async (kind, status, code) => {
  const { token, path } = await oneCamera()
  answer = { kind }
  expect(await api.call(token, `GET ${path}`)).toMatchObject({ status, body: { code } })
  expect(await api.call(token, `POST ${path}/1/format`)).toMatchObject({ status, body: { code } })
})

test('needs its own right, and access to the camera', async () => {
  const { accountId, path } = await oneCamera()
  const editor = await api.addSubUser(accountId, { rights: ['editCamera', 'playback'], allCameras: true })
  const manager = await api.addSubUser(accountId, { rights: ['edgeStorageManagement'], allCameras: true })
  for (const call of [`GET ${path}`, `POST ${path}/1/format`]) {
    expect(await api.call(editor.token, call)).toMatchObject({ status: 403 })
    expect(await api.call((await oneCamera()).token, call)).toMatchObject({ status: 404 })
  }
  expect(asked).toEqual([])
  expect(await api.call(manager.token, `GET ${path}`)).toMatchObject({ status: 200 })
  expect(await api.call(manager.token, `POST ${path}/1/format`)).toMatchObject({ status: 202 })
})

test('the disk of a recorder can’t be formatted through one of its inputs, because it has the footage of all of them', async () => {
  const { token, path, cameraId } = await oneCamera()
  await api.owner.plain.updateTable('cameras').set({ device_inputs: 8 }).where('camera_id', '=', cameraId).execute()
  expect((await api.call(token, `GET ${path}`)).body).toMatchObject([{ edgeStorageId: 1, formattable: false }])
  const refused = await api.call(token, `POST ${path}/1/format`)
  expect(refused).toMatchObject({ status: 422, body: { code: 11, detail: expect.stringContaining('of a recorder') } })
  expect(notified).toBe(0)
})
