import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devices } from '../devices/index.ts'
import { reportDevice } from '../devices-testing-store.ts'
import { offerFirmware } from '../firmware-testing-store.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { firmware } from './index.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  api = await testApi({ slices: [firmware, devices], media: { camerasChanged: () => void notified++ } })
})
afterAll(() => api[Symbol.asyncDispose]())

let models = 0

/** A camera of a model of its own, so that tests see none of each other's images. */
async function oneCamera({ online = true, inputs = 1 } = {}) {
  const account = await api.addAccount()
  const { accountId, zoneId } = account
  const model = `Cam ${++models}`
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const values = { onvif_port: 80, device_inputs: inputs, brand: 'Acme', model, firmware_version: 'V1.0.0 build 1' }
  await api.owner.plain.updateTable('cameras').set(values).where('camera_id', '=', cameraId).execute()
  const status = { account_id: accountId, camera_id: cameraId, online }
  await api.owner.plain.insertInto('camera_status').values(status).execute()
  return { ...account, model, cameraId, path: `cameras/${cameraId}/firmware` }
}

test('offers what the operator and the own dealer have for the model, newest first, and nothing of other dealers', async () => {
  const { token, path, model } = await oneCamera()
  const foreign = await api.owner.plain
    .insertInto('resellers')
    .values({ reseller_id: 9000 + models, distributor_id: 1, name: 'Other' })
    .returning('reseller_id')
    .executeTakeFirstOrThrow()
  await offerFirmware(api, { model, version: '1.2.0' })
  await offerFirmware(api, { model: model.toUpperCase(), version: '1.10.0', resellerId: 255, signed: true })
  await offerFirmware(api, { model, version: '9.0.0', resellerId: foreign.reseller_id })
  await offerFirmware(api, { model, version: '8.0.0', isIncomplete: true })
  await offerFirmware(api, { model: `${model} Pro`, version: '7.0.0' })
  expect((await api.call(token, `GET ${path}`)).body).toEqual({
    current: 'V1.0.0 build 1',
    available: '1.10.0',
    status: 'Upgradable',
    versions: [
      {
        version: '1.10.0',
        providedBy: 'dealer',
        sizeBytes: 3,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        signed: true,
      },
      { version: '1.2.0', providedBy: 'operator', sizeBytes: 3, sha256: expect.any(String), signed: false },
    ],
    jobId: null,
    progress: null,
    error: null,
  })
})

test('of the same version from both, the operator’s is shown first and installed', async () => {
  const { accountId, token, path, model } = await oneCamera()
  await offerFirmware(api, { model, version: '2.0.0', resellerId: 255, imageId: 1 })
  const imageId = await offerFirmware(api, { model, version: '2.0.0' })
  expect((await api.call(token, `GET ${path}`)).body.versions).toMatchObject([
    { providedBy: 'operator' },
    { providedBy: 'dealer' },
  ])
  expect(await api.call(token, `POST ${path}`, {})).toMatchObject({ status: 202 })
  const jobs = api.owner.plain.selectFrom('device_jobs').select('image_id').where('account_id', '=', accountId)
  expect(await jobs.execute()).toEqual([{ image_id: imageId }])
})

test('an upgrade is a job with the image and its checksum in the audit log; there is one at a time', async () => {
  const { accountId, token, path, model, cameraId } = await oneCamera()
  const imageId = await offerFirmware(api, { model, version: '2.0.0' })
  notified = 0
  const reply = await api.call(token, `POST ${path}`, {})
  expect(reply).toMatchObject({ status: 202, body: { jobId: expect.any(Number) } })
  expect(notified).toBe(1)
  expect((await api.call(token, `GET ${path}`)).body).toMatchObject({ status: 'Requesting', jobId: reply.body.jobId })
  const jobs = api.owner.plain.selectFrom('device_jobs').selectAll().where('account_id', '=', accountId)
  expect(await jobs.executeTakeFirst()).toMatchObject({
    type: 'firmwareUpgrade',
    image_id: imageId,
    firmware_version: '2.0.0',
    camera_id: cameraId,
  })
  const log = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
  const after = { version: '2.0.0', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }
  expect(log.at(-1)).toMatchObject({ action: 'upgradeCameraFirmware', target_id: cameraId, after })
  expect(await api.call(token, `POST ${path}`, {})).toMatchObject({ status: 409, body: { code: 6 } })
})

