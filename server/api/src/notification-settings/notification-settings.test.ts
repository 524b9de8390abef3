import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { notificationSettings } from './index.ts'

describe.each(engines)('users/self/notificationSettings on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [notificationSettings], open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const LIST = 'GET users/self/notificationSettings'
  const CHANGE = 'PATCH users/self/notificationSettings/cameraDown'
  const others = { cooldown: 0, includePicture: true, quietHours: null, allCameras: true, cameraIds: [], zoneIds: [] }
  const atFirst = {
    type: 'cameraDown',
    enabled: false,
    alertDelay: 60,
    alertByEmail: true,
    alertByPush: false,
    alertRepeat: 0,
    ...others,
  }
  const first = async (token: string) => (await api.call(token, LIST)).body[0]

  test('alerts are off by default, with a delay of 60 minutes and no repetition', async () => {
    const { token } = await api.addAccount()
    expect(await first(token)).toEqual(atFirst)
    expect((await api.call(token, 'GET users/self/supportedSettings/notifications')).body).toMatchObject({
      cameraOfflineAlertDelay: [1, 5, 15, 30, 60, 120, 240, 720, 1440],
      cameraOfflineAlertRepeat: [0, 60, 240, 720, 1440],
    })
  })

  test('a change keeps unnamed values, affects only the caller and is in the audit log', async () => {
    const { accountId, token } = await api.addAccount()
    const other = await api.addSubUser(accountId, { rights: ['editCamera'], allCameras: true })
    const after = { ...atFirst, enabled: true, alertDelay: 5 }
    expect(await api.call(token, CHANGE, { enabled: true, alertDelay: 5 })).toMatchObject({ status: 200, body: after })
    await api.call(token, CHANGE, { alertRepeat: 1440 })
    expect(await first(token)).toEqual({ ...after, alertRepeat: 1440 })
    expect(await first(other.token)).toEqual(atFirst)
    const log = await api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'before', 'after', 'target_id'])
      .where('account_id', '=', accountId)
      .orderBy('at')
      .execute()
    expect(log.map(({ action }) => action)).toEqual(['patchNotificationSetting', 'patchNotificationSetting'])
    expect(log).toContainEqual(expect.objectContaining({ before: atFirst, after, target_id: accountId }))
  })

  test.each([{ alertDelay: 7 }, { alertDelay: 0 }, { alertRepeat: 5 }, { alertRepeat: -60 }, { enabled: 'yes' }])(
    '%j isn’t available: code 3, and the setting stays the same',
    async (body) => {
      const { token } = await api.addAccount()
      expect(await api.call(token, CHANGE, body)).toMatchObject({ status: 400, body: { code: 3 } })
      expect(await first(token)).toEqual(atFirst)
    },
  )

  test('another type doesn’t exist: code 4', async () => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'PATCH users/self/notificationSettings/gossip', { enabled: true })
    expect(answer).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('users who can’t change cameras can’t see or change the settings; a demo user can see them', async () => {
    const { accountId } = await api.addAccount()
    const without = await api.addSubUser(accountId, { rights: ['receiveCameraAlerts'], allCameras: true })
    for (const call of [LIST, 'GET users/self/supportedSettings/notifications']) {
      expect(await api.call(without.token, call)).toMatchObject({ status: 403, body: { code: 9 } })
    }
    expect(await api.call(without.token, CHANGE, { enabled: true })).toMatchObject({ status: 403 })
    const demo = await api.addSubUser(accountId, { rights: ['editCamera', 'demoUser'], allCameras: true })
    expect((await api.call(demo.token, LIST)).status).toBe(200)
    expect(await api.call(demo.token, CHANGE, { enabled: true })).toMatchObject({ status: 403, body: { code: 9 } })
  })
})
