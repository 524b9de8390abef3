import { afterAll, beforeAll, expect, test } from 'vitest'
import { cameraMaintenance } from '../camera-maintenance/index.ts'
import { cameraModes } from '../camera-modes/index.ts'
import { cameras } from '../cameras/index.ts'
import { detectors } from '../detectors/index.ts'
import { schedules } from '../schedules/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { events } from './index.ts'

let api: TestApi
beforeAll(async () => {
  const slices = [cameras, cameraModes, cameraMaintenance, schedules, detectors, events]
  api = await testApi({ slices, media: { camerasChanged: () => undefined } })
})
afterAll(() => api[Symbol.asyncDispose]())

const twoCameras = async () => {
  const account = await api.addAccount()
  const { accountId, token, zoneId } = account
  const door = await api.addCamera(accountId, zoneId, 'Door')
  const yard = await api.addCamera(accountId, zoneId, 'Yard')
  const list = async (as = token) => {
    const { body } = await api.call(as, 'GET events?types=userAction')
    // biome-ignore lint/suspicious/noExplicitAny: replies of tests
    return body as any[]
  }
  return { ...account, door, yard, list }
}

const weekly = { recording: [{ days: ['mon'], from: '08:00', to: '18:00' }], push: [], email: [] }

test('what a user changes at a camera is an event of the camera, once, and only if something changed', async () => {
  const { token, door, list } = await twoCameras()
  expect((await api.call(token, `PATCH cameras/${door}/mode`, { mode: 'silent' })).status).toBe(200)
  expect((await api.call(token, `PATCH cameras/${door}/mode`, { mode: 'silent' })).status).toBe(200)
  expect((await list()).map(({ data, cameraId, active }) => ({ data, cameraId, active }))).toEqual([
    {
      data: { action: 'patchCameraMode', by: 'user', mode: 'silent', recordingMode: 'continuous' },
      cameraId: door,
      active: false,
    },
  ])
  for (const [request, body] of [
    [`PATCH cameras/${door}/detectors/video`, { sensitivity: 80 }],
    [
      `PUT cameras/${door}/detectors/video/areas`,
      [
        {
          areaId: 1,
          kind: 'intrusion',
          points: [
            [0, 0],
            [1, 0],
            [1, 1],
          ],
          enabled: true,
        },
      ],
    ],
    [`PUT cameras/${door}/schedule`, weekly],
    [`DELETE cameras/${door}/schedule`, undefined],
    [`PUT devices/${door}/maintenance`, { enabled: true }],
    [`PATCH cameras/${door}`, { name: 'Front door' }],
  ] as const) {
    const { status, body: answer } = await api.call(token, request, body)
    expect(status, `${request} ${JSON.stringify(answer)}`).toBeLessThan(300)
  }
  expect((await list()).map(({ data }) => data.action)).toEqual([
    'patchCamera',
    'putCameraMaintenance',
    'deleteCameraSchedule',
    'putCameraSchedule',
    'putDetectionAreas',
    'patchVideoDetector',
    'patchCameraMode',
  ])
})

test('a change of a zone is an event of each camera that it changes', async () => {
  const { token, zoneId, door, yard, list } = await twoCameras()
  await api.call(token, `PATCH cameras/${door}/mode`, { mode: 'disarmed' })
  await api.call(token, `PUT cameras/${door}/schedule`, weekly)
  const before = (await list()).length
  expect((await api.call(token, `PATCH zones/${zoneId}/mode`, { mode: 'disarmed' })).status).toBe(200)
  expect((await api.call(token, `PUT zones/${zoneId}/schedule`, weekly)).status).toBe(200)
  const after = await list()
  expect(after.slice(0, after.length - before).map(({ cameraId, data }) => [cameraId, data.action])).toEqual([
    [yard, 'putZoneSchedule'],
    [yard, 'patchZoneMode'],
  ])
})

test('who it was is visible to them and to those who see the users of the account', async () => {
  const { accountId, token, door, list } = await twoCameras()
  const cameraIds = [door]
  const actor = await api.addSubUser(accountId, { rights: ['CameraView', 'cameraPrivacyButton'], cameraIds })
  const neighbor = await api.addSubUser(accountId, { rights: ['CameraView'], cameraIds })
  const manager = await api.addSubUser(accountId, { rights: ['CameraView', 'viewUserSettings'], cameraIds })
  const stranger = await api.addSubUser(accountId, { rights: ['CameraView', 'viewUserSettings'] })
  expect((await api.call(actor.token, `PATCH cameras/${door}/mode`, { mode: 'private' })).status).toBe(200)
  const [event] = await list()
  expect(event.source).toEqual({ kind: 'user', id: actor.userId, name: expect.stringMatching(/\S/) })
  for (const as of [manager.token, actor.token, token]) expect((await list(as))[0].source).toEqual(event.source)
  const hidden = { kind: 'user', id: null, name: '' }
  expect((await list(neighbor.token))[0].source).toEqual(hidden)
  expect((await api.call(neighbor.token, `GET events/${event.eventId}`)).body.source).toEqual(hidden)
  const stream = await api.call(neighbor.token, 'GET events/stream?after=0&follow=false')
  expect(JSON.stringify(stream.body)).not.toContain(String(actor.userId))
  expect(await list(stranger.token)).toEqual([])
})
