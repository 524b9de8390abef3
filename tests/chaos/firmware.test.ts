/** Firmware is installed from the API down to the camera, which may refuse it, keep the old version, or die. */
import { createHash } from 'node:crypto'
import type { DeviceJob } from '@sightline/contract/device-jobs'
import { FIRMWARE_PART_BYTES } from '@sightline/contract/firmware'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { simulatedFirmware } from '../../camera-simulator/src/index.ts'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const [BRAND, MODEL] = ['Sightline', 'Simulated Camera']
let watched: WatchedCamera
let worker: MediaWorker | undefined
let lastImage = 500

beforeAll(async () => {
  watched = await watchedCamera({
    media: {
      command: async (question) => (await worker?.command(question)) ?? { kind: 'cameraOffline' },
      camerasChanged: () => void worker?.camerasChanged(),
    },
  })
  await watched.api.owner.plain
    .updateTable('cameras')
    .set({ onvif_port: watched.camera.address.onvifPort, brand: BRAND, model: MODEL, firmware_version: '1.0.0' })
    .where('camera_id', '=', watched.cameraId)
    .execute()
  worker = await watched.openWorker()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await watched.camera.heal()
  await watched.api.owner.plain.deleteFrom('firmware_images').execute()
  await until('the camera is online', async () => (await call(`GET ${path()}/status`)).body.online === true)
})

const call = (request: string, body?: unknown) => watched.api.call(watched.token, request, body)
const path = () => `cameras/${watched.cameraId}`
const firmware = async () => (await call(`GET ${path()}/firmware`)).body

/** Offers an image, as the operator does. */
async function offer(version: string, bytes: Buffer, model = MODEL): Promise<number> {
  const imageId = ++lastImage
  const sha256 = createHash('sha256').update(bytes).digest()
  const { plain } = watched.api.owner
  await plain
    .insertInto('firmware_images')
    .values({ image_id: imageId, reseller_id: null, brand: BRAND, model, version, size_bytes: bytes.length, sha256 })
    .execute()
  for (let at = 0; at * FIRMWARE_PART_BYTES < bytes.length; at++) {
    const part = bytes.subarray(at * FIRMWARE_PART_BYTES, (at + 1) * FIRMWARE_PART_BYTES)
    await plain.insertInto('firmware_parts').values({ image_id: imageId, part: at, bytes: part }).execute()
  }
  return imageId
}

async function upgrade(): Promise<{ readonly job: DeviceJob; readonly phases: ReadonlySet<string> }> {
  const reply = await call(`POST ${path()}/firmware`, {})
  expect(reply.status).toBe(202)
  const phases = new Set<string>()
  const job = await until('the upgrade ended', async () => {
    const found: DeviceJob = (await call(`GET ${path()}/jobs/${reply.body.jobId}`)).body
    phases.add(found.phase ?? 'none')
    return found.endedAt !== null && found
  })
  return { job, phases }
}

test('a newer version is offered, installed in the specification’s phases, and then reported by the camera', async () => {
  await offer('2.0.0', simulatedFirmware(MODEL, '2.0.0', 1_400_000))
  expect(await firmware()).toMatchObject({ current: '1.0.0', available: '2.0.0', status: 'Upgradable' })
  expect((await call(`GET ${path()}/status`)).body.firmwareStatus).toBe('upgradable')
  const { job, phases } = await upgrade()
  expect(job).toMatchObject({ type: 'firmwareUpgrade', state: 'done', progress: 100 })
  // A short one can pass unseen.
  const inOrder = ['none', 'Requesting', 'Initializing', 'Downloading', 'Installing', 'Restarting']
  expect([...phases]).toEqual(inOrder.filter((phase) => phases.has(phase)))
  expect(phases.size).toBeGreaterThan(2)
  expect(await firmware()).toMatchObject({ current: '2.0.0', available: null, status: 'UpToDate', jobId: null })
  expect((await call(`GET ${path()}/status`)).body).toMatchObject({ online: true, firmwareStatus: 'upToDate' })
  expect(await call(`POST ${path()}/firmware`, {})).toMatchObject({ status: 409, body: { code: 6 } })
})

test('a camera that only knows UpgradeSystemFirmware gets the image in one message', async () => {
  await watched.camera.fault({ kind: 'onvif-quirks', quirks: ['old-firmware-upgrade'] })
  await offer('2.1.0', simulatedFirmware(MODEL, '2.1.0', 1_100_000))
  const { job } = await upgrade()
  expect(job).toMatchObject({ state: 'done', progress: 100 })
  expect(watched.camera.onvifRequests.map(({ operation }) => operation)).toContain('UpgradeSystemFirmware')
  expect(await firmware()).toMatchObject({ current: '2.1.0', status: 'UpToDate' })
  await offer('2.2.0', Buffer.alloc(70_000, 1))
  expect((await upgrade()).job).toMatchObject({ state: 'failed', error: expect.stringContaining('rejected the file') })
  expect(await firmware()).toMatchObject({ current: '2.1.0', status: 'Failed' })
  await offer('2.0.0', simulatedFirmware(MODEL, '2.0.0'))
  expect((await call(`POST ${path()}/firmware`, { version: '2.0.0' })).status).toBe(202)
  await until('it has the version of before', async () => (await firmware()).current === '2.0.0')
})

