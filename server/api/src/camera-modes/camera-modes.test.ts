import type { Right } from '@sightline/contract/rights'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schedules } from '../schedules/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraModes } from './index.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  const media = { snapshot: async () => ({ kind: 'cameraOffline' as const }), camerasChanged: () => void notified++ }
  api = await testApi({ slices: [cameraModes, schedules], media })
})
afterAll(() => api[Symbol.asyncDispose]())

const oneCamera = async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  return { accountId, zoneId, token, cameraId, mode: `cameras/${cameraId}/mode` }
}
const spans = { recording: [{ days: ['mon'], from: '09:00', to: '17:00' }], push: [], email: [] }

describe('cameras/{cameraId}/mode', () => {
  test('a camera is armed and records continuously until someone changes it; the workers are notified', async () => {
    const { token, mode } = await oneCamera()
    expect((await api.call(token, `GET ${mode}`)).body).toEqual({
      mode: 'armed',
      recordingMode: 'continuous',
      preRollSeconds: 5,
      modeBeforePrivate: null,
    })
    notified = 0
    const changed = await api.call(token, `PATCH ${mode}`, { mode: 'disarmed' })
    expect(changed).toMatchObject({ status: 200, body: { mode: 'disarmed', recordingMode: 'continuous' } })
    expect(notified).toBe(1)
    expect((await api.call(token, `GET ${mode}`)).body.mode).toBe('disarmed')
  })

  test('a camera can record events only, whatever its mode', async () => {
    const { token, mode } = await oneCamera()
    const changed = await api.call(token, `PATCH ${mode}`, { recordingMode: 'event' })
    expect(changed).toMatchObject({ status: 200, body: { mode: 'armed', recordingMode: 'event' } })
  })

  test('from 5 to 30 seconds before an event are recorded, as someone with the right editCamera chooses', async () => {
    const { accountId, cameraId, token, mode } = await oneCamera()
    notified = 0
    const changed = await api.call(token, `PATCH ${mode}`, { preRollSeconds: 20 })
    expect(changed).toMatchObject({ status: 200, body: { mode: 'armed', preRollSeconds: 20 } })
    expect(notified).toBe(1)
    expect((await api.call(token, `PATCH ${mode}`, { mode: 'silent' })).body.preRollSeconds).toBe(20)
    for (const preRollSeconds of [4, 31, 7.5])
      expect((await api.call(token, `PATCH ${mode}`, { preRollSeconds })).body.code).toBe(3)
    const rights: Right[] = ['CameraView', 'cameraPrivacyButton']
    const button = await api.addSubUser(accountId, { rights, cameraIds: [cameraId] })
    const denied = await api.call(button.token, `PATCH ${mode}`, { mode: 'private', preRollSeconds: 10 })
    expect(denied).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await api.call(token, `GET ${mode}`)).body).toMatchObject({ mode: 'silent', preRollSeconds: 20 })
  })

  test('scheduled needs times to record at, or nothing would be recorded', async () => {
    const { token, zoneId, mode } = await oneCamera()
    const early = await api.call(token, `PATCH ${mode}`, { mode: 'scheduled' })
    expect(early).toMatchObject({ status: 409, body: { code: 6 } })
    expect((await api.call(token, `PUT zones/${zoneId}/schedule`, spans)).status).toBe(200)
    expect((await api.call(token, `PATCH ${mode}`, { mode: 'scheduled' })).status).toBe(200)
  })

  test('a mode that does not exist is refused', async () => {
    const { token, mode } = await oneCamera()
    expect(await api.call(token, `PATCH ${mode}`, { mode: 'asleep' })).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('the right cameraPrivacyButton turns private mode on and off to the mode before, and nothing else', async () => {
    const { accountId, cameraId, token, mode } = await oneCamera()
    await api.call(token, `PATCH ${mode}`, { mode: 'silent' })
    const withRights = (rights: Right[]) => api.addSubUser(accountId, { rights, cameraIds: [cameraId] })
    const button = (await withRights(['cameraPrivacyButton'])).token
    const set = async (who: string, body: object) => (await api.call(who, `PATCH ${mode}`, body)).status
    expect(await set(button, { mode: 'armed' })).toBe(403)
    expect(await set(button, { mode: 'private' })).toBe(200)
    expect(await set(button, { mode: 'disarmed' })).toBe(403)
    expect(await set(button, { mode: 'silent' })).toBe(200)
    expect(await set((await withRights(['ptz'])).token, { mode: 'private' })).toBe(403)
    expect(await set((await withRights(['editCamera'])).token, { mode: 'armed' })).toBe(200)
  })

  test('a private camera shows the mode that it returns to, so that the button can turn private mode off', async () => {
    const { token, mode } = await oneCamera()
    await api.call(token, `PATCH ${mode}`, { mode: 'silent' })
    const on = await api.call(token, `PATCH ${mode}`, { mode: 'private' })
    expect(on.body).toMatchObject({ mode: 'private', modeBeforePrivate: 'silent' })
    expect((await api.call(token, `GET ${mode}`)).body).toEqual(on.body)
    expect((await api.call(token, `PATCH ${mode}`, { mode: 'armed' })).body.modeBeforePrivate).toBeNull()
  })

  test('the button brings back the mode that the zone gave, not another one', async () => {
    const { accountId, zoneId, cameraId, token, mode } = await oneCamera()
    const { token: button } = await api.addSubUser(accountId, {
      rights: ['cameraPrivacyButton'],
      cameraIds: [cameraId],
    })
    await api.owner.plain.updateTable('cameras').set({ mode: 'disarmed' }).where('camera_id', '=', cameraId).execute()
    expect((await api.call(button, `PATCH ${mode}`, { mode: 'private' })).status).toBe(200)
    expect((await api.call(button, `PATCH ${mode}`, { mode: 'private' })).status).toBe(200)
    expect((await api.call(button, `PATCH ${mode}`, { mode: 'armed' })).status).toBe(403)
    expect((await api.call(button, `PATCH ${mode}`, { mode: 'disarmed' })).status).toBe(200)
    await api.call(token, `PATCH ${mode}`, { mode: 'silent' })
    await api.call(token, `PATCH zones/${zoneId}/mode`, { mode: 'private' })
    expect((await api.call(button, `PATCH ${mode}`, { mode: 'silent' })).status).toBe(200)
  })

  test('a camera out of scope is not found, with and without the right', async () => {
    const { accountId, mode } = await oneCamera()
    const { token } = await api.addSubUser(accountId, { rights: ['editCamera'] })
    expect((await api.call(token, `GET ${mode}`)).status).toBe(404)
    expect((await api.call(token, `PATCH ${mode}`, { mode: 'silent' })).status).toBe(404)
  })

  test('support never turns off private mode, of a camera or of a zone', async () => {
    const { accountId, zoneId, cameraId, token, mode } = await oneCamera()
    const other = await api.addCamera(accountId, zoneId, 'Yard')
    await api.call(token, `PATCH ${mode}`, { mode: 'private' })
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    expect((await api.call(support, `PATCH ${mode}`, { mode: 'armed' })).status).toBe(403)
    const zone = await api.call(support, `PATCH zones/${zoneId}/mode`, { mode: 'silent' })
    expect(zone).toMatchObject({ status: 200, body: { mode: 'silent', failed: [{ cameraId, code: 9 }] } })
    expect((await api.call(token, `GET ${mode}`)).body.mode).toBe('private')
    expect((await api.call(token, `GET cameras/${other}/mode`)).body.mode).toBe('silent')
    await api.call(token, `PATCH zones/${zoneId}/mode`, { mode: 'private' })
    expect((await api.call(support, `PATCH zones/${zoneId}/mode`, { mode: 'armed' })).status).toBe(403)
  })
})

