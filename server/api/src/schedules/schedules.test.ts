import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameraModes } from '../camera-modes/index.ts'
import { cameras } from '../cameras/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { zones } from '../zones/index.ts'
import { toClock } from './clock.ts'
import { schedules } from './index.ts'

const seconds = (hours: number) => hours * 3600

describe("the clock of a schedule's time zone", () => {
  test.each([
    { timeZone: 'Europe/Amsterdam', now: '2026-03-01', hours: 1, at: '2026-03-29T01:00', next: 2 },
    { timeZone: 'Europe/Amsterdam', now: '2026-07-01', hours: 2, at: '2026-10-25T01:00', next: 1 },
    { timeZone: 'Australia/Lord_Howe', now: '2026-03-01', hours: 11, at: '2026-04-04T15:00', next: 10.5 },
    { timeZone: 'America/Santiago', now: '2026-08-01', hours: -4, at: '2026-09-06T04:00', next: -3 },
    { timeZone: 'Africa/Casablanca', now: '2026-02-01', hours: 1, at: '2026-02-15T02:00', next: 0 },
  ])('in $timeZone on $now is UTC$hours and changes at $at to UTC$next', ({ timeZone, now, hours, at, next }) => {
    expect(toClock(timeZone, Date.parse(now))).toEqual({
      utcOffset: seconds(hours),
      nextOffsetChange: { at: `${at}:00.000+00:00`, utcOffset: seconds(next) },
    })
  })
})

let api: TestApi
let notified = 0
beforeAll(async () => {
  const media = { snapshot: async () => ({ kind: 'cameraOffline' as const }), camerasChanged: () => void notified++ }
  api = await testApi({ slices: [cameraModes, cameras, schedules, zones], media })
})
afterAll(() => api[Symbol.asyncDispose]())

const oneCamera = async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const [camera, zone] = [`cameras/${cameraId}/schedule`, `zones/${zoneId}/schedule`]
  return { accountId, zoneId, token, cameraId, camera, zone }
}
const at = (from: string, to: string) => ({
  recording: [{ days: ['mon', 'tue'], from, to }],
  push: [{ days: ['sun'], from: '00:00', to: '24:00' }],
  email: [],
})
const none = { recording: [], push: [], email: [] }

/** What the schedule of a zone without changes of its clocks has. */
const clock = { utcOffset: 0, nextOffsetChange: null }