test('a file that the camera rejects fails the job, and the camera goes on with its version', async () => {
  await offer('3.0.0', Buffer.alloc(100_000, 1))
  const { job } = await upgrade()
  expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining('rejected the file') })
  expect(await firmware()).toMatchObject({ current: '2.0.0', status: 'Failed', error: job.error })
  expect((await call(`GET ${path()}/status`)).body).toMatchObject({ online: true, firmwareStatus: 'failed' })
})

test('a stored file that is not what was uploaded is never sent', async () => {
  const imageId = await offer('3.1.0', simulatedFirmware(MODEL, '3.1.0'))
  const parts = watched.api.owner.plain.updateTable('firmware_parts').set({ bytes: Buffer.alloc(65_536) })
  await parts.where('image_id', '=', imageId).execute()
  const asked = () =>
    watched.camera.onvifRequests.filter(({ operation }) => operation === 'StartFirmwareUpgrade').length
  const before = asked()
  expect((await upgrade()).job).toMatchObject({ state: 'failed', error: expect.stringContaining('checksum') })
  expect(asked()).toBe(before)
})

test.each([
  ['firmware-not-kept', 'still has version 2.0.0'],
  ['firmware-cut-off', 'the upload broke off'],
  ['no-firmware-upgrade', 'no firmware upgrade by ONVIF'],
  ['no-administrator', 'administrator'],
] as const)('a camera with %s: %s', async (quirk, why) => {
  await offer('4.0.0', simulatedFirmware(MODEL, '4.0.0'))
  await watched.camera.fault({ kind: 'onvif-quirks', quirks: [quirk] })
  expect((await upgrade()).job).toMatchObject({ state: 'failed', error: expect.stringContaining(why) })
})

test('a camera that dies fails the job by its deadline, and reconnects once it is back', async () => {
  await offer('5.0.0', simulatedFirmware(MODEL, '5.0.0'))
  await watched.camera.fault({ kind: 'onvif-quirks', quirks: ['firmware-dies'] })
  const { body } = await call(`POST ${path()}/firmware`, {})
  const jobOf = async () => (await call(`GET ${path()}/jobs/${body.jobId}`)).body
  await until('the camera is away', async () => (await jobOf()).phase === 'Restarting')
  await watched.api.owner.plain
    .updateTable('device_jobs')
    .set({ deadline: instant(Date.now() - 31_000) })
    .where('job_id', '=', body.jobId)
    .execute()
  await worker?.camerasChanged()
  await until('the job failed', async () => (await jobOf()).state === 'failed')
  await watched.camera.heal()
  await until('the camera is online', async () => (await call(`GET ${path()}/status`)).body.online === true)
})

test('an offline camera can’t be upgraded (code 18)', async () => {
  await offer('6.0.0', simulatedFirmware(MODEL, '6.0.0'))
  await watched.camera.fault({ kind: 'refuse' })
  await until('the camera is offline', async () => (await call(`GET ${path()}/status`)).body.online === false)
  expect(await call(`POST ${path()}/firmware`, {})).toMatchObject({ status: 424, body: { code: 18 } })
})

/** Upgrades of recorders that no worker of this test carries out. */
async function addJobs(
  imageId: number,
  jobs: readonly { readonly jobId: number; readonly state: 'queued' | 'running' }[],
) {
  const { accountId } = (await call('GET users/self')).body
  const zones = await call('GET zones')
  for (const { jobId, state } of jobs) {
    const given = { name: `NVR ${jobId}`, zoneId: zones.body[0].zoneId, address: '127.0.0.1', port: jobId }
    const { deviceId } = (await call('POST devices', given)).body
    const times = { created_at: instant(Date.now()), deadline: instant(Date.now() + 600_000) }
    await watched.api.owner.plain
      .insertInto('device_jobs')
      .values({
        account_id: accountId,
        device_id: deviceId,
        job_id: jobId,
        type: 'firmwareUpgrade',
        state,
        image_id: imageId,
        ...times,
      })
      .execute()
  }
}
const stateOfJob = async (jobId: number) =>
  (
    await watched.api.owner.plain
      .selectFrom('device_jobs')
      .select('state')
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow()
  ).state

test('after a failure nobody else of the account gets the same image, until somebody asks again', async () => {
  const imageId = await offer('6.5.0', Buffer.alloc(1000, 1))
  const other = await offer('6.4.0', simulatedFirmware(MODEL, '6.4.0'))
  await addJobs(imageId, [{ jobId: 801, state: 'queued' }])
  await addJobs(other, [{ jobId: 802, state: 'queued' }])
  expect((await upgrade()).job).toMatchObject({ state: 'failed' })
  expect([await stateOfJob(801), await stateOfJob(802)]).toEqual(['canceled', 'queued'])
})

test('an upgrade waits while two others of the account run', async () => {
  const imageId = await offer('7.0.0', simulatedFirmware(MODEL, '7.0.0'))
  await addJobs(imageId, [
    { jobId: 901, state: 'running' },
    { jobId: 902, state: 'running' },
  ])
  const { body } = await call(`POST ${path()}/firmware`, {})
  const jobOf = async (): Promise<DeviceJob> => (await call(`GET ${path()}/jobs/${body.jobId}`)).body
  await new Promise((done) => setTimeout(done, 3000))
  expect(await jobOf()).toMatchObject({ state: 'queued' })
  await watched.api.owner.plain.updateTable('device_jobs').set({ state: 'done' }).where('job_id', '=', 901).execute()
  const job = await until('it ran', async () => {
    const found = await jobOf()
    return found.endedAt !== null && found
  })
  expect(job).toMatchObject({ state: 'done' })
})
