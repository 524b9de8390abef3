import { type ManualClock, MS_PER_DAY, MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { engines, type TestDatabase } from '@sightline/platform/db-testing'
import { runJobs } from '@sightline/platform/jobs/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { alertDeps, setStatus } from '../../alerts-testing.ts'
import { cameraWarnings } from '../../camera-warnings/index.ts'
import { cameras } from '../../cameras/index.ts'
import { type TestApi, testApi } from '../../slice-testing.ts'
import { alertWritingTasks, type EventAlertDeps } from '../event-alerts/index.ts'
import { notificationSettings } from '../index.ts'
import { notifyTroubles } from './index.ts'

describe.each(engines)('alerts about problems on %s', (_engine, open) => {
  let database: TestDatabase
  let api: TestApi
  let clock: ManualClock
  let deps: EventAlertDeps
  let owner: { accountId: number; token: string; zoneId: number }
  let camera: { accountId: number; cameraId: number }

  beforeAll(async () => {
    database = await open()
    api = await testApi({ slices: [cameraWarnings, cameras, notificationSettings], open: async () => database })
  })
  afterAll(() => api[Symbol.asyncDispose]())
  beforeEach(async () => {
    for (const table of ['mail_outbox', 'camera_warnings', 'trouble_alerts', 'notification_settings'] as const)
      await api.owner.plain.deleteFrom(table).execute()
    clock = manualClock(Date.now())
    deps = alertDeps({ db: database.db('alerts'), clock })
    owner = await api.addAccount()
    camera = { accountId: owner.accountId, cameraId: await api.addCamera(owner.accountId, owner.zoneId, 'Door') }
    await setStatus(api.owner, camera, undefined)
  })

  const want = (type: 'deviceTrouble' | 'storageFull', over: object = {}) =>
    api.call(owner.token, `PATCH users/self/notificationSettings/${type}`, { enabled: true, ...over })
  /** As the media plane leaves it. */
  const warn = (warning: 'clockWrong' | 'eventsLost') => {
    const at = instant(clock.now())
    const row = { account_id: camera.accountId, camera_id: camera.cameraId, warning, since: at, last_at: at }
    return database.db('media').plain.insertInto('camera_warnings').values(row).execute()
  }
  const told = async () => {
    const rows = await api.owner.plain.selectFrom('mail_outbox').select('kind').orderBy('mail_id').execute()
    return rows.map(({ kind }) => kind)
  }
  const later = async (ms: number) => {
    clock.advance(ms)
    const run = async () => {
      await notifyTroubles(deps)
      await runJobs(database.connection, alertWritingTasks(deps))
    }
    await Promise.all([run(), run()])
    return told()
  }
  const deleted = (deletedAt: number, reason: 'quota' | 'space' | 'retention') =>
    database
      .db('media')
      .plain.insertInto('footage_deletions')
      .values({
        account_id: camera.accountId,
        camera_id: camera.cameraId,
        stream: 'main',
        started_at: instant(deletedAt - MS_PER_DAY),
        ended_at: instant(deletedAt - MS_PER_DAY + MS_PER_MINUTE),
        bytes: 1,
        segments: 1,
        reason,
        deleted_at: instant(deletedAt),
      })
      .execute()

  test('a wrong clock is told once after the delay, and again only if it was right in between', async () => {
    await want('deviceTrouble', { alertDelay: 15 })
    await warn('clockWrong')
    expect(await later(14 * MS_PER_MINUTE)).toEqual([])
    expect(await later(MS_PER_MINUTE)).toEqual(['deviceTrouble'])
    expect(await later(MS_PER_DAY)).toEqual(['deviceTrouble'])
    await api.owner.plain.deleteFrom('camera_warnings').execute()
    await warn('clockWrong')
    expect(await later(15 * MS_PER_MINUTE)).toEqual(['deviceTrouble', 'deviceTrouble'])
  })

  test('it repeats while it lasts, if the user chose so', async () => {
    await want('deviceTrouble', { alertDelay: 5, alertRepeat: 1440 })
    await warn('eventsLost')
    await later(5 * MS_PER_MINUTE)
    expect(await later(MS_PER_DAY - MS_PER_MINUTE)).toEqual(['deviceTrouble'])
    expect(await later(MS_PER_MINUTE)).toEqual(['deviceTrouble', 'deviceTrouble'])
  })

  test('a rejected password is told; a camera that is offline for another reason is not', async () => {
    await want('deviceTrouble', { alertDelay: 5 })
    await setStatus(api.owner, camera, clock.now())
    await warn('clockWrong')
    const result = (last_connection_result: string) =>
      api.owner.plain.updateTable('camera_status').set({ last_connection_result }).execute()
    await result('unreachable')
    expect(await later(5 * MS_PER_MINUTE)).toEqual([])
    await result('credentialsIncorrect')
    expect(await later(0)).toEqual(['deviceTrouble'])
  })

  test('full storage is told when footage is deleted early for the account’s quota, not for age or the operator’s disk', async () => {
    await want('storageFull')
    await deleted(clock.now(), 'space')
    await deleted(clock.now(), 'retention')
    expect(await later(0)).toEqual([])
    await deleted(clock.now(), 'quota')
    expect(await later(0)).toEqual(['storageFull'])
    await deleted(clock.now() + MS_PER_MINUTE, 'quota')
    expect(await later(MS_PER_MINUTE)).toEqual(['storageFull'])
    expect(await later(2 * MS_PER_DAY)).toEqual(['storageFull'])
    await deleted(clock.now(), 'quota')
    expect(await later(0)).toEqual(['storageFull', 'storageFull'])
  })

  test.each(['silent', 'disarmed', 'private'] as const)('a %s camera notifies nobody', async (mode) => {
    await want('deviceTrouble', { alertDelay: 5 })
    await warn('clockWrong')
    await api.owner.plain.updateTable('cameras').set({ mode }).where('camera_id', '=', camera.cameraId).execute()
    expect(await later(MS_PER_DAY)).toEqual([])
  })

  test('a dismissed warning isn’t told, stays dismissed when it comes back, and can be shown again', async () => {
    await want('deviceTrouble', { alertDelay: 5 })
    const path = `PATCH cameras/${camera.cameraId}/warnings/clockWrong`
    const status = async () => (await api.call(owner.token, `GET cameras/${camera.cameraId}/status`)).body
    await warn('clockWrong')
    expect(await status()).toMatchObject({ warnings: ['clockWrong'], dismissedWarnings: [] })
    expect((await api.call(owner.token, path, { dismissed: true })).body).toEqual({
      warning: 'clockWrong',
      dismissed: true,
    })
    expect(await later(MS_PER_DAY)).toEqual([])
    await api.owner.plain.deleteFrom('camera_warnings').execute()
    await warn('clockWrong')
    expect(await status()).toMatchObject({ warnings: ['clockWrong'], dismissedWarnings: ['clockWrong'] })
    expect(await later(MS_PER_DAY)).toEqual([])
    await api.call(owner.token, path, { dismissed: false })
    expect(await status()).toMatchObject({ warnings: ['clockWrong'], dismissedWarnings: [] })
    expect(await later(0)).toEqual(['deviceTrouble'])
  })

  test('a warning is dismissed for one user, of a camera they have access to', async () => {
    const guard = await api.addSubUser(owner.accountId, { rights: ['CameraView'], cameraIds: [camera.cameraId] })
    await warn('eventsLost')
    const path = `cameras/${camera.cameraId}/warnings/eventsLost`
    await api.call(guard.token, `PATCH ${path}`, { dismissed: true })
    const statusOf = async (token: string) => (await api.call(token, `GET cameras/${camera.cameraId}/status`)).body
    expect(await statusOf(guard.token)).toMatchObject({ dismissedWarnings: ['eventsLost'] })
    expect(await statusOf(owner.token)).toMatchObject({ dismissedWarnings: [] })
    const stranger = await api.addAccount()
    const refused = { status: 404, body: { code: 4 } }
    expect(await api.call(stranger.token, `PATCH ${path}`, { dismissed: true })).toMatchObject(refused)
    const unknown = `PATCH cameras/${camera.cameraId}/warnings/boredom`
    expect(await api.call(owner.token, unknown, { dismissed: true })).toMatchObject(refused)
    expect(await api.call(owner.token, `PATCH ${path}`, { dismissed: 'yes' })).toMatchObject({
      status: 400,
      body: { code: 3 },
    })
  })
})
