/** Motion that a camera reports by ONVIF becomes events of the product, from its socket to the API. */
import type { CameraLogEntry } from '@sightline/contract/camera-logs'
import type { RecordedEvent } from '@sightline/contract/events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker
beforeAll(async () => {
  watched = await watchedCamera()
  await watched.database
    .db('owner')
    .plain.updateTable('cameras')
    .set({ onvif_port: watched.camera.address.onvifPort })
    .where('camera_id', '=', watched.cameraId)
    .execute()
  // Its clock is an hour ahead.
  await watched.camera.fault({ kind: 'clock-jump', byMs: 3_600_000 })
  worker = await watched.openWorker()
  await until('the camera’s events are followed', async () => watched.camera.events.subscriptions === 1)
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched[Symbol.asyncDispose]()
})

const call = (request: string, body?: object) => watched.api.call(watched.token, request, body)
const motion = async (): Promise<readonly RecordedEvent[]> => (await call('GET events?types=motion')).body
const log = async (): Promise<readonly CameraLogEntry[]> => (await call(`GET cameras/${watched.cameraId}/logs`)).body

test('motion is one event from its begin to its end, in our time and with the camera’s own', async () => {
  const began = Date.now()
  watched.camera.events.move(true)
  await until('the event is there', async () => (await motion()).length === 1)
  const [event] = await motion()
  expect(event).toMatchObject({ active: true, cameraId: watched.cameraId, data: { detectedBy: 'camera' } })
  expect(Math.abs(Date.parse(event?.timestamp ?? '') - began)).toBeLessThan(3000)
  expect(Math.abs(Date.parse(event?.data.cameraTime ?? '') - began - 3_600_000)).toBeLessThan(3000)
  watched.camera.events.move(false)
  await until('the event is over', async () => (await motion())[0]?.active === false)
  expect(await motion()).toHaveLength(1)
})

test('tampering that the camera reports is an event of its own, beside motion', async () => {
  const tampered = async (): Promise<readonly RecordedEvent[]> => (await call('GET events?types=tampered')).body
  const before = (await motion()).length
  watched.camera.events.tamper(true)
  await until('the event is there', async () => (await tampered()).length === 1)
  expect((await tampered())[0]).toMatchObject({ active: true, type: 'tampered', data: { detectedBy: 'camera' } })
  watched.camera.events.tamper(false)
  await until('the event is over', async () => (await tampered())[0]?.active === false)
  expect(await motion()).toHaveLength(before)
})

test('a wrong clock is in the camera’s log', async () => {
  const entry = (await log()).find((one) => one.event === 'clockWrong')
  expect(entry?.detail).toContain("the camera's clock is 3600 s ahead")
})

test('events that are lost, and that are followed again, are in the camera’s log', async () => {
  await watched.camera.fault({ kind: 'onvif-quirks', quirks: ['no-events'] })
  watched.camera.events.forget()
  await until('the loss is noted', async () => (await log()).some((one) => one.event === 'eventsLost'))
  expect((await log()).filter((one) => one.event === 'eventsFollowed')).toHaveLength(1)
})

test('a private camera’s events are not followed, and its subscription is given back', async () => {
  await watched.camera.heal()
  await watched.saveCredentials()
  await worker.camerasChanged()
  await until('events are followed again', async () => watched.camera.events.subscriptions === 1)
  expect((await call(`PATCH cameras/${watched.cameraId}/mode`, { mode: 'private' })).status).toBe(200)
  await worker.camerasChanged()
  await until('the subscription is gone', async () => watched.camera.events.subscriptions === 0)
  const requests = watched.camera.onvifRequests.length
  watched.camera.events.move(true)
  expect(watched.camera.onvifRequests).toHaveLength(requests)
  expect((await motion()).every(({ active }) => !active)).toBe(true)
})
