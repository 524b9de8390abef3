/** A recorder is added, watched and restarted from the API down to the device, by the worker that owns it. */

import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { DeviceChannel } from '@sightline/contract/device-channels'
import type { DeviceStatus, RecorderDevice } from '@sightline/contract/devices'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SimulatedCamera, type Simulator, startCameras } from '../../camera-simulator/src/index.ts'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const clip = (name: string): string => new URL(`../../camera-simulator/test-clips/${name}`, import.meta.url).pathname
const login = { username: 'admin', password: 'recorder' }
const INPUTS = 64
const EMPTY = [3, 5]

let watched: WatchedCamera
let worker: MediaWorker
let simulator: Simulator
let recorder: SimulatedCamera
let deviceId: number

beforeAll(async () => {
  const main = { path: clip('main.h264'), framesPerSecond: 25 }
  const sub = { path: clip('sub.h264'), framesPerSecond: 10 }
  const settings = {
    name: 'Recorder',
    mac: '02:00:00:00:00:64',
    ...login,
    clips: { main, sub, snapshot: (await sceneClips('car-park')).snapshot },
    inputs: INPUTS,
    emptyInputs: EMPTY,
    disks: [
      { capacity: 4000, free: 1000 },
      { capacity: 2000, free: 2000 },
    ],
    restartMs: 2000,
  }
  simulator = await startCameras({ cameras: [settings] })
  recorder = simulator.cameras[0] ?? expect.unreachable('the simulator has no recorder')
  watched = await watchedCamera({
    media: {
      command: (question) => worker.command(question),
      camerasChanged: () => void worker.camerasChanged(),
    },
  })
  worker = await watched.openWorker()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
  await simulator?.[Symbol.asyncDispose]()
})

const call = (request: string, body?: unknown) => watched.api.call(watched.token, request, body)
const channelsOf = async (): Promise<readonly DeviceChannel[]> => (await call(`GET devices/${deviceId}/channels`)).body
const statusOf = async (): Promise<DeviceStatus> => (await call(`GET devices/${deviceId}/status`)).body
const eventsOf = async (): Promise<readonly string[]> =>
  (await call(`GET devices/${deviceId}/logs`)).body.map(({ event }: { event: string }) => event)

async function add(given: object): Promise<number> {
  const address = { address: '127.0.0.1', port: recorder.address.onvifPort }
  const zones = await call('GET zones')
  const reply = await call('POST devices', { name: 'Cellar', zoneId: zones.body[0].zoneId, ...address, ...given })
  expect(reply.status).toBe(201)
  return reply.body.deviceId
}

test('with a wrong password the addition fails, as code 12', async () => {
  deviceId = await add({ ...login, password: 'wrong' })
  const { body } = await call(`GET devices/${deviceId}/additionStatus/poll`)
  expect(body).toMatchObject({ Status: 'failure', SubStatus: 'credentialsIncorrect', code: 12 })
})

test('64 inputs with two profiles each are found, and those without a camera are offline', async () => {
  expect(await add(login)).toBe(deviceId)
  const { body } = await call(`GET devices/${deviceId}/additionStatus/poll`)
  expect(body).toMatchObject({ Status: 'added', channels: INPUTS, code: null })
  const channels = await channelsOf()
  expect(channels.filter(({ online }) => !online).map(({ channel }) => channel)).toEqual(EMPTY)
  const device: RecorderDevice = (await call(`GET devices/${deviceId}`)).body
  expect(device).toMatchObject({ brand: 'Sightline', firmware: '1.0.0', ethMacAddress: '02:00:00:00:00:64' })
})

test('the status says that it responds, and how full its disks are', async () => {
  const status = await until('its status is known', async () => {
    const found = await statusOf()
    return found.online && found
  })
  const mib = 1024 * 1024
  expect(status.storage).toEqual({ totalBytes: 6000 * mib, usedBytes: 3000 * mib })
})

test('each input has a snapshot of its own, all of them asked for at the same time', async () => {
  const asked = (await channelsOf()).filter(({ online }) => online)
  const pictures = await Promise.all(
    asked.map(async ({ channel }) => {
      const picture = await call(`GET devices/${deviceId}/channels/${channel}/snapshot`)
      return { channel, status: picture.status, bytes: Buffer.from(picture.body) }
    }),
  )
  expect(pictures.filter(({ status }) => status !== 200)).toEqual([])
  const numbers = pictures.map(({ bytes }) => Number(/input (\d+)/.exec(bytes.toString('latin1'))?.[1] ?? '1'))
  expect(numbers).toEqual(asked.map(({ channel }) => channel))
})

test('other credentials are saved only if the recorder accepts them', async () => {
  const path = `devices/${deviceId}/connection/credentials`
  expect(await call(`PATCH ${path}`, { password: 'mistyped' })).toMatchObject({ status: 424, body: { code: 12 } })
  expect(await call(`PATCH ${path}`, { username: 'nobody' })).toMatchObject({ status: 424, body: { code: 12 } })
  expect((await statusOf()).online).toBe(true)
  expect(await call(`PATCH ${path}`, login)).toMatchObject({ status: 200, body: { username: 'admin' } })
})

test('an input becomes a camera that is connected at once', async () => {
  const reply = await call(`POST devices/${deviceId}/channels/7/camera`, { name: 'Till' })
  expect(reply.status).toBe(201)
  const { cameraId } = reply.body
  const addition = await call(`GET cameras/${cameraId}/additionStatus/poll`)
  expect(addition.body).toMatchObject({ Status: 'added' })
  expect((await channelsOf())[6]).toMatchObject({ attached: true, cameraId })
})

test('a camera that is plugged in is noticed, and can be added', async () => {
  await recorder.fault({ kind: 'empty-inputs', inputs: [5] })
  await until('input 3 is online', async () => (await channelsOf())[2]?.online === true)
  const reply = await call(`POST devices/${deviceId}/channels/3/camera`, { name: 'Yard' })
  expect(reply.status).toBe(201)
  expect(await eventsOf()).toContain('channelOnline')
  expect((await call(`POST devices/${deviceId}/channels/5/camera`, { name: 'None' })).body).toMatchObject({ code: 6 })
})

test('a restart is a job that ends when the recorder is back', async () => {
  const { body } = await call(`POST devices/${deviceId}/reboot`)
  const job = await until('the job ended', async () => {
    const found = (await call(`GET devices/${deviceId}/jobs/${body.jobId}`)).body
    return found.endedAt !== null && found
  })
  expect(job).toMatchObject({ state: 'done', progress: 100 })
  expect(await eventsOf()).toEqual(expect.arrayContaining(['rebootStarted', 'rebootFinished']))
})

test('a recorder whose user is no administrator fails the job, with what it said', async () => {
  await recorder.fault({ kind: 'onvif-quirks', quirks: ['no-administrator'] })
  const { body } = await call(`POST devices/${deviceId}/reboot`)
  const job = await until('the job failed', async () => {
    const found = (await call(`GET devices/${deviceId}/jobs/${body.jobId}`)).body
    return found.endedAt !== null && found
  })
  expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining('user name and password') })
  await recorder.heal()
})

test('a recorder that is off is offline after its next look, and its snapshots are code 14', async () => {
  await recorder.fault({ kind: 'refuse' })
  await until('it is offline', async () => !(await statusOf()).online)
  expect((await call(`POST devices/${deviceId}/reboot`)).body).toMatchObject({ code: 14 })
  expect((await call(`GET devices/${deviceId}/channels/1/snapshot`)).body).toMatchObject({ code: 14 })
  expect(await eventsOf()).toContain('connectionLost')
  await recorder.heal()
})
