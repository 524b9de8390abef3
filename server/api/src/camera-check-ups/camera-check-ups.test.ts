import type { CheckUpFinding } from '@sightline/contract/camera-check-ups'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { offerFirmware } from '../firmware-testing-store.ts'
import { silentFinding } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraCheckUps } from './index.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  api = await testApi({ slices: [cameraCheckUps], media: { camerasChanged: () => void notified++ } })
})
afterAll(() => api[Symbol.asyncDispose]())

/** What could open a camera, wherever it may be kept. */
const secrets = {
  username: 'operator-u7',
  main_path: '/user=operator-u7_password=hunter-p4th_channel=1.sdp?token=t0k3n-9',
  address: '192.0.2.41',
}
const models = { count: 0 }

async function oneCamera({ online = true } = {}) {
  const account = await api.addAccount()
  const { accountId, zoneId } = account
  const cameraId = await api.addCamera(accountId, zoneId, 'Front door')
  const model = `Dome ${++models.count}`
  const made = { brand: 'Acme', model, firmware_version: '1.0.0', addition_started_at: instant(api.now) }
  const values = { ...secrets, ...made, password_sealed: Buffer.from('hunter-sealed'), onvif_port: 80 }
  await api.owner.plain.updateTable('cameras').set(values).where('camera_id', '=', cameraId).execute()
  const key = { account_id: accountId, camera_id: cameraId }
  await api.owner.plain
    .insertInto('camera_status')
    .values({ ...key, online, codec: 'avc1.4d0028', width: 1920, height: 1080 })
    .execute()
  return { ...account, cameraId, key, model, path: `cameras/${cameraId}/checkUp` }
}

const wrongClock: CheckUpFinding = {
  ...silentFinding,
  topic: 'clock',
  outcome: 'problem',
  reason: 'clockWrong',
  measured: 86_400,
  fix: 'setClock',
}

const store = ({ key }: { key: { account_id: number; camera_id: number } }, at = api.now) =>
  api.owner.plain
    .insertInto('camera_check_ups')
    .values({ ...key, checked_at: instant(at), findings: JSON.stringify([silentFinding, wrongClock]) })
    .execute()

test('a camera that was never checked has no findings and no report', async () => {
  const { token, path, cameraId } = await oneCamera()
  const none = { cameraId, checkedAt: null, findings: [], jobId: null }
  expect((await api.call(token, `GET ${path}`)).body).toEqual(none)
  expect(await api.call(token, `GET ${path}/report`)).toMatchObject({ status: 404, body: { code: 4 } })
})

test('findings come in the order of the report, with the firmware that is offered now', async () => {
  const camera = await oneCamera()
  await store(camera)
  const { body } = await api.call(camera.token, `GET ${camera.path}`)
  expect(body.findings).toMatchObject([
    { topic: 'clock', outcome: 'problem', measured: 86_400, fix: 'setClock' },
    { topic: 'card' },
    { topic: 'firmware', outcome: 'ok', reason: 'firmwareNewest', fix: null },
  ])
  await offerFirmware(api, { model: camera.model, version: '2.0.0' })
  const offered = { outcome: 'advice', reason: 'firmwareOffered', subject: '2.0.0', fix: 'upgradeFirmware' }
  expect((await api.call(camera.token, `GET ${camera.path}`)).body.findings.at(-1)).toMatchObject(offered)
})

test('what was found at a device that was replaced since is gone', async () => {
  const camera = await oneCamera()
  await store(camera, api.now - 1000)
  const { cameraId } = camera
  const since = { addition_started_at: instant(api.now) }
  await api.owner.plain.updateTable('cameras').set(since).where('camera_id', '=', cameraId).execute()
  expect((await api.call(camera.token, `GET ${camera.path}`)).body).toMatchObject({ checkedAt: null, findings: [] })
})

test('a check is a job, in the audit log, one at a time', async () => {
  const { accountId, token, path, cameraId } = await oneCamera()
  notified = 0
  const begun = await api.call(token, `POST ${path}`)
  expect(begun).toMatchObject({ status: 202, body: { jobId: expect.any(Number) } })
  expect(notified).toBe(1)
  const { jobId } = begun.body
  expect((await api.call(token, `GET ${path}`)).body).toMatchObject({ jobId })
  const log = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
  expect(log.at(-1)).toMatchObject({ action: 'checkCamera', target_id: cameraId, after: { jobId } })
  expect(await api.call(token, `POST ${path}`)).toMatchObject({ status: 409, body: { code: 6 } })
})

test('a camera that is offline is not checked (code 18)', async () => {
  const { token, path } = await oneCamera({ online: false })
  expect(await api.call(token, `POST ${path}`)).toMatchObject({ status: 424, body: { code: 18 } })
})

test('the report is plain text that holds no password, token, user name, address or stream path', async () => {
  const camera = await oneCamera()
  await store(camera)
  const { status, headers, body } = await api.call(camera.token, `GET ${camera.path}/report`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="camera-\d+-check-up-/)
  const text = String(body)
  expect(text).toContain('Front door')
  expect(text).toContain('Acme')
  expect(text).toContain('Problem - Clock: The camera’s clock is off by 86400 seconds.')
  for (const secret of ['operator-u7', 'hunter', 't0k3n', '192.0.2.41', 'rtsp', '.sdp', 'password='])
    expect(text).not.toContain(secret)
})

test('needs the right editCamera and access; another account’s camera is not found', async () => {
  const { accountId, cameraId, path, key } = await oneCamera()
  await store({ key })
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView', 'logFiles'], cameraIds: [cameraId] })
  const elsewhere = await api.addSubUser(accountId, { rights: ['editCamera'] })
  const stranger = await api.addAccount()
  for (const call of [`GET ${path}`, `POST ${path}`, `GET ${path}/report`]) {
    expect([call, (await api.call(viewer.token, call)).status]).toEqual([call, 403])
    for (const { token } of [elsewhere, stranger])
      expect([call, (await api.call(token, call)).status]).toEqual([call, 404])
  }
})
