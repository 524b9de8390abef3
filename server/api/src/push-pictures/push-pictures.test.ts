import { type ManualClock, MS_PER_HOUR, MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { runJobs } from '@sightline/platform/jobs/testing'
import { silentLogger } from '@sightline/platform/log'
import { type PushReceiver, startPushReceiver } from '@sightline/platform/web-push/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { alertDeps } from '../alerts-testing.ts'
import { cameras } from '../cameras/index.ts'
import { alertWritingTasks, notifyEvents } from '../notification-settings/event-alerts/index.ts'
import { notificationSettings } from '../notification-settings/index.ts'
import { pushDevices, pushTasks } from '../push-devices/index.ts'
import { pushTesting } from '../push-devices/push-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { pushPictures } from './index.ts'

const JPEG = 'a picture of the door'
const testing = pushTesting({ now: Date.now() })

let database: TestDatabase
let api: TestApi
let browser: PushReceiver
let clock: ManualClock
let asked: { cameraId: number; at: number; format: string }[] = []
let refusal: 'noFootage' | 'noDecoder' | 'timedOut' | undefined
beforeAll(async () => {
  database = await testDatabase()
  browser = await startPushReceiver()
  const media = {
    async recordedPicture(question: { cameraId: number; at: number; format: string }) {
      asked.push(question)
      if (refusal !== undefined) return { kind: refusal }
      return { kind: 'picture', contentType: 'image/jpeg', bytes: Buffer.from(JPEG), takenAt: question.at } as const
    },
  }
  const slices = [cameras, notificationSettings, pushDevices, pushPictures]
  api = await testApi({ slices, open: async () => database, media })
})
afterAll(async () => {
  await browser[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})
beforeEach(() => {
  clock = manualClock(Math.floor(Date.now() / MS_PER_HOUR) * MS_PER_HOUR)
  // A token lasts ten minutes of this clock.
  api.now = clock.now()
  asked = []
  refusal = undefined
})

interface Watcher {
  readonly accountId: number
  readonly userId: number
  readonly token: string
  readonly door: number
}

const setting = (token: string, body: object) =>
  api.call(token, 'PATCH users/self/notificationSettings/motion', { enabled: true, alertByEmail: false, ...body })

/** A sub-user with those rights, who is notified about motion at a door in one browser. */
async function watcher(
  rights: readonly string[] = ['editCamera', 'receiveCameraAlerts', 'playback'],
): Promise<Watcher> {
  const { accountId, zoneId } = await api.addAccount()
  const door = await api.addCamera(accountId, zoneId, 'Door')
  const user = await api.addSubUser(accountId, { rights: rights as ['editCamera'], cameraIds: [door] })
  expect((await setting(user.token, { alertByPush: true })).status).toBe(200)
  const subscription = browser.subscribe()
  const put = await api.call(user.token, 'PUT users/self/pushDevices', { platform: 'web', subscription })
  expect(put.status).toBe(200)
  return { accountId, userId: user.userId, token: user.token, door }
}

let counter = 0

/** Motion at the door, until the browser has the message. */
async function message({ accountId, door }: Watcher): Promise<{ title: string; pictureToken?: string }> {
  const source = { source_kind: 'camera', source_id: door, source_name: 'Door', camera_id: door } as const
  const event = { account_id: accountId, at: instant(clock.now()), type: 'motion', once_key: `motion ${++counter}` }
  await database
    .db('media')
    .plain.insertInto('events')
    .values({ ...event, ...source })
    .execute()
  const before = browser.messages.length
  const db = database.db('alerts')
  const deps = alertDeps({ db, clock, seals: testing.encryption })
  await notifyEvents(deps)
  await runJobs(database.connection, alertWritingTasks(deps))
  const { deliver } = testing.push
  await runJobs(
    database.connection,
    pushTasks({ db, clock, encryption: testing.encryption, log: silentLogger, deliver }),
  )
  expect(browser.messages).toHaveLength(before + 1)
  return JSON.parse(browser.messages[before]?.text ?? '')
}

const fetchPicture = (pictureToken: string | undefined) => api.call(pictureToken ?? 'none', 'GET pushPicture')

test('a browser gets the picture of a message with the token in it, and nobody stores either', async () => {
  const user = await watcher()
  const { title, pictureToken } = await message(user)
  expect(title).toBe('Motion at Door')
  const reply = await fetchPicture(pictureToken)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('image/jpeg')
  expect(reply.headers.get('cache-control')).toContain('no-store')
  expect(asked).toMatchObject([{ cameraId: user.door, at: clock.now(), format: 'jpeg' }])
  // The same message may be delivered twice.
  expect((await fetchPicture(pictureToken)).status).toBe(200)
})

test.each([
  [
    'the user loses the right to play recordings',
    async ({ userId }: Watcher) => setRights(userId, ['editCamera', 'receiveCameraAlerts']),
  ],
  ['the user loses the right to alerts', async ({ userId }: Watcher) => setRights(userId, ['editCamera', 'playback'])],
  [
    'the user loses the camera',
    async ({ userId }: Watcher) =>
      void (await api.owner.plain.deleteFrom('user_cameras').where('user_id', '=', userId).execute()),
  ],
  [
    'the user is blocked',
    async ({ userId }: Watcher) =>
      void (await api.owner.plain.updateTable('users').set({ blocked: true }).where('user_id', '=', userId).execute()),
  ],
  [
    'the browser is turned off',
    async ({ userId }: Watcher) =>
      void (await api.owner.plain.deleteFrom('push_devices').where('user_id', '=', userId).execute()),
  ],
  [
    'the user wants no pictures',
    async ({ token }: Watcher) => void (await setting(token, { includePicture: false, alertByPush: true })),
  ],
  [
    'ten minutes pass',
    async () => {
      api.now = clock.now() + 10 * MS_PER_MINUTE
    },
  ],
])('once %s, the token is worth nothing', async (_, change) => {
  const user = await watcher()
  const { pictureToken } = await message(user)
  const before = api.now
  await change(user)
  const reply = await fetchPicture(pictureToken)
  api.now = before
  expect(reply).toMatchObject({ status: 404, body: { code: 4 } })
  expect(asked).toEqual([])
})

test.each([
  ['noFootage', 404, 4],
  ['noDecoder', 422, 17],
  ['timedOut', 504, 19],
] as const)(
  'footage that was deleted meanwhile, or that can’t be shown, has no picture: %s',
  async (kind, status, code) => {
    const { pictureToken } = await message(await watcher())
    refusal = kind
    expect(await fetchPicture(pictureToken)).toMatchObject({ status, body: { code } })
  },
)

test.each([
  ['may not play recordings', ['editCamera', 'receiveCameraAlerts'], {}],
  ['wants no pictures', ['editCamera', 'receiveCameraAlerts', 'playback'], { includePicture: false }],
])('the message of a user who %s has no token', async (_, rights, patch) => {
  const user = await watcher(rights)
  await setting(user.token, { alertByPush: true, ...patch })
  expect(await message(user)).not.toHaveProperty('pictureToken')
})

test('tokens that are made up, cut, of another account or message, or without a name are refused', async () => {
  const [user, other] = [await watcher(), await watcher()]
  const token = (await message(user)).pictureToken ?? ''
  const [account = '', id = '', sealed = ''] = token.split('-')
  const rest = token.slice(account.length + id.length + 2)
  const forged = [
    'none',
    `${other.accountId}-${id}-${rest}`,
    `${account}-${Number(id) + 1}-${rest}`,
    token.slice(0, -4),
    `${account}-${id}-${'A'.repeat(120)}`,
    `9999999999999999-${id}-${sealed}`,
  ]
  for (const each of forged) expect(await fetchPicture(each), each).toMatchObject({ status: 404, body: { code: 4 } })
  expect(asked).toEqual([])
})

test('one browser gets so many pictures, and then has to wait', async () => {
  const { pictureToken } = await message(await watcher())
  const replies = await Promise.all(Array.from({ length: 30 }, () => fetchPicture(pictureToken)))
  const statuses = replies.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(22)
  expect(statuses).toContain(429)
})

async function setRights(userId: number, rights: readonly string[]): Promise<void> {
  await api.owner.plain
    .updateTable('users')
    .set({ rights: rights as ['editCamera'] })
    .where('user_id', '=', userId)
    .execute()
}
