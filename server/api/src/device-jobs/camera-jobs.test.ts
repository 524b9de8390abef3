import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { deviceJobs } from './index.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  api = await testApi({ slices: [deviceJobs], media: { camerasChanged: () => void notified++ } })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  notified = 0
})

async function oneCamera({ online = true, onvif = true } = {}) {
  const account = await api.addAccount()
  const { accountId, zoneId } = account
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  if (onvif) await change(cameraId, { onvif_port: 80 })
  await api.owner.plain
    .insertInto('camera_status')
    .values({ account_id: accountId, camera_id: cameraId, online })
    .execute()
  return { ...account, cameraId, path: `cameras/${cameraId}` }
}

const change = (cameraId: number, values: { onvif_port?: number; device_inputs?: number }) =>
  api.owner.plain.updateTable('cameras').set(values).where('camera_id', '=', cameraId).execute()

const setJob = (jobId: number, values: { state: 'running' | 'failed'; phase?: 'Restarting'; error?: string }) =>
  api.owner.plain.updateTable('device_jobs').set(values).where('job_id', '=', jobId).execute()

test('a restart is a job that the worker of the camera begins', async () => {
  const { accountId, token, path, cameraId } = await oneCamera()
  const reply = await api.call(token, `POST ${path}/reboot`)
  expect(reply).toMatchObject({ status: 202, body: { jobId: expect.any(Number) } })
  expect(notified).toBe(1)
  const { jobId } = reply.body
  const job = { jobId, type: 'reboot', state: 'queued', progress: 0, phase: null, endedAt: null }
  expect((await api.call(token, `GET ${path}/jobs`)).body).toMatchObject([job])
  await setJob(jobId, { state: 'running', phase: 'Restarting' })
  const running = { ...job, state: 'running', phase: 'Restarting' }
  expect((await api.call(token, `GET ${path}/jobs/${jobId}`)).body).toMatchObject(running)
  const log = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
  expect(log.at(-1)).toMatchObject({ action: 'rebootCamera', target_id: cameraId, after: { jobId } })
})

test('a camera has one job at a time: a second restart is code 6', async () => {
  const { token, path } = await oneCamera()
  await api.call(token, `POST ${path}/reboot`)
  expect(await api.call(token, `POST ${path}/reboot`)).toMatchObject({ status: 409, body: { code: 6 } })
})

test('a camera that is offline is not restarted (code 18), nor one that was never seen', async () => {
  const { token, path, cameraId } = await oneCamera({ online: false })
  expect(await api.call(token, `POST ${path}/reboot`)).toMatchObject({ status: 424, body: { code: 18 } })
  await api.owner.plain.deleteFrom('camera_status').where('camera_id', '=', cameraId).execute()
  expect(await api.call(token, `POST ${path}/reboot`)).toMatchObject({ status: 424, body: { code: 18 } })
  expect((await api.call(token, `GET ${path}/jobs`)).body).toEqual([])
})

test('a camera without ONVIF can’t be restarted, nor one that is an input of a recorder', async () => {
  const plain = await oneCamera({ onvif: false })
  expect(await api.call(plain.token, `POST ${plain.path}/reboot`)).toMatchObject({ status: 422, body: { code: 11 } })
  const { token, path, cameraId } = await oneCamera()
  await change(cameraId, { device_inputs: 4 })
  expect(await api.call(token, `POST ${path}/reboot`)).toMatchObject({
    status: 422,
    body: { code: 11, detail: expect.stringContaining('recorder') },
  })
})

test('a job that has not begun is canceled; one that runs is code 6', async () => {
  const { token, path } = await oneCamera()
  const { body: first } = await api.call(token, `POST ${path}/reboot`)
  expect((await api.call(token, `DELETE ${path}/jobs/${first.jobId}`)).status).toBe(204)
  const canceled = { state: 'canceled', endedAt: expect.any(String) }
  expect((await api.call(token, `GET ${path}/jobs/${first.jobId}`)).body).toMatchObject(canceled)
  const { body: second } = await api.call(token, `POST ${path}/reboot`)
  await setJob(second.jobId, { state: 'running' })
  expect(await api.call(token, `DELETE ${path}/jobs/${second.jobId}`)).toMatchObject({ status: 409, body: { code: 6 } })
  for (const call of ['GET', 'DELETE']) expect((await api.call(token, `${call} ${path}/jobs/999`)).status).toBe(404)
})

test('jobs need the right editCamera; those of a camera out of scope are not found', async () => {
  const { accountId, token, cameraId, path } = await oneCamera()
  const { body } = await api.call(token, `POST ${path}/reboot`)
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView', 'ptz'], cameraIds: [cameraId] })
  const editor = await api.addSubUser(accountId, { rights: ['editCamera'], cameraIds: [cameraId] })
  const elsewhere = await api.addSubUser(accountId, { rights: ['editCamera'] })
  const stranger = await api.addAccount()
  const calls = ['GET :/jobs', `GET :/jobs/${body.jobId}`, `DELETE :/jobs/${body.jobId}`, 'POST :/reboot']
  for (const call of calls.map((one) => one.replace(':', path))) {
    expect([call, (await api.call(viewer.token, call)).status]).toEqual([call, 403])
    for (const who of [elsewhere, stranger])
      expect([call, (await api.call(who.token, call)).status]).toEqual([call, 404])
  }
  expect((await api.call(editor.token, `GET ${path}/jobs`)).body).toHaveLength(1)
})
