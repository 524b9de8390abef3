import type { AbilityName, AbilityState } from '@sightline/contract/camera-capabilities'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { detectors } from './index.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  const media = { snapshot: async () => ({ kind: 'cameraOffline' as const }), camerasChanged: () => void notified++ }
  api = await testApi({ slices: [cameras, detectors], media })
})
afterAll(() => api[Symbol.asyncDispose]())

const oneCamera = async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  return { accountId, token, cameraId, video: `cameras/${cameraId}/detectors/video` }
}
/** What the camera said of its abilities when it was asked. */
async function said(
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
  states: CameraStates,
): Promise<void> {
  const abilities = {
    abilities: Object.fromEntries(
      Object.entries(states).map(([name, state]) => [name, { state, tried: 'GetEventProperties' }]),
    ),
    codecs: [],
    resolutions: [],
    services: [],
    information: { brand: '', model: '', firmwareVersion: '', serial: '', ethMacAddress: '' },
  }
  const values = { abilities: JSON.stringify(abilities), asked_at: instant(Date.now()) }
  await api.owner.plain
    .insertInto('camera_capabilities')
    .values({ account_id: accountId, camera_id: cameraId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'camera_id']).doUpdateSet(values))
    .execute()
}
type CameraStates = Readonly<Partial<Record<AbilityName, AbilityState>>>
const area = (points: unknown, change: object = {}) => [
  { areaId: 1, kind: 'intrusion', points, enabled: true, ...change },
]
const triangle = [
  [0, 0],
  [1, 0],
  [1, 1],
]

