import { randomBytes } from 'node:crypto'
import { type ManualClock, MS_PER_HOUR, MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { type Db, instant, openDatabase } from '@sightline/platform/db'
import { engines, type TestDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { alertDeps, setStatus } from '../../alerts-testing.ts'
import { cameraMaintenance } from '../../camera-maintenance/index.ts'
import { cameras } from '../../cameras/index.ts'
import { type TestApi, testApi } from '../../slice-testing.ts'
import { subUsers } from '../../sub-users/index.ts'
import { notificationSettings } from '../index.ts'
import { type AlertDeps, notifyDue } from './index.ts'

describe.each(engines)('alerts of cameras on %s', (_engine, open) => {
  let database: TestDatabase
  let api: TestApi
  let clock: ManualClock
  let deps: AlertDeps
  let camera: { accountId: number; cameraId: number }
  let owner: { accountId: number; token: string; zoneId: number }

  beforeAll(async () => {
    database = await open()
    api = await testApi({
      slices: [cameraMaintenance, cameras, notificationSettings, subUsers],
      open: async () => database,
    })
  })
  afterAll(() => api[Symbol.asyncDispose]())
  beforeEach(async () => {
    await api.owner.plain.deleteFrom('mail_outbox').execute()
    await api.owner.plain.deleteFrom('camera_alerts').execute()
    await api.owner.plain.deleteFrom('camera_status').execute()
    clock = manualClock(Date.now())
    deps = alertDeps({ db: database.db('alerts'), clock })
    owner = await api.addAccount()
    camera = { accountId: owner.accountId, cameraId: await api.addCamera(owner.accountId, owner.zoneId, 'Door') }
    await want(owner.token, {})
  })

  const want = (token: string, over: object) =>
    api.call(token, 'PATCH users/self/notificationSettings/cameraDown', { enabled: true, alertDelay: 60, ...over })
  const goes = (offlineSince: number | undefined) => setStatus(api.owner, camera, offlineSince)
  /** The notifications so far, by kind and user. */
  const told = async (to?: string) => {
    const rows = await api.owner.plain
      .selectFrom('mail_outbox')
      .select(['kind', 'recipient'])
      .orderBy('mail_id')
      .execute()
    return rows
      .filter(({ recipient }) => to === undefined || recipient === to)
      .map(({ kind }) => kind)
      .toSorted()
  }
  const later = async (ms: number) => {
    clock.advance(ms)
    await notifyDue(deps)
    return told()
  }

  test('a camera that is offline longer than the delay causes one notification, and another when it is back', async () => {
    await goes(clock.now())
    expect(await later(59 * MS_PER_MINUTE)).toEqual([])
    expect(await later(MS_PER_MINUTE)).toEqual(['cameraDown'])
    expect(await later(24 * MS_PER_HOUR)).toEqual(['cameraDown'])
    await goes(undefined)
    expect(await later(0)).toEqual(['cameraDown', 'cameraUp'])
    expect(await later(MS_PER_HOUR)).toEqual(['cameraDown', 'cameraUp'])
  })

  test('a camera that returns before the delay is over causes no notification', async () => {
    await goes(clock.now())
    await later(30 * MS_PER_MINUTE)
    await goes(undefined)
    await later(0)
    await goes(clock.now())
    expect(await later(59 * MS_PER_MINUTE)).toEqual([])
  })

  test('the notification repeats at the chosen interval until the camera is back', async () => {
    await want(owner.token, { alertRepeat: 60 })
    await goes(clock.now())
    await later(MS_PER_HOUR)
    expect(await later(59 * MS_PER_MINUTE)).toEqual(['cameraDown'])
    expect(await later(MS_PER_MINUTE)).toEqual(['cameraDown', 'cameraStillDown'])
    expect(await later(MS_PER_HOUR)).toEqual(['cameraDown', 'cameraStillDown', 'cameraStillDown'])
    await goes(undefined)
    expect(await later(2 * MS_PER_HOUR)).toEqual(['cameraDown', 'cameraStillDown', 'cameraStillDown', 'cameraUp'])
  })

  test('the next time offline causes a new notification', async () => {
    for (const count of [1, 2]) {
      await goes(clock.now())
      expect(await later(MS_PER_HOUR)).toHaveLength(2 * count - 1)
      await goes(undefined)
      expect(await later(0)).toHaveLength(2 * count)
    }
  })

  test('maintenance causes no notification, and time offline counts from its end', async () => {
    const maintenance = `PUT devices/${camera.cameraId}/maintenance`
    await api.call(owner.token, maintenance, { enabled: true })
    await goes(clock.now())
    expect(await later(24 * MS_PER_HOUR)).toEqual([])
    api.now = clock.now()
    await api.call(owner.token, maintenance, { enabled: false })
    expect(await later(59 * MS_PER_MINUTE)).toEqual([])
    expect(await later(MS_PER_MINUTE)).toEqual(['cameraDown'])
    await api.call(owner.token, maintenance, { enabled: true })
    await goes(undefined)
    expect(await later(MS_PER_HOUR)).toEqual(['cameraDown'])
    api.now = clock.now()
    await api.call(owner.token, maintenance, { enabled: false })
    expect(await later(0)).toEqual(['cameraDown', 'cameraUp'])
  })

  test('a disarmed or private camera causes no notification; a silent one does', async () => {
    const inMode = (mode: 'disarmed' | 'private' | 'silent') =>
      api.owner.plain.updateTable('cameras').set({ mode }).where('camera_id', '=', camera.cameraId).execute()
    await goes(clock.now())
    for (const mode of ['disarmed', 'private'] as const) {
      await inMode(mode)
      expect(await later(24 * MS_PER_HOUR), mode).toEqual([])
    }
    await inMode('silent')
    expect(await later(0)).toEqual(['cameraDown'])
    await api.owner.plain.updateTable('cameras').set({ mode: 'armed' }).execute()
  })

  test('an outdated status causes no notification, because our own outage isn’t the camera’s', async () => {
    await goes(clock.now())
    await api.owner.plain
      .updateTable('camera_status')
      .set({ changed_at: instant(Date.now() - 61_000) })
      .execute()
    expect(await later(24 * MS_PER_HOUR)).toEqual([])
  })

  describe('notifications go', () => {
    const email = 'told@demo.example'
    const person = async (given: Parameters<TestApi['addSubUser']>[1]) => {
      const user = await api.addSubUser(owner.accountId, { email: `${Math.random()}.${email}`, ...given })
      await want(user.token, {})
      const row = await api.owner.plain
        .selectFrom('users')
        .select('email')
        .where('user_id', '=', user.userId)
        .executeTakeFirstOrThrow()
      return { ...user, email: row.email }
    }
    const isTold = async (to: string) => {
      await goes(clock.now())
      await later(MS_PER_HOUR)
      return (await told(to)).length === 1
    }
    const rights = ['editCamera', 'receiveCameraAlerts'] as const

    test.each([
      ['to users with the camera', () => ({ rights, cameraIds: [camera.cameraId] }), true],
      ['to users with its zone', () => ({ rights, zoneIds: [owner.zoneId] }), true],
      ['to users with all cameras', () => ({ rights, allCameras: true }), true],
      ['not to users without access to it', () => ({ rights }), false],
      [
        'not to users without the right to alerts',
        () => ({ rights: ['editCamera'] as const, allCameras: true }),
        false,
      ],
    ])('%s', async (_, given, expected) => {
      expect(await isTold((await person(given())).email)).toBe(expected)
    })

    test('not to a user who lost the right to change the camera but still has the setting', async () => {
      const { userId, email: to } = await person({ rights, allCameras: true })
      const users = api.owner.plain.updateTable('users').set({ rights: ['receiveCameraAlerts'] })
      await users.where('user_id', '=', userId).execute()
      expect(await isTold(to)).toBe(false)
    })

    test('not to a blocked user', async () => {
      const { userId, email: to } = await person({ rights, allCameras: true })
      await api.owner.plain.updateTable('users').set({ blocked: true }).where('user_id', '=', userId).execute()
      expect(await isTold(to)).toBe(false)
      await goes(undefined)
      await later(0)
      expect(await told(to)).toEqual([])
    })

    test.each(['status', 'sub_users_barred'] as const)(
      'not to users of a suspended account or one whose Web App is disabled (%s)',
      async (column) => {
        const { email: to } = await person({ rights, allCameras: true })
        await api.owner.plain
          .updateTable('accounts')
          .set(column === 'status' ? { status: 'suspended' } : { sub_users_barred: true })
          .where('account_id', '=', owner.accountId)
          .execute()
        expect(await isTold(to)).toBe(false)
      },
    )

    test('not to a user who turned off email and messages or alerts', async () => {
      const { token, email: to } = await person({ rights, allCameras: true })
      await want(token, { alertByEmail: false })
      expect(await isTold(to)).toBe(false)
      await want(token, { alertByEmail: true, enabled: false })
      expect(await later(MS_PER_HOUR)).not.toContain(to)
      expect(await told(to)).toEqual([])
    })
  })

  test('in quiet hours nothing is told; a camera that is still offline afterwards is told then', async () => {
    const utc = (hours: number) => new Date(clock.now() + hours * MS_PER_HOUR).toISOString().slice(11, 16)
    await want(owner.token, { quietHours: { from: utc(0), to: utc(2) } })
    await goes(clock.now())
    expect(await later(MS_PER_HOUR + 59 * MS_PER_MINUTE - 60_000)).toEqual([])
    expect(await later(2 * MS_PER_MINUTE)).toEqual(['cameraDown'])
  })

  test('only chosen cameras are told, and chosen again once the choice changes', async () => {
    const yard = await api.addCamera(owner.accountId, owner.zoneId, 'Yard')
    await want(owner.token, { allCameras: false, cameraIds: [yard] })
    await goes(clock.now())
    expect(await later(MS_PER_HOUR)).toEqual([])
    await want(owner.token, { allCameras: true })
    expect(await later(0)).toEqual(['cameraDown'])
  })

  test('a camera that is back is told once, by the alerts for cameras that are back where those are on', async () => {
    const path = 'PATCH users/self/notificationSettings/cameraUp'
    await api.call(owner.token, path, { enabled: true, alertDelay: 5 })
    await goes(clock.now())
    await later(MS_PER_HOUR)
    await goes(undefined)
    // The other alerts are told by events.
    expect(await later(0)).toEqual(['cameraDown'])
  })

  test('cameras that fail together cause one email and one message', async () => {
    const more = await Promise.all(['Gate', 'Yard'].map((name) => api.addCamera(owner.accountId, owner.zoneId, name)))
    for (const cameraId of [camera.cameraId, ...more]) {
      await setStatus(api.owner, { accountId: owner.accountId, cameraId }, clock.now())
    }
    expect(await later(MS_PER_HOUR)).toEqual(['cameraDown'])
  })

  test('of many concurrent processes one notifies, and none repeats it after a crash half-way', async () => {
    const others = Array.from({ length: 4 }, () => pool())
    const processes = others.map((db) => alertDeps({ db, clock, seals: envelopeEncryption(randomBytes(32)) }))
    await goes(clock.now())
    clock.advance(MS_PER_HOUR)
    const dies = processes.map(
      (process): AlertDeps => ({
        ...process,
        outbox: {
          async add(tx, mail) {
            await process.outbox.add(tx, mail)
            throw new Error('the process ends here')
          },
        },
      }),
    )
    await Promise.all(dies.map((process) => notifyDue(process)))
    expect(await told()).toEqual([])
    for (let round = 0; round < 5; round += 1) await Promise.all(processes.map((process) => notifyDue(process)))
    expect(await told()).toEqual(['cameraDown'])
    await goes(undefined)
    await Promise.all(processes.map((process) => notifyDue(process)))
    expect(await told()).toEqual(['cameraDown', 'cameraUp'])
    await Promise.all(others.map((db) => db[Symbol.asyncDispose]()))
  })

  const pool = (): Db =>
    openDatabase({
      connection: database.connection,
      role: 'alerts',
      maxConnections: 2,
      applicationName: 'test-another-process',
      log: silentLogger,
    })

  test('the role that sends notifications can’t change anything else or read emails', async () => {
    const { plain } = database.db('alerts')
    const refused = [
      plain.selectFrom('mail_outbox').selectAll(),
      plain.selectFrom('users').select('first_name'),
      plain.updateTable('users').set({ blocked: false }),
      plain.selectFrom('cameras').select('password_sealed'),
      plain.updateTable('notification_settings').set({ enabled: false }),
    ]
    for (const attempt of refused) await expect(attempt.execute()).rejects.toThrow(/permission denied/)
  })
})
