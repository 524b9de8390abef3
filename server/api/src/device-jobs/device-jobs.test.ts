import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devices } from '../devices/index.ts'
import { reportDevice } from '../devices-testing-store.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { deviceJobs } from './index.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  const media = { camerasChanged: () => void notified++ }
  api = await testApi({ slices: [devices, deviceJobs], media })
})
afterAll(() => api[Symbol.asyncDispose]())

async function recorder({ online = true } = {}) {
  const account = await api.addAccount()
  const given = { name: 'Cellar', zoneId: account.zoneId, address: '192.0.2.60' }
  const deviceId: number = (await api.call(account.token, 'POST devices', given)).body.deviceId
  await reportDevice(api, { accountId: account.accountId, deviceId, online })
  return { ...account, deviceId, path: `devices/${deviceId}` }
}

const setJob = (jobId: number, state: 'running' | 'failed', error: string | null = null) =>
  api.owner.plain.updateTable('device_jobs').set({ state, error }).where('job_id', '=', jobId).execute()

test('a restart is a job that the worker of the recorder begins', async () => {
  const { accountId, token, path, deviceId } = await recorder()
  notified = 0
  const reply = await api.call(token, `POST ${path}/reboot`)
  expect(reply).toMatchObject({ status: 202, body: { jobId: expect.any(Number) } })
  expect(notified).toBe(1)
  const job = { jobId: reply.body.jobId, type: 'reboot', state: 'queued', progress: 0, endedAt: null }
  expect((await api.call(token, `GET ${path}/jobs`)).body).toMatchObject([job])
  expect((await api.call(token, `GET ${path}/jobs/${job.jobId}`)).body).toMatchObject(job)
  expect((await api.call(token, `GET ${path}`)).body.jobs).toMatchObject([job])
  const log = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
  expect(log.at(-1)).toMatchObject({ action: 'rebootDevice', target_id: deviceId, after: { jobId: job.jobId } })
})

test('a second restart before the first one ended is code 6', async () => {
  const { token, path } = await recorder()
  await api.call(token, `POST ${path}/reboot`)
  expect(await api.call(token, `POST ${path}/reboot`)).toMatchObject({ status: 409, body: { code: 6 } })
})

test('while no worker runs, a job ends a minute after its deadline, says so, and blocks no other', async () => {
  const { token, path } = await recorder()
  const { jobId } = (await api.call(token, `POST ${path}/reboot`)).body
  const set = (seconds: number) =>
    api.owner.plain
      .updateTable('device_jobs')
      .set({ deadline: instant(Date.now() - seconds * 1000) })
      .where('job_id', '=', jobId)
      .execute()
  await set(50)
  expect((await api.call(token, `GET ${path}/jobs/${jobId}`)).body).toMatchObject({ state: 'queued', endedAt: null })
  await set(70)
  const failed = { state: 'failed', endedAt: expect.any(String), error: expect.stringContaining('no media worker') }
  expect((await api.call(token, `GET ${path}/jobs/${jobId}`)).body).toMatchObject(failed)
  expect((await api.call(token, `POST ${path}/reboot`)).status).toBe(202)
  const jobs = (await api.call(token, `GET ${path}/jobs`)).body
  // Both may have begun in one millisecond.
  expect(jobs).toHaveLength(2)
  expect(jobs).toContainEqual(expect.objectContaining({ state: 'queued' }))
  expect(jobs).toContainEqual(expect.objectContaining({ jobId, ...failed }))
})

test('a recorder that is off is not restarted (code 14)', async () => {
  const { token, path } = await recorder({ online: false })
  expect(await api.call(token, `POST ${path}/reboot`)).toMatchObject({ status: 424, body: { code: 14 } })
  expect((await api.call(token, `GET ${path}/jobs`)).body).toEqual([])
})

test('a job that has not begun is canceled; one that runs is code 6', async () => {
  const { token, path } = await recorder()
  const { body: first } = await api.call(token, `POST ${path}/reboot`)
  expect((await api.call(token, `DELETE ${path}/jobs/${first.jobId}`)).status).toBe(204)
  expect((await api.call(token, `GET ${path}/jobs/${first.jobId}`)).body).toMatchObject({
    state: 'canceled',
    endedAt: expect.any(String),
  })
  const { body: second } = await api.call(token, `POST ${path}/reboot`)
  await setJob(second.jobId, 'running')
  expect(await api.call(token, `DELETE ${path}/jobs/${second.jobId}`)).toMatchObject({ status: 409, body: { code: 6 } })
  expect((await api.call(token, `DELETE ${path}/jobs/999`)).status).toBe(404)
})

test('a failed job says why', async () => {
  const { token, path } = await recorder()
  const { body } = await api.call(token, `POST ${path}/reboot`)
  await setJob(body.jobId, 'failed', 'the camera rejected SystemReboot')
  expect((await api.call(token, `GET ${path}/jobs/${body.jobId}`)).body).toMatchObject({
    state: 'failed',
    error: 'the camera rejected SystemReboot',
  })
})

test('jobs need the right editCamera; those of a device out of scope are not found', async () => {
  const { accountId, zoneId, token, path } = await recorder()
  const { body } = await api.call(token, `POST ${path}/reboot`)
  const viewer = await api.addSubUser(accountId, { rights: ['logFiles', 'deleteCamera'], zoneIds: [zoneId] })
  const elsewhere = await api.addSubUser(accountId, { rights: ['editCamera'] })
  const stranger = await api.addAccount()
  const calls = ['GET :/jobs', `GET :/jobs/${body.jobId}`, `DELETE :/jobs/${body.jobId}`, 'POST :/reboot']
  for (const call of calls.map((one) => one.replace(':', path))) {
    expect([call, (await api.call(viewer.token, call)).status]).toEqual([call, 403])
    for (const who of [elsewhere, stranger])
      expect([call, (await api.call(who.token, call)).status]).toEqual([call, 404])
  }
  expect((await api.call(viewer.token, `GET ${path}`)).body.jobs).toEqual([])
})