describe('a schedule', () => {
  test('is in the time zone of its camera, else of the zone', async () => {
    const { token, cameraId, zoneId, camera } = await oneCamera()
    await api.owner.plain.updateTable('zones').set({ time_zone: 'Asia/Tokyo' }).where('zone_id', '=', zoneId).execute()
    expect((await api.call(token, `GET ${camera}`)).body).toMatchObject({ timeZone: 'Asia/Tokyo' })
    const before = notified
    await api.call(token, `PATCH cameras/${cameraId}`, { timeZone: 'Asia/Dubai' })
    expect((await api.call(token, `GET ${camera}`)).body).toMatchObject({ timeZone: 'Asia/Dubai', utcOffset: 14_400 })
    expect(notified).toBe(before + 1)
    await api.call(token, `PATCH cameras/${cameraId}`, { timeZone: null })
    expect((await api.call(token, `GET ${camera}`)).body).toMatchObject({ timeZone: 'Asia/Tokyo' })
  })

  test('of a zone applies to its cameras until they have their own, and again once that is deleted', async () => {
    const { token, zoneId, camera, zone } = await oneCamera()
    expect((await api.call(token, `GET ${zone}`)).body).toEqual({
      ...none,
      ...clock,
      timeZone: 'UTC',
      inherited: false,
    })
    expect((await api.call(token, `PUT ${zone}`, at('09:00', '17:00'))).body).toMatchObject(at('09:00', '17:00'))
    await api.owner.plain.updateTable('zones').set({ time_zone: 'Asia/Tokyo' }).where('zone_id', '=', zoneId).execute()
    const tokyo = { ...clock, utcOffset: 9 * 3600, timeZone: 'Asia/Tokyo' }
    const inherited = { ...at('09:00', '17:00'), ...tokyo, inherited: true }
    expect((await api.call(token, `GET ${camera}`)).body).toEqual(inherited)
    notified = 0
    const own = await api.call(token, `PUT ${camera}`, at('18:00', '06:00'))
    expect(own.body).toMatchObject({ ...at('18:00', '06:00'), inherited: false })
    expect(notified).toBe(1)
    expect((await api.call(token, `DELETE ${camera}`)).status).toBe(204)
    expect((await api.call(token, `GET ${camera}`)).body).toEqual(inherited)
  })

  test('of a zone whose clocks change has the next change', async () => {
    const { token, zoneId, zone } = await oneCamera()
    const zones = api.owner.plain.updateTable('zones').set({ time_zone: 'Europe/Amsterdam' })
    await zones.where('zone_id', '=', zoneId).execute()
    const { body } = await api.call(token, `GET ${zone}`)
    expect(Math.abs(body.nextOffsetChange.utcOffset - body.utcOffset)).toBe(3600)
  })

  test('with spans that overlap is refused with code 3; a span can record events only', async () => {
    const { token, camera, zone } = await oneCamera()
    const overlapping = { ...none, email: [...at('09:00', '10:00').recording, ...at('09:30', '11:00').recording] }
    const onEvents = { ...none, recording: [{ days: ['mon'], from: '09:00', to: '10:00', type: 'event' }] }
    for (const path of [camera, zone]) {
      expect(await api.call(token, `PUT ${path}`, overlapping)).toMatchObject({ status: 400, body: { code: 3 } })
      expect(await api.call(token, `PUT ${path}`, onEvents)).toMatchObject({ status: 200, body: onEvents })
    }
  })

  test('that a camera follows is not left without times to record at', async () => {
    const { token, cameraId, camera, zone } = await oneCamera()
    await api.call(token, `PUT ${camera}`, at('09:00', '17:00'))
    expect((await api.call(token, `PATCH cameras/${cameraId}/mode`, { mode: 'scheduled' })).status).toBe(200)
    expect(await api.call(token, `PUT ${camera}`, none)).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await api.call(token, `DELETE ${camera}`)).toMatchObject({ status: 409, body: { code: 6 } })
    await api.call(token, `PUT ${zone}`, at('08:00', '09:00'))
    expect((await api.call(token, `DELETE ${camera}`)).status).toBe(204)
    expect(await api.call(token, `PUT ${zone}`, none)).toMatchObject({ status: 409, body: { code: 6 } })
  })

  test('of a zone without recording times is not followed by a scheduled camera that moves there', async () => {
    const { token, cameraId, zone } = await oneCamera()
    await api.call(token, `PUT ${zone}`, at('09:00', '17:00'))
    await api.call(token, `PATCH cameras/${cameraId}/mode`, { mode: 'scheduled' })
    const yard = (await api.call(token, 'POST zones', { name: 'Yard' })).body.zoneId
    const move = () => api.call(token, `PATCH cameras/${cameraId}`, { zoneId: yard })
    expect(await move()).toMatchObject({ status: 409, body: { code: 6 } })
    await api.call(token, `PUT zones/${yard}/schedule`, at('09:00', '17:00'))
    expect((await move()).status).toBe(200)
  })

  test('takes the right editSchedule, the camera in scope, and for a zone all of it', async () => {
    const { accountId, cameraId, camera, zone } = await oneCamera()
    const { token } = await api.addSubUser(accountId, { rights: ['editCamera', 'ZonesView'], cameraIds: [cameraId] })
    expect((await api.call(token, `PUT ${camera}`, none)).status).toBe(403)
    const rights = ['editSchedule' as const, 'ZonesView' as const]
    const ofCamera = await api.addSubUser(accountId, { rights, cameraIds: [cameraId] })
    expect((await api.call(ofCamera.token, `PUT ${camera}`, none)).status).toBe(200)
    expect((await api.call(ofCamera.token, `PUT ${zone}`, none)).status).toBe(403)
    const stranger = await api.addSubUser(accountId, { rights })
    for (const call of [`GET ${camera}`, `GET ${zone}`, `DELETE ${camera}`])
      expect((await api.call(stranger.token, call)).status, call).toBe(404)
    for (const path of [camera, zone])
      expect((await api.call(stranger.token, `PUT ${path}`, none)).status, path).toBe(404)
  })
})
