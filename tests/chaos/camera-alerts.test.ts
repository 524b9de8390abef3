/**
 * A camera that fails, from its socket to what people get: a simulated camera, the media worker that looks for it, the job
 * that tells, a mail server and a push service that decrypts. Only the hours pass by hand.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ManualClock, MS_PER_HOUR, MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { idSource } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { runJobs } from '@sightline/platform/jobs/testing'
import { silentLogger } from '@sightline/platform/log'
import { smtpDelivery } from '@sightline/platform/mail'
import { type SmtpReceiver, sendMails, startSmtpReceiver } from '@sightline/platform/mail/testing'
import { type PushReceiver, startPushReceiver } from '@sightline/platform/web-push/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SimulatedCamera, type Simulator, startCameras } from '../../camera-simulator/src/index.ts'
import { alertParts } from '../../server/api/src/alerts-testing.ts'
import { type TestApi, testApi } from '../../server/api/src/api-testing.ts'
import { tellDue } from '../../server/api/src/notification-settings/alerts/index.ts'
import { pushTasks } from '../../server/api/src/push-devices/index.ts'
import { pushTesting } from '../../server/api/src/push-devices/push-testing.ts'
import { openMediaWorker } from '../../server/media/src/control/index.ts'

const clip = (name: string): string => new URL(`../../camera-simulator/test-clips/${name}`, import.meta.url).pathname
const account = { username: 'admin', password: 'secret' }
const clips = {
  main: { path: clip('main.h264'), framesPerSecond: 25 },
  sub: { path: clip('sub.h264'), framesPerSecond: 10 },
}
const patience = { timeout: 30_000 }

let database: TestDatabase
let api: TestApi
let simulator: Simulator
let camera: SimulatedCamera
let inbox: SmtpReceiver
let browser: PushReceiver
let store: string
let clock: ManualClock
let cameraId: number
let token: string

beforeAll(async () => {
  database = await testDatabase()
  api = await testApi({ open: async () => database })
  inbox = await startSmtpReceiver()
  browser = await startPushReceiver()
  store = await mkdtemp(join(tmpdir(), 'sightline-alerts-'))
  clock = manualClock(Date.now())
  simulator = await startCameras({ cameras: [{ name: 'Door', mac: '00:1b:44:11:3a:b7', ...account, clips }] })
  const [only] = simulator.cameras
  if (only === undefined) throw new Error('no camera')
  camera = only
  const owner = await api.addAccount({ email: 'ada@video.example' })
  token = owner.token
  cameraId = await api.addCamera(owner.accountId, owner.zoneId, 'Front door')
  const place = { accountId: owner.accountId, table: 'cameras', row: cameraId, column: 'password_sealed' }
  await api.owner.plain
    .updateTable('cameras')
    .set({
      address: '127.0.0.1',
      rtsp_port: camera.address.rtspPort,
      username: account.username,
      password_sealed: sealing.seal(place, account.password),
    })
    .where('camera_id', '=', cameraId)
    .execute()
  await api.call(token, 'PUT users/self/pushDevices', { platform: 'web', subscription: browser.subscribe() })
  const wanted = { enabled: true, alertByEmail: true, alertByPush: true, alertDelay: 60, alertRepeat: 60 }
  expect((await api.call(token, 'PATCH users/self/notificationSettings/cameraDown', wanted)).status).toBe(200)
})
afterAll(async () => {
  await simulator[Symbol.asyncDispose]()
  await inbox[Symbol.asyncDispose]()
  await browser[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
  await rm(store, { recursive: true, force: true })
})

const { sealing, push } = pushTesting({ now: Date.now() })

const openWorker = () =>
  openMediaWorker({
    workerId: 'worker',
    db: database.db('media'),
    leaseDb: database.db('media'),
    ids: idSource(database.db('media')),
    sealing,
    store,
    storeLimitBytes: undefined,
    legalFolder: store,
    cameraNetworks: ['127.0.0.0/8'],
    decoder: undefined,
    streamLimits: { perPerson: undefined, perAccount: undefined },
    socketPath: undefined,
    log: silentLogger,
    now: Date.now,
  })

/** Everything that sends, as two processes do it at once. */
async function tell(): Promise<void> {
  const from = 'no-reply@sender.example'
  const server = { host: '127.0.0.1', port: inbox.port, security: 'off', login: undefined } as const
  const common = { clock, sealing, log: silentLogger }
  const process = async (): Promise<void> => {
    await tellDue(alertParts({ db: database.db('alerts'), clock, seals: sealing }))
    await sendMails(database, { ...common, deliver: smtpDelivery({ server, from }) })
    await runJobs(database.connection, pushTasks({ ...common, db: database.db('alerts'), deliver: push.deliver }))
  }
  await Promise.all([process(), process()])
}

const subjects = () => inbox.mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1])
const titles = () => browser.messages.map(({ text }) => JSON.parse(text).title)
const told = () => ({ mails: subjects(), messages: titles() })
const both = (...all: readonly string[]) => ({ mails: [...all], messages: [...all] })
const status = async () => (await api.call(token, `GET cameras/${cameraId}/status`)).body
const absence = async () => {
  const rows = api.owner.plain.selectFrom('camera_status').select('offline_since').where('camera_id', '=', cameraId)
  return (await rows.executeTakeFirst())?.offline_since ?? null
}

const DOWN = 'Front door is offline'
const STILL = 'Front door is still offline'
const BACK = 'Front door is back online'

test('a camera that fails is told of once by mail and once in the browser, again after the hour, and when it is back', async () => {
  let worker = await openWorker()
  await expect.poll(async () => (await status()).online, patience).toBe(true)
  await tell()
  expect(told()).toEqual(both())

  await camera.fault({ kind: 'refuse' })
  await expect.poll(absence, patience).not.toBeNull()
  await tell()
  expect(told()).toEqual(both())
  // The clock by hand stood still while the camera was waited for.
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

  // A restart of the video plane is neither the end of an absence nor the beginning of another.
  const since = await absence()
  await worker[Symbol.asyncDispose]()
  worker = await openWorker()
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

test('a camera that is there when the product stops is not told of for the time that nobody looked', async () => {
  const worker = await openWorker()
  await expect.poll(async () => (await status()).online, patience).toBe(true)
  await worker[Symbol.asyncDispose]()
  expect((await status()).online).toBe(false)
  expect(await absence()).toBeNull()
  const before = told()
  clock.advance(24 * MS_PER_HOUR)
  await tell()
  expect(told()).toEqual(before)
}, 60_000)
