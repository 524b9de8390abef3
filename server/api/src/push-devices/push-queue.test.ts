import { type ManualClock, MS_PER_DAY, manualClock } from '@sightline/platform/clock'
import { idSource } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { bringForward, listJobs, runJobs } from '@sightline/platform/jobs/testing'
import { silentLogger } from '@sightline/platform/log'
import { type PushReceiver, startPushReceiver } from '@sightline/platform/web-push/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { pushDevices, pushQueue, pushTasks } from './index.ts'
import { pushTesting } from './push-testing.ts'

const { push, encryption } = pushTesting({ now: Date.now() })
const payload = { title: 'Door is offline', body: '', path: '/app/', tag: 'camera-1', language: 'en' }

let database: TestDatabase
let api: TestApi
let receiver: PushReceiver
let clock: ManualClock
let accountId: number
let userId: number
let pushDeviceId: number

beforeAll(async () => {
  database = await testDatabase()
  api = await testApi({ slices: [pushDevices], open: async () => database })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(async () => {
  receiver = await startPushReceiver()
  clock = manualClock(Date.now())
  const account = await api.addAccount()
  accountId = account.accountId
  userId = accountId
  const given = { platform: 'web', subscription: receiver.subscribe() }
  pushDeviceId = (await api.call(account.token, 'PUT users/self/pushDevices', given)).body.pushDeviceId
  return () => receiver[Symbol.asyncDispose]()
})

const db = () => database.db('alerts')
const put = () => {
  const queue = pushQueue({ ids: idSource(db()), encryption, clock })
  const message = { accountId, userId, pushDeviceId, payload, topic: 'camera-1', uselessAt: clock.now() + MS_PER_DAY }
  return db().transaction((tx) => queue.add(tx, message))
}
const send = (deliver = push.deliver) =>
  runJobs(database.connection, pushTasks({ db: db(), encryption, clock, log: silentLogger, deliver }))
const jobs = () => listJobs(database.db('owner'), 'sendPush')
const waiting = async () => {
  const rows = api.owner.plain.selectFrom('push_messages').selectAll().where('account_id', '=', accountId)
  return rows.execute()
}
const devices = async () =>
  (await api.owner.plain.selectFrom('push_devices').selectAll().where('account_id', '=', accountId).execute()).length

test('a message is sent once, however many processes look for it, and then deleted', async () => {
  await put()
  expect(JSON.stringify((await waiting())[0]?.content_sealed.toString('latin1'))).not.toContain('Door')
  await Promise.all(Array.from({ length: 4 }, () => send()))
  expect(receiver.messages.map(({ text }) => JSON.parse(text))).toEqual([payload])
  expect(receiver.messages[0]?.headers.ttl).toBe('86400')
  expect(await waiting()).toEqual([])
})

test('a failed message is retried when the push service says, and dropped in the end', async () => {
  await put()
  receiver.answer(503, { 'retry-after': '120' })
  await send()
  await send()
  expect(receiver.asked()).toBe(1)
  const [job] = await jobs()
  expect(Math.abs((job?.waitS ?? 0) - 120)).toBeLessThan(30)
  receiver.answer(201)
  await bringForward(database.db('owner'))
  await send()
  expect(receiver.messages).toHaveLength(1)
  await put()
  receiver.answer(503)
  clock.advance(MS_PER_DAY)
  await send()
  expect(await waiting()).toEqual([])
  expect(await jobs()).toEqual([])
  expect(await devices()).toBe(1)
})

test.each([404, 410])('an expired browser (%i) is removed with all its waiting messages', async (status) => {
  await put()
  await put()
  receiver.answer(status)
  await send()
  expect(await waiting()).toEqual([])
  expect(await devices()).toBe(0)
})

test("a permanently rejected message isn't sent again, and the browser stays", async () => {
  await put()
  receiver.answer(413)
  await send()
  expect(await waiting()).toEqual([])
  expect(await devices()).toBe(1)
})

test('a message whose process ended is sent by another', async () => {
  await put()
  await send(() => Promise.reject(new Error('killed')))
  expect(await waiting()).toHaveLength(1)
  await bringForward(database.db('owner'))
  await send()
  expect(receiver.messages).toHaveLength(1)
  expect(await waiting()).toEqual([])
})
