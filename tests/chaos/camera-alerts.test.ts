/**
 * A failing camera, from its socket to the alerts: a simulated camera, the media worker that connects to it, the alert
 * job, a mail server and a push service that decrypts. Only the clock is manual.
 */
import { type ManualClock, MS_PER_HOUR, MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { runJobs } from '@sightline/platform/jobs/testing'
import { silentLogger } from '@sightline/platform/log'
import { smtpDelivery } from '@sightline/platform/mail'
import { type SmtpReceiver, sendMails, startSmtpReceiver } from '@sightline/platform/mail/testing'
import { type PushReceiver, startPushReceiver } from '@sightline/platform/web-push/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertDeps } from '../../server/api/src/alerts-testing.ts'
import { notifyDue } from '../../server/api/src/notification-settings/alerts/index.ts'
import { pushTasks } from '../../server/api/src/push-devices/index.ts'
import { pushTesting } from '../../server/api/src/push-devices/push-testing.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const patience = { timeout: 30_000 }

let watched: WatchedCamera
let inbox: SmtpReceiver
let browser: PushReceiver
let clock: ManualClock

beforeAll(async () => {
  watched = await watchedCamera({ email: 'ada@video.example' })
  inbox = await startSmtpReceiver()
  browser = await startPushReceiver()
  clock = manualClock(Date.now())
  const { api, token } = watched
  await api.call(token, 'PUT users/self/pushDevices', { platform: 'web', subscription: browser.subscribe() })
  const wanted = { enabled: true, alertByEmail: true, alertByPush: true, alertDelay: 60, alertRepeat: 60 }
  expect((await api.call(token, 'PATCH users/self/notificationSettings/cameraDown', wanted)).status).toBe(200)
})
afterAll(async () => {
  await inbox[Symbol.asyncDispose]()
  await browser[Symbol.asyncDispose]()
  await watched[Symbol.asyncDispose]()
})

const { push } = pushTesting({ now: Date.now() })

/** Runs everything that sends, as two concurrent processes would. */
async function tell(): Promise<void> {
  const from = 'no-reply@sender.example'
  const server = { host: '127.0.0.1', port: inbox.port, security: 'off', login: undefined } as const
  const { database, encryption } = watched
  const common = { clock, encryption, log: silentLogger }
  const process = async (): Promise<void> => {
    await notifyDue(alertDeps({ db: database.db('alerts'), clock, seals: encryption }))
    await sendMails(database, { ...common, deliver: smtpDelivery({ server, from }) })
    await runJobs(database.connection, pushTasks({ ...common, db: database.db('alerts'), deliver: push.deliver }))
  }
  await Promise.all([process(), process()])
}

const subjects = () => inbox.mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1])
const titles = () => browser.messages.map(({ text }) => JSON.parse(text).title)
const told = () => ({ mails: subjects(), messages: titles() })
const both = (...all: readonly string[]) => ({ mails: [...all], messages: [...all] })
const status = async () => (await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/status`)).body
const absence = async () => {
  const { api, cameraId } = watched
  const rows = api.owner.plain.selectFrom('camera_status').select('offline_since').where('camera_id', '=', cameraId)
  return (await rows.executeTakeFirst())?.offline_since ?? null
}

const DOWN = 'Front door is offline'
const STILL = 'Front door is still offline'
const BACK = 'Front door is back online'

test('a failing camera causes one email and one browser notification, again after an hour, and when it is back', async () => {
  const { camera, cameraId } = watched
  let worker = await watched.openWorker()
  await expect.poll(async () => (await status()).online, patience).toBe(true)
  await tell()
  expect(told()).toEqual(both())

  await camera.fault({ kind: 'refuse' })
  await expect.poll(absence, patience).not.toBeNull()
  await tell()
  expect(told()).toEqual(both())
  // The manual clock stood still during the wait for the camera.
  clock.advance(MS_PER_HOUR + MS_PER_MINUTE)
  await tell()
  await tell()
  expect(told()).toEqual(both(DOWN))
  const [mail] = inbox.mails
  expect(mail?.to).toEqual(['ada@video.example'])
  expect(mail?.raw.replaceAll(/=\n/g, '')).toContain(`https://video.example/app/cameras/${cameraId}`)
  const [message] = browser.messages
  expect(JSON.parse(message?.text ?? '')).toMatchObject({
    path: `/app/cameras/${cameraId}`,
    tag: `camera-${cameraId}`,
    language: 'en',
  })
  expect(message?.headers.topic).toBe(`camera-${cameraId}`)

  // A restart of the media worker neither ends an absence nor starts another.
  const since = await absence()
  await worker[Symbol.asyncDispose]()
  worker = await watched.openWorker()
  await expect.poll(async () => (await status()).lastConnectionResult, patience).toBe('unreachable')
  await tell()
  expect(await absence()).toBe(since)
  expect(told()).toEqual(both(DOWN))

  clock.advance(MS_PER_HOUR)
  await tell()
  await tell()
  expect(told()).toEqual(both(DOWN, STILL))

  await camera.heal()
  await expect.poll(async () => (await status()).online, patience).toBe(true)
  await tell()
  await tell()
  expect(told()).toEqual(both(DOWN, STILL, BACK))
  clock.advance(24 * MS_PER_HOUR)
  await tell()
  expect(told()).toEqual(both(DOWN, STILL, BACK))
  await worker[Symbol.asyncDispose]()
}, 120_000)

test('a camera that is online when the product stops causes no notification for the time in between', async () => {
  const worker = await watched.openWorker()
  await expect.poll(async () => (await status()).online, patience).toBe(true)
  await worker[Symbol.asyncDispose]()
  expect((await status()).online).toBe(false)
  expect(await absence()).toBeNull()
  const before = told()
  clock.advance(24 * MS_PER_HOUR)
  await tell()
  expect(told()).toEqual(before)
}, 60_000)