test('an older version is installed only if it is named; one that is not offered is not found', async () => {
  const { token, path, model } = await oneCamera()
  await offerFirmware(api, { model, version: '0.9.0' })
  expect(await api.call(token, `POST ${path}`, {})).toMatchObject({ status: 409, body: { code: 6 } })
  expect((await api.call(token, `POST ${path}`, { version: '0.8.0' })).status).toBe(404)
  expect((await api.call(token, `POST ${path}`, { version: '' })).body).toMatchObject({ code: 3 })
  expect((await api.call(token, `POST ${path}`, { version: '0.9.0' })).status).toBe(202)
})

test('a camera that is offline is code 18, whether or not an image is offered; an input of a recorder is code 11', async () => {
  const away = await oneCamera({ online: false })
  expect(await api.call(away.token, `POST ${away.path}`, {})).toMatchObject({ status: 424, body: { code: 18 } })
  expect(await api.call(away.token, `POST ${away.path}`, { version: '5' })).toMatchObject({ body: { code: 18 } })
  await offerFirmware(api, { model: away.model, version: '2.0.0' })
  expect(await api.call(away.token, `POST ${away.path}`, {})).toMatchObject({ status: 424, body: { code: 18 } })
  const input = await oneCamera({ inputs: 4 })
  await offerFirmware(api, { model: input.model, version: '2.0.0' })
  expect(await api.call(input.token, `POST ${input.path}`, {})).toMatchObject({ status: 422, body: { code: 11 } })
})

test('a recorder is upgraded in the same way; one that is off is code 14', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const add = async (address: string, online: boolean): Promise<string> => {
    const { body } = await api.call(token, 'POST devices', { name: 'Cellar', zoneId, address })
    await reportDevice(api, { accountId, deviceId: body.deviceId, online })
    const values = { brand: 'Acme', model: 'NVR 4', firmware_version: '1.0' }
    await api.owner.plain.updateTable('devices').set(values).where('device_id', '=', body.deviceId).execute()
    return `devices/${body.deviceId}`
  }
  await offerFirmware(api, { model: 'NVR 4', version: '1.1' })
  const path = await add('192.0.2.60', true)
  expect((await api.call(token, `GET ${path}/status`)).body.firmwareStatus).toBe('upgradable')
  expect((await api.call(token, `POST ${path}/firmware`, {})).status).toBe(202)
  expect((await api.call(token, `GET ${path}/firmware`)).body).toMatchObject({ available: '1.1', status: 'Requesting' })
  expect((await api.call(token, `GET ${path}/status`)).body.firmwareStatus).toBe('upgrading')
  expect(await api.call(token, `POST ${path}/firmware`, {})).toMatchObject({ status: 409, body: { code: 6 } })
  const off = await add('192.0.2.61', false)
  expect(await api.call(token, `POST ${off}/firmware`, {})).toMatchObject({ status: 424, body: { code: 14 } })
  expect(await api.call(token, `POST ${off}/firmware`, { version: '5' })).toMatchObject({ body: { code: 14 } })
  expect((await api.call(token, `POST ${path}/firmware`, { version: '5' })).body.code).toBe(6)
  expect((await api.call(token, `POST ${off}/firmware`, { version: '' })).body).toMatchObject({ code: 3 })
})

test('needs the right editCamera and access; support starts no upgrade', async () => {
  const { accountId, cameraId, path, model } = await oneCamera()
  await offerFirmware(api, { model, version: '2.0.0' })
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView'], cameraIds: [cameraId] })
  const elsewhere = await api.addSubUser(accountId, { rights: ['editCamera'] })
  const support = await api.addToken({ accountId, userId: accountId }, 'support')
  expect((await api.call(viewer.token, `POST ${path}`, {})).status).toBe(403)
  expect((await api.call(viewer.token, `GET ${path}`)).status).toBe(403)
  expect((await api.call(elsewhere.token, `POST ${path}`, {})).status).toBe(404)
  expect((await api.call(elsewhere.token, `GET ${path}`)).status).toBe(404)
  expect((await api.call(support, `POST ${path}`, {})).status).toBe(403)
  expect((await api.call(support, `GET ${path}`)).status).toBe(200)
})