describe('motion detection of a camera', () => {
  test('is on at first, and its sensitivity and areas reach the workers at once', async () => {
    const { token, cameraId, video } = await oneCamera()
    const before = { enabled: true, sensitivity: 50, source: null }
    expect((await api.call(token, `GET cameras/${cameraId}/detectors`)).body).toEqual({
      video: before,
      audio: { enabled: false, sensitivity: 50, available: false },
      pir: { enabled: false, inputs: [], available: false },
    })
    expect((await api.call(token, `GET ${video}`)).body).toEqual(before)
    expect((await api.call(token, `GET ${video}/areas`)).body).toEqual([])
    notified = 0
    expect((await api.call(token, `PATCH ${video}`, { sensitivity: 80 })).body).toEqual({ ...before, sensitivity: 80 })
    expect((await api.call(token, `PUT ${video}/areas`, area(triangle))).body).toEqual(area(triangle))
    expect(notified).toBe(2)
    expect((await api.call(token, `GET ${video}`)).body).toEqual({ ...before, sensitivity: 80 })
    expect((await api.call(token, `GET ${video}/areas`)).body).toEqual(area(triangle))
  })

  test('disables a tripwire that an area lies over, and keeps one beside it with its direction', async () => {
    const { token, video } = await oneCamera()
    const wire = (areaId: number, y: number) => ({
      areaId,
      kind: 'tripwire',
      points: [
        [0.1, y],
        [0.2, y],
      ],
      direction: 'leftToRight',
      enabled: true,
    })
    const areas = [...area(triangle), wire(2, 0.05), wire(3, 0.9)]
    const saved = await api.call(token, `PUT ${video}/areas`, areas)
    expect(saved.body).toEqual([areas[0], { ...wire(2, 0.05), enabled: false }, wire(3, 0.9)])
    const over = { areaId: 4, kind: 'exclusion', enabled: false, points: [...triangle.slice(1), [0, 1]] }
    expect((await api.call(token, `PUT ${video}/areas`, [over, wire(3, 0.9)])).body[1].enabled).toBe(true)
    const enabled = [{ ...over, enabled: true }, wire(3, 0.9)]
    expect((await api.call(token, `PUT ${video}/areas`, enabled)).body[1].enabled).toBe(false)
  })

  test('shows what is found now to those who may set it', async () => {
    const { accountId, token, cameraId, video } = await oneCamera()
    const found = await api.call(token, `GET ${video}/preview`)
    expect(found).toMatchObject({ status: 200, body: { state: 'off', moving: [] } })
    expect((await api.call(token, `GET ${video}/preview?sensitivity=100`)).status).toBe(200)
    expect((await api.call(token, `GET ${video}/preview?sensitivity=101`)).status).toBe(400)
    const { token: viewer } = await api.addSubUser(accountId, { rights: ['editCamera'], cameraIds: [cameraId] })
    expect((await api.call(viewer, `GET ${video}/preview`)).status).toBe(403)
    const { token: stranger } = await api.addSubUser(accountId, { rights: ['motionDetection'] })
    expect((await api.call(stranger, `GET ${video}/preview`)).status).toBe(404)
  })

  test('names what found the last motion', async () => {
    const { accountId, token, cameraId, video } = await oneCamera()
    const add = (detectedBy: string) =>
      api.owner.plain
        .insertInto('events')
        .values({
          account_id: accountId,
          camera_id: cameraId,
          at: instant(Date.now()),
          type: 'motion',
          source_kind: 'camera',
          source_id: cameraId,
          source_name: 'Door',
          data: JSON.stringify({ detectedBy }),
          once_key: detectedBy,
        })
        .execute()
    await add('server')
    expect((await api.call(token, `GET ${video}`)).body.source).toBe('server')
    await add('camera')
    expect((await api.call(token, `GET ${video}`)).body.source).toBe('camera')
  })

  test.each([
    ['a sensitivity over 100', 'PATCH', '', { sensitivity: 101 }],
    ['two corners', 'PUT', '/areas', area(triangle.slice(1))],
    [
      'a corner outside of the picture',
      'PUT',
      '/areas',
      area([
        [0, 0],
        [1.1, 0],
        [1, 1],
      ]),
    ],
    [
      'edges that cross',
      'PUT',
      '/areas',
      area([
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ]),
    ],
    [
      'no size',
      'PUT',
      '/areas',
      area([
        [0, 0],
        [0.5, 0.5],
        [1, 1],
      ]),
    ],
    ['a tripwire without a length', 'PUT', '/areas', area([triangle[0], triangle[0]], { kind: 'tripwire' })],
    ['a direction of an area', 'PUT', '/areas', area(triangle, { direction: 'both' })],
    ['the same areaId twice', 'PUT', '/areas', [...area(triangle), ...area(triangle)]],
    ['an unknown kind', 'PUT', '/areas', area(triangle, { kind: 'moat' })],
  ])('with %s is refused with code 3', async (_, method, tail, body) => {
    const { token, video } = await oneCamera()
    expect(await api.call(token, `${method} ${video}${tail}`, body)).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('is not turned off while it is the only detection: the camera can be disarmed instead', async () => {
    const { token, video } = await oneCamera()
    const refused = await api.call(token, `PATCH ${video}`, { enabled: false })
    expect(refused).toMatchObject({ status: 409, body: { code: 6 } })
    expect(JSON.stringify(refused.body)).toContain('Unable to turn off all detections')
  })

  test('can be turned off while loud sounds are detected, and one of both stays on', async () => {
    const { accountId, token, cameraId, video } = await oneCamera()
    const audio = `cameras/${cameraId}/detectors/audio`
    expect(await api.call(token, `PATCH ${audio}`, { sensitivity: 101 })).toMatchObject({
      status: 400,
      body: { code: 3 },
    })
    expect(await api.call(token, `PATCH ${audio}`, { enabled: true })).toMatchObject({
      status: 422,
      body: { code: 17 },
    })
    await api.owner.plain
      .insertInto('camera_status')
      .values({ account_id: accountId, camera_id: cameraId, online: true, recording: true, audio_codec: 'pcmu' })
      .execute()
    notified = 0
    expect((await api.call(token, `PATCH ${audio}`, { enabled: true, sensitivity: 60 })).body).toEqual({
      enabled: true,
      sensitivity: 60,
      available: true,
    })
    expect(notified).toBe(1)
    expect((await api.call(token, `PATCH ${video}`, { enabled: false })).body.enabled).toBe(false)
    expect(await api.call(token, `PATCH ${audio}`, { enabled: false })).toMatchObject({
      status: 409,
      body: { code: 6 },
    })
    expect((await api.call(token, `GET ${audio}`)).body.enabled).toBe(true)
  })

  test.each([false, true])(
    'loud sounds in AAC are looked for if the server has a decoder (%s)',
    async (decodesSound) => {
      await using server = await testApi({ slices: [detectors], media: { decodesSound } })
      const { accountId, token, zoneId } = await server.addAccount()
      const cameraId = await server.addCamera(accountId, zoneId, 'Door')
      const audio = `cameras/${cameraId}/detectors/audio`
      const values = { account_id: accountId, camera_id: cameraId, online: true, recording: true, audio_codec: 'aac' }
      await server.owner.plain.insertInto('camera_status').values(values).execute()
      expect((await server.call(token, `GET ${audio}`)).body.available).toBe(decodesSound)
      const reply = await server.call(token, `PATCH ${audio}`, { enabled: true })
      expect(reply.status).toBe(decodesSound ? 200 : 422)
    },
  )

  test('a camera that reports loud sounds itself needs no sound that the server can measure', async () => {
    const { accountId, token, cameraId } = await oneCamera()
    const audio = `cameras/${cameraId}/detectors/audio`
    await api.owner.plain.updateTable('cameras').set({ onvif_port: 80 }).where('camera_id', '=', cameraId).execute()
    await said({ accountId, cameraId }, { audioDetection: 'yes' })
    expect((await api.call(token, `PATCH ${audio}`, { enabled: true })).body).toMatchObject({ available: true })
    await api.owner.plain.updateTable('cameras').set({ microphone: false }).where('camera_id', '=', cameraId).execute()
    expect((await api.call(token, `GET ${audio}`)).body.available).toBe(false)
  })

  test('PIR sensors are for cameras by ONVIF, take the right audioPIR, and count as a detection', async () => {
    const { accountId, token, cameraId, video } = await oneCamera()
    const pir = `cameras/${cameraId}/detectors/pir`
    expect(await api.call(token, `PATCH ${pir}`, { enabled: true })).toMatchObject({ status: 422, body: { code: 11 } })
    await api.owner.plain.updateTable('cameras').set({ onvif_port: 80 }).where('camera_id', '=', cameraId).execute()
    notified = 0
    const on = { enabled: true, inputs: ['input-Door'], available: true }
    const wired = await api.call(token, `PATCH ${pir}`, { enabled: true, inputs: ['input-Door', 'input-Door'] })
    expect(wired.body).toEqual(on)
    expect(notified).toBe(1)
    expect((await api.call(token, `GET cameras/${cameraId}/detectors`)).body.pir).toEqual(on)
    expect((await api.call(token, `PATCH ${video}`, { enabled: false })).status).toBe(200)
    expect(await api.call(token, `PATCH ${pir}`, { enabled: false })).toMatchObject({ status: 409, body: { code: 6 } })
    expect((await api.call(token, `GET ${pir}`)).body).toEqual(on)
    expect((await api.call(token, `PATCH ${pir}`, { inputs: [''] })).status).toBe(400)
    const rights = ['motionDetection' as const, 'CameraView' as const]
    const { token: other } = await api.addSubUser(accountId, { rights, cameraIds: [cameraId] })
    expect((await api.call(other, `GET ${pir}`)).status).toBe(200)
    expect((await api.call(other, `PATCH ${pir}`, {})).status).toBe(403)
    const stranger = await api.addSubUser(accountId, { rights: ['audioPIR', 'CameraView'] })
    expect((await api.call(stranger.token, `GET ${pir}`)).status).toBe(404)
    expect((await api.call(stranger.token, `PATCH ${pir}`, {})).status).toBe(404)
  })

  test.each([
    [{ pir: 'no', io: 'no', inputs: 'no' }, false],
    [{ pir: 'no', io: 'yes', inputs: 'no', outputs: 'yes' }, false],
    [{ pir: 'no', io: 'yes', inputs: 'yes', outputs: 'no' }, true],
    [{ pir: 'no' }, true],
    [{ pir: 'unknown', inputs: 'no' }, true],
    [{ pir: 'yes', inputs: 'no' }, true],
    [{}, true],
  ] as const)('of an ONVIF camera that said %j, PIR sensors can be turned on: %s', async (states, isAvailable) => {
    const { accountId, token, cameraId } = await oneCamera()
    const pir = `cameras/${cameraId}/detectors/pir`
    await api.owner.plain.updateTable('cameras').set({ onvif_port: 80 }).where('camera_id', '=', cameraId).execute()
    await said({ accountId, cameraId }, states)
    expect((await api.call(token, `GET ${pir}`)).body.available).toBe(isAvailable)
    const reply = await api.call(token, `PATCH ${pir}`, { enabled: true })
    expect(reply).toMatchObject(isAvailable ? { status: 200 } : { status: 422, body: { code: 11 } })
  })

  test('PIR sensors that are on stay on where the camera said that it has none, and can be turned off', async () => {
    const { accountId, token, cameraId } = await oneCamera()
    const pir = `cameras/${cameraId}/detectors/pir`
    await api.owner.plain.updateTable('cameras').set({ onvif_port: 80 }).where('camera_id', '=', cameraId).execute()
    await api.call(token, `PATCH ${pir}`, { enabled: true })
    await said({ accountId, cameraId }, { pir: 'no', inputs: 'no' })
    expect((await api.call(token, `GET ${pir}`)).body).toMatchObject({ enabled: true, available: false })
    expect((await api.call(token, `PATCH ${pir}`, { enabled: false })).body.enabled).toBe(false)
    expect((await api.call(token, `PATCH ${pir}`, { enabled: true })).status).toBe(422)
  })

  test('takes the right motionDetection to change, and the camera in scope', async () => {
    const { accountId, cameraId, video } = await oneCamera()
    const { token } = await api.addSubUser(accountId, { rights: ['editCamera', 'CameraView'], cameraIds: [cameraId] })
    expect((await api.call(token, `GET ${video}`)).status).toBe(200)
    expect((await api.call(token, `PATCH ${video}`, { sensitivity: 1 })).status).toBe(403)
    expect((await api.call(token, `PUT ${video}/areas`, [])).status).toBe(403)
    const rights = ['motionDetection' as const, 'CameraView' as const]
    const allowed = await api.addSubUser(accountId, { rights, cameraIds: [cameraId] })
    expect((await api.call(allowed.token, `PATCH ${video}`, { sensitivity: 1 })).status).toBe(200)
    expect((await api.call(allowed.token, `PATCH cameras/${cameraId}/detectors/audio`, {})).status).toBe(403)
    const stranger = await api.addSubUser(accountId, { rights: [...rights, 'audioPIR'] })
    for (const request of [
      `GET cameras/${cameraId}/detectors`,
      `GET ${video}`,
      `GET ${video}/areas`,
      `GET cameras/${cameraId}/detectors/audio`,
    ])
      expect((await api.call(stranger.token, request)).status, request).toBe(404)
    expect((await api.call(stranger.token, `PATCH cameras/${cameraId}/detectors/audio`, {})).status).toBe(404)
    expect((await api.call(stranger.token, `PATCH ${video}`, { sensitivity: 1 })).status).toBe(404)
    expect((await api.call(stranger.token, `PUT ${video}/areas`, [])).status).toBe(404)
  })
})
