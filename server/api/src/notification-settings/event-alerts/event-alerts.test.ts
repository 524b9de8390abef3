import type { NotificationSettingPatch, NotificationType } from '@sightline/contract/notification-settings'
import { type ManualClock, MS_PER_HOUR, MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { engines, type TestDatabase } from '@sightline/platform/db-testing'
import { runJobs } from '@sightline/platform/jobs/testing'
import { silentLogger } from '@sightline/platform/log'
import { smtpDelivery } from '@sightline/platform/mail'
import { type SmtpReceiver, sendMails, startSmtpReceiver } from '@sightline/platform/mail/testing'
import { type PushReceiver, startPushReceiver } from '@sightline/platform/web-push/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { alertDeps } from '../../alerts-testing.ts'
import { cameraMaintenance } from '../../camera-maintenance/index.ts'
import { cameraModes } from '../../camera-modes/index.ts'
import { cameras } from '../../cameras/index.ts'
import { pushDevices, pushTasks } from '../../push-devices/index.ts'
import { pushTesting } from '../../push-devices/push-testing.ts'
import { schedules } from '../../schedules/index.ts'
import { type TestApi, testApi } from '../../slice-testing.ts'
import { notificationSettings } from '../index.ts'
import { alertWritingTasks, type EventAlertDeps, notifyEvents } from './index.ts'

const FROM = 'no-reply@sender.example'
const JPEG = Buffer.from('a picture of the door')
/** A Thursday, 12:00 UTC. */
const hourOf = (ms: number) => Math.floor(ms / MS_PER_HOUR) * MS_PER_HOUR

describe.each(engines)('alerts about events on %s', (_engine, open) => {
  let database: TestDatabase
  let api: TestApi
  let inbox: SmtpReceiver
  let browser: PushReceiver
  let clock: ManualClock
  let deps: EventAlertDeps
  let owner: { accountId: number; token: string; zoneId: number }
  let door = 0
  let asked: number[] = []
  let counter = 0
  const testing = pushTesting({ now: Date.now() })

  beforeAll(async () => {
    database = await open()
    const slices = [cameraMaintenance, cameraModes, cameras, notificationSettings, pushDevices, schedules]
    api = await testApi({ slices, open: async () => database })
    inbox = await startSmtpReceiver()
    browser = await startPushReceiver()
  })
  afterAll(async () => {
    await inbox[Symbol.asyncDispose]()
    await browser[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    for (const table of ['alert_events', 'event_alerts', 'alert_messages', 'notification_settings'] as const)
      await api.owner.plain.deleteFrom(table).execute()
    clock = manualClock(hourOf(Date.now()))
    asked = []
    const media = {
      async recordedPicture({ at }: { at: number }) {
        asked.push(at)
        return { kind: 'picture', contentType: 'image/jpeg', bytes: JPEG, takenAt: at } as const
      },
    }
    deps = alertDeps({ db: database.db('alerts'), clock, seals: testing.encryption, media })
    const email = `owner-${++counter}@video.example`
    owner = await api.addAccount({ email })
    door = await api.addCamera(owner.accountId, owner.zoneId, 'Door')
    await want('motion', {}, owner.token)
  })

  const want = async (type: NotificationType, over: NotificationSettingPatch, token = owner.token) => {
    const reply = await api.call(token, `PATCH users/self/notificationSettings/${type}`, { enabled: true, ...over })
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  }

  /** As media workers write it. */
  const happens = async (type: string, cameraId = door, at = clock.now(), endedAt: number | null = null) => {
    const source = { source_kind: 'camera', source_id: cameraId, source_name: 'Door', camera_id: cameraId } as const
    await database
      .db('media')
      .plain.insertInto('events')
      .values({
        account_id: owner.accountId,
        at: instant(at),
        ended_at: endedAt === null ? null : instant(endedAt),
        type,
        ...source,
        once_key: `${cameraId} ${type} ${++counter}`,
      })
      .execute()
  }

  /** Runs everything that sends, as two concurrent processes would. */
  const tell = async () => {
    const common = { clock, encryption: testing.encryption, log: silentLogger }
    const process = async () => {
      await notifyEvents(deps)
      await runJobs(database.connection, alertWritingTasks(deps))
      const server = { host: '127.0.0.1', port: inbox.port, security: 'off', login: undefined } as const
      await sendMails(database, { ...common, deliver: smtpDelivery({ server, from: FROM }) })
      const { deliver } = testing.push
      await runJobs(database.connection, pushTasks({ ...common, db: database.db('alerts'), deliver }))
    }
    const before = [inbox.mails.length, browser.messages.length] as const
    await Promise.all([process(), process()])
    return {
      mails: inbox.mails.slice(before[0]),
      messages: browser.messages.slice(before[1]).map(({ text }) => JSON.parse(text)),
    }
  }
  const subjectsOf = ({ mails }: Awaited<ReturnType<typeof tell>>) =>
    mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1])
  const later = async (minutes: number) => {
    clock.advance(minutes * MS_PER_MINUTE)
    return tell()
  }
  const bodyOf = (raw: string) => raw.replaceAll(/=\n/g, '').replaceAll('=3D', '=')

  test('motion is told at once, with its picture and a link to the moment', async () => {
    await happens('motion')
    const told = await tell()
    expect(subjectsOf(told)).toEqual(['Motion at Door'])
    const raw = bodyOf(told.mails[0]?.raw ?? '')
    expect(raw).toContain(`https://video.example/app/cameras/${door}?t=${new Date(clock.now()).toISOString()}`)
    expect(raw).toContain(JPEG.toString('base64'))
    expect(raw).toContain('Watch recording')
    expect(asked).toEqual([clock.now()])
  })

  test.each(['pir', 'intrusion', 'tripwire'])('what is found as %s is told as motion', async (type) => {
    await happens(type)
    expect(subjectsOf(await tell())).toEqual(['Motion at Door'])
  })

  test('loud sounds are told by a setting of their own, with a picture and a link to the moment', async () => {
    await happens('audio')
    expect(subjectsOf(await tell())).toEqual([])
    await want('audio', { cooldown: 5 })
    await happens('audio')
    const told = await tell()
    expect(subjectsOf(told)).toEqual(['Loud sound at Door'])
    const raw = bodyOf(told.mails[0]?.raw ?? '')
    expect(raw).toContain(`/app/cameras/${door}?t=${new Date(clock.now()).toISOString()}`)
    expect(raw).toContain(JPEG.toString('base64'))
    await happens('audio')
    await happens('audio')
    expect(subjectsOf(await tell())).toEqual([])
    const next = await later(5)
    expect(subjectsOf(next)).toEqual(['Loud sound at Door'])
    expect(next.mails[0]?.raw).toContain('(2')
  })

  test('a camera that triggers each second causes one alert in its pause, and then one with the count', async () => {
    await want('motion', { cooldown: 5 })
    const subjects: unknown[] = []
    for (let second = 0; second < 200; second++) {
      await happens('motion')
      clock.advance(1000)
      if (second % 20 === 0) subjects.push(...subjectsOf(await tell()))
    }
    expect(subjects).toEqual(['Motion at Door'])
    const next = await later(3)
    expect(subjectsOf(next)).toEqual(['Motion at Door'])
    expect(next.mails[0]?.raw).toContain('(199')
    expect(subjectsOf(await later(60))).toEqual([])
  })

  test('cameras that see something together share one email and one message', async () => {
    await want('motion', { alertByPush: true })
    const subscription = browser.subscribe()
    await api.call(owner.token, 'PUT users/self/pushDevices', { platform: 'web', subscription })
    const yard = await api.addCamera(owner.accountId, owner.zoneId, 'Yard')
    await happens('motion', door)
    await happens('motion', yard)
    const told = await tell()
    expect(subjectsOf(told)).toEqual(['Motion at cameras: 2'])
    expect(told.messages).toMatchObject([{ title: 'Motion at cameras: 2', body: 'Door, Yard', path: '/app/' }])
    await happens('motion', yard)
    const again = await later(15)
    expect(again.messages).toMatchObject([{ title: 'Motion at Yard', tag: `motion-${yard}` }])
  })

  test.each(['silent', 'disarmed', 'private'])(
    'a %s camera notifies nobody, also of what it did before',
    async (mode) => {
      await happens('motion')
      const set = { mode: mode as 'silent' }
      await api.owner.plain.updateTable('cameras').set(set).where('camera_id', '=', door).execute()
      await happens('motion')
      expect(subjectsOf(await tell())).toEqual([])
      await api.owner.plain.updateTable('cameras').set({ mode: 'armed' }).where('camera_id', '=', door).execute()
      expect(subjectsOf(await later(1))).toEqual([])
      expect(asked).toEqual([])
    },
  )

  test('a camera in maintenance notifies nobody', async () => {
    await api.call(owner.token, `PUT devices/${door}/maintenance`, { enabled: true })
    await happens('motion')
    expect(subjectsOf(await tell())).toEqual([])
  })

  test('a scheduled camera notifies at the times that its schedule has for emails and for messages', async () => {
    await want('motion', { alertByPush: true, cooldown: 1 })
    const subscription = browser.subscribe()
    await api.call(owner.token, 'PUT users/self/pushDevices', { platform: 'web', subscription })
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    const hour = (add: number) => new Date(clock.now() + add * MS_PER_HOUR).toISOString().slice(11, 16)
    const schedule = {
      recording: [{ days, from: '00:00', to: '24:00' }],
      email: [{ days, from: hour(0), to: hour(1) }],
      push: [{ days, from: hour(1), to: hour(2) }],
    }
    expect((await api.call(owner.token, `PUT cameras/${door}/schedule`, schedule)).status).toBe(200)
    expect((await api.call(owner.token, `PATCH cameras/${door}/mode`, { mode: 'scheduled' })).status).toBe(200)
    const counts = []
    for (let each = 0; each < 3; each++) {
      await happens('motion', door, clock.now())
      const { mails, messages } = await tell()
      counts.push([mails.length, messages.length])
      clock.advance(MS_PER_HOUR)
      // What was learned too late is no news; the database's clock stands still.
      await api.owner.plain.deleteFrom('alert_events').execute()
    }
    expect(counts).toEqual([
      [1, 0],
      [0, 1],
      [0, 0],
    ])
  })

  test('in quiet hours of the account’s time zone motion is not told; tampering is told afterwards', async () => {
    await api.owner.plain
      .updateTable('accounts')
      .set({ time_zone: 'Asia/Tokyo' })
      .where('account_id', '=', owner.accountId)
      .execute()
    const tokyo = (add: number) => new Date(clock.now() + (9 + add) * MS_PER_HOUR).toISOString().slice(11, 16)
    const quietHours = { from: tokyo(0), to: tokyo(1) }
    await want('motion', { quietHours })
    await want('deviceTampered', { quietHours })
    await happens('motion')
    await happens('tampered')
    expect(subjectsOf(await tell())).toEqual([])
    expect(subjectsOf(await later(59))).toEqual([])
    expect(subjectsOf(await later(1))).toEqual(['Door may have been tampered with'])
  })

  test('only the chosen cameras and those of the chosen zones are told', async () => {
    const yard = await api.addCamera(owner.accountId, owner.zoneId, 'Yard')
    await want('motion', { allCameras: false, cameraIds: [yard] })
    await happens('motion', door)
    await happens('motion', yard)
    expect(subjectsOf(await tell())).toEqual(['Motion at Yard'])
    await want('motion', { allCameras: false, cameraIds: [], zoneIds: [owner.zoneId] })
    await happens('motion', door)
    expect(subjectsOf(await tell())).toEqual(['Motion at Door'])
  })

  test('a camera or zone that the caller has no access to can’t be chosen: code 4', async () => {
    const stranger = await api.addAccount()
    const path = 'PATCH users/self/notificationSettings/motion'
    for (const body of [{ cameraIds: [door] }, { zoneIds: [owner.zoneId] }, { cameraIds: [999_999] }])
      expect(await api.call(stranger.token, path, body)).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test.each([{ cooldown: 0 }, { cooldown: 7 }, { alertDelay: 5 }, { quietHours: { from: '09:00', to: '09:00' } }])(
    '%j isn’t available for motion: code 3',
    async (body) => {
      const reply = await api.call(owner.token, 'PATCH users/self/notificationSettings/motion', body)
      expect(reply).toMatchObject({ status: 400, body: { code: 3 } })
    },
  )

  describe('of a sub-user', () => {
    const rights = ['editCamera', 'receiveCameraAlerts'] as const
    const person = async (given: Parameters<TestApi['addSubUser']>[1]) => {
      const user = await api.addSubUser(owner.accountId, { email: `user-${++counter}@video.example`, ...given })
      await want('motion', {}, user.token)
      return user
    }
    beforeEach(() => want('motion', { enabled: false }))

    test('without the right to play recordings, the email has no picture and links to the camera', async () => {
      await person({ rights, allCameras: true })
      await happens('motion')
      const { mails } = await tell()
      expect(mails).toHaveLength(1)
      const raw = bodyOf(mails[0]?.raw ?? '')
      expect(raw).toContain(`https://video.example/app/cameras/${door}`)
      expect(raw).not.toContain('?t=')
      expect(raw).not.toContain(JPEG.toString('base64'))
      expect(asked).toEqual([])
    })

    test('with that right, the email has one, unless the user doesn’t want it', async () => {
      const { token } = await person({ rights: [...rights, 'playback'], allCameras: true })
      await happens('motion')
      expect((await tell()).mails[0]?.raw).toContain(JPEG.toString('base64'))
      await want('motion', { includePicture: false }, token)
      await happens('motion')
      expect((await later(15)).mails[0]?.raw).not.toContain(JPEG.toString('base64'))
    })

    test.each([
      ['without access to the camera', () => ({ rights })],
      ['without the right to alerts', () => ({ rights: ['editCamera'] as const, allCameras: true })],
    ])('%s nothing is told', async (_, given) => {
      await person(given())
      await happens('motion')
      expect(subjectsOf(await tell())).toEqual([])
    })

    test('who loses the camera before the alert is written is told nothing', async () => {
      const { userId } = await person({ rights: [...rights, 'playback'], cameraIds: [door] })
      await happens('motion')
      await notifyEvents(deps)
      await api.owner.plain.deleteFrom('user_cameras').where('user_id', '=', userId).execute()
      expect(subjectsOf(await tell())).toEqual([])
      expect(asked).toEqual([])
    })
  })

  test('an alert without footage is sent without a picture', async () => {
    deps = { ...deps, media: { recordedPicture: () => Promise.reject(new Error('the worker is away')) } }
    await happens('motion')
    expect(subjectsOf(await tell())).toEqual(['Motion at Door'])
  })

  test('a camera that is back online is told after an outage that was long enough', async () => {
    await want('cameraUp', { alertDelay: 5 })
    const outage = async (minutes: number) => {
      await happens('cameraOffline', door, clock.now() - minutes * MS_PER_MINUTE, clock.now())
      await happens('cameraOnline', door, clock.now(), clock.now())
    }
    await outage(4)
    expect(subjectsOf(await tell())).toEqual([])
    clock.advance(1000)
    await outage(5)
    expect(subjectsOf(await tell())).toEqual(['Door is back online'])
  })

  test('the end of an event and a mark of a user cause no second alert', async () => {
    await happens('motion')
    await tell()
    const events = api.owner.plain.updateTable('events').where('account_id', '=', owner.accountId)
    await events.set({ ended_at: instant(clock.now() + 5000), is_read: true }).execute()
    expect(subjectsOf(await later(60))).toEqual([])
  })

  test('a process that dies at any step loses nothing and repeats nothing', async () => {
    await happens('motion')
    const dies = () => Promise.reject(new Error('the process ends here'))
    const dying = { ...deps, ids: { next: dies } as unknown as EventAlertDeps['ids'] }
    await notifyEvents(dying)
    await notifyEvents(deps)
    await runJobs(database.connection, alertWritingTasks({ ...deps, outbox: { add: dies } }))
    await api.owner.plain
      .updateTable('alert_messages')
      .set({ created_at: instant(clock.now()) })
      .execute()
    const { bringForward } = await import('@sightline/platform/jobs/testing')
    await bringForward(database.db('owner'))
    expect(subjectsOf(await tell())).toEqual(['Motion at Door'])
    expect(subjectsOf(await tell())).toEqual([])
  })

  test('nothing is queued where nobody wants to be told', async () => {
    await want('motion', { enabled: false })
    await happens('motion')
    expect(await api.owner.plain.selectFrom('alert_events').selectAll().execute()).toEqual([])
  })
})