describe('of several cameras', () => {
  /** Cameras of one account and one model. */
  async function cameras(count: number) {
    const first = await oneCamera()
    const others = await Promise.all(
      Array.from({ length: count - 1 }, async (_, index) => {
        const cameraId = await api.addCamera(first.accountId, first.zoneId, `Camera ${index}`)
        const values = { onvif_port: 80, brand: 'Acme', model: first.model, firmware_version: '1.0.0' }
        await api.owner.plain.updateTable('cameras').set(values).where('camera_id', '=', cameraId).execute()
        const status = { account_id: first.accountId, camera_id: cameraId, online: true }
        await api.owner.plain.insertInto('camera_status').values(status).execute()
        return cameraId
      }),
    )
    return { ...first, cameraIds: [first.cameraId, ...others] }
  }
  const upgradeAll = (token: string, body: object) => api.call(token, 'POST cameras/firmware', body)

  test('each gets a job or its own reason, and the workers are told once', async () => {
    const { accountId, token, model, cameraIds } = await cameras(4)
    await offerFirmware(api, { model, version: '2.0.0' })
    const [first = 0, offline = 0, upToDate = 0, last = 0] = cameraIds
    const { plain } = api.owner
    await plain.updateTable('camera_status').set({ online: false }).where('camera_id', '=', offline).execute()
    await plain.updateTable('cameras').set({ firmware_version: '2.0.0' }).where('camera_id', '=', upToDate).execute()
    notified = 0
    const reply = await upgradeAll(token, { cameraIds: [...cameraIds, first] })
    expect(reply.status).toBe(202)
    expect(reply.body.jobs.map(({ cameraId }: { cameraId: number }) => cameraId).toSorted()).toEqual(
      [first, last].toSorted(),
    )
    expect(reply.body.failed).toHaveLength(2)
    expect(reply.body.failed).toContainEqual({ cameraId: offline, code: 18, detail: expect.any(String) })
    expect(reply.body.failed).toContainEqual({ cameraId: upToDate, code: 6, detail: expect.stringContaining('newer') })
    expect(notified).toBe(1)
    const log = plain.selectFrom('audit_log').select('target_id').where('account_id', '=', accountId)
    const entries = await log.where('action', '=', 'upgradeCamerasFirmware').execute()
    expect(entries.map(({ target_id }) => target_id).toSorted()).toEqual([first, last].toSorted())
    const again = await upgradeAll(token, { cameraIds: [first] })
    expect(again.body).toMatchObject({ jobs: [], failed: [{ cameraId: first, code: 6 }] })
  })

  test('a camera out of scope refuses the whole call, and nothing is started', async () => {
    const { accountId, token, model, cameraIds } = await cameras(2)
    await offerFirmware(api, { model, version: '2.0.0' })
    const other = await cameras(1)
    expect(await upgradeAll(token, { cameraIds: [...cameraIds, other.cameraId] })).toMatchObject({ status: 404 })
    const [first = 0, second = 0] = cameraIds
    const user = await api.addSubUser(accountId, { rights: ['editCamera'], cameraIds: [first] })
    expect(await upgradeAll(user.token, { cameraIds: [first, second] })).toMatchObject({ status: 404 })
    const viewer = await api.addSubUser(accountId, { rights: ['CameraView'], allCameras: true })
    expect((await upgradeAll(viewer.token, { cameraIds })).status).toBe(403)
    for (const ids of [[], Array.from({ length: 201 }, (_, id) => id + 1)])
      expect((await upgradeAll(token, { cameraIds: ids })).body.code).toBe(3)
    const jobs = api.owner.plain.selectFrom('device_jobs').select('job_id').where('account_id', '=', accountId)
    expect(await jobs.execute()).toEqual([])
    expect((await upgradeAll(user.token, { cameraIds: [first] })).body.jobs).toHaveLength(1)
  })
})