describe('zones/{zoneId}/mode', () => {
  test('is given to all cameras of the zone', async () => {
    const { accountId, zoneId, token, mode } = await oneCamera()
    const call = `zones/${zoneId}/mode`
    const first = { mode: 'armed', recordingMode: 'continuous', failed: [] }
    expect((await api.call(token, `GET ${call}`)).body).toEqual(first)
    expect((await api.call(token, `PATCH ${call}`, { mode: 'private' })).body).toEqual({ ...first, mode: 'private' })
    expect((await api.call(token, `GET ${mode}`)).body.mode).toBe('private')
    const log = api.owner.plain.selectFrom('audit_log').select(['action', 'after']).where('account_id', '=', accountId)
    const after = { mode: 'private', recordingMode: 'continuous' }
    expect(await log.execute()).toContainEqual({ action: 'patchZoneMode', after })
  })

  test('leaves the modes of its cameras alone where the change names none', async () => {
    const { zoneId, token, mode } = await oneCamera()
    await api.call(token, `PATCH ${mode}`, { mode: 'private' })
    for (const body of [{}, { recordingMode: 'continuous' }])
      expect((await api.call(token, `PATCH zones/${zoneId}/mode`, body)).status).toBe(200)
    expect((await api.call(token, `GET ${mode}`)).body.mode).toBe('private')
  })

  test('scheduled leaves out a camera whose own schedule has no times to record at, and names it', async () => {
    const { accountId, zoneId, cameraId, token, mode } = await oneCamera()
    const other = await api.addCamera(accountId, zoneId, 'Yard')
    await api.call(token, `PUT cameras/${cameraId}/schedule`, { ...spans, recording: [] })
    await api.call(token, `PUT zones/${zoneId}/schedule`, spans)
    const scheduled = await api.call(token, `PATCH zones/${zoneId}/mode`, { mode: 'scheduled' })
    expect(scheduled.body).toMatchObject({ mode: 'scheduled', failed: [{ cameraId, code: 6 }] })
    expect((await api.call(token, `GET ${mode}`)).body.mode).toBe('armed')
    expect((await api.call(token, `GET cameras/${other}/mode`)).body.mode).toBe('scheduled')
  })

  test('takes the whole zone: a camera in it is not enough', async () => {
    const { accountId, zoneId, cameraId } = await oneCamera()
    const rights: Right[] = ['editZone', 'ZonesView']
    const { token } = await api.addSubUser(accountId, { rights, cameraIds: [cameraId] })
    expect((await api.call(token, `PATCH zones/${zoneId}/mode`, { mode: 'silent' })).status).toBe(403)
    const stranger = await api.addSubUser(accountId, { rights })
    expect((await api.call(stranger.token, `GET zones/${zoneId}/mode`)).status).toBe(404)
    expect((await api.call(stranger.token, `PATCH zones/${zoneId}/mode`, { mode: 'silent' })).status).toBe(404)
  })

  test('has the same limits as the mode of a camera', async () => {
    const { zoneId, token } = await oneCamera()
    const set = (body: object) => api.call(token, `PATCH zones/${zoneId}/mode`, body)
    expect(await set({ recordingMode: 'sometimes' })).toMatchObject({ body: { code: 3 } })
    expect(await set({ mode: 'scheduled' })).toMatchObject({ body: { code: 6 } })
    expect(await set({ mode: 1 })).toMatchObject({ body: { code: 3 } })
  })
})
