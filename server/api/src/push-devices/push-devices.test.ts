import { MAX_PUSH_DEVICES } from '@sightline/contract/push-devices'
import { type PushReceiver, startPushReceiver } from '@sightline/platform/web-push/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { pushDevices } from './index.ts'

let api: TestApi
let receiver: PushReceiver
beforeAll(async () => {
  api = await testApi({ slices: [pushDevices] })
  receiver = await startPushReceiver()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const given = (subscription = receiver.subscribe()) => ({ platform: 'web', locale: 'nl', subscription })
const put = (token: string, body: object = given()) => api.call(token, 'PUT users/self/pushDevices', body)
const list = async (token: string) => (await api.call(token, 'GET users/self/pushDevices')).body

test('a browser that registers repeatedly stays one device', async () => {
  const { accountId, token } = await api.addAccount()
  const browser = given()
  const first = await put(token, browser)
  expect(first).toMatchObject({ status: 200, body: browser })
  const again = await put(token, { ...browser, appVersion: '2' })
  expect(again.body.pushDeviceId).toBe(first.body.pushDeviceId)
  expect(await list(token)).toEqual([
    { platform: 'web', locale: 'nl', appVersion: '2', ...datesOf(again.body), pushDeviceId: first.body.pushDeviceId },
  ])
  const row = await api.owner.plain
    .selectFrom('push_devices')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const stored = JSON.stringify(
    Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value)),
  )
  expect(stored).not.toContain(browser.subscription.endpoint)
  expect(stored).not.toContain(browser.subscription.keys.auth)
})

const datesOf = ({ createdAt, seenAt }: { createdAt: string; seenAt: string }) => ({ createdAt, seenAt })

test('a browser belongs to the user who signed in last, in any account', async () => {
  const [one, other] = [await api.addAccount(), await api.addAccount()]
  const browser = given()
  await put(one.token, browser)
  await put(other.token, browser)
  expect(await list(one.token)).toEqual([])
  expect(await list(other.token)).toHaveLength(1)
})

test(`beyond ${MAX_PUSH_DEVICES} browsers the least recently seen is removed, even when many register at once`, async () => {
  const { token } = await api.addAccount()
  const first = await put(token)
  api.now += 1000
  await Promise.all(Array.from({ length: MAX_PUSH_DEVICES + 4 }, () => put(token)))
  const devices: { pushDeviceId: number }[] = await list(token)
  expect(devices).toHaveLength(MAX_PUSH_DEVICES)
  expect(devices.map(({ pushDeviceId }) => pushDeviceId)).not.toContain(first.body.pushDeviceId)
})

test.each([
  ['a service without TLS elsewhere', { endpoint: 'ftp://push.example/x' }, 'subscription.endpoint'],
  ['a secret in the address', { endpoint: 'https://me:secret@push.example/x' }, 'subscription.endpoint'],
  [
    'a key that isn’t a point on the curve',
    { keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) } },
    'subscription.keys.p256dh',
  ],
])('%s is refused with code 3', async (_, over, field) => {
  const { token } = await api.addAccount()
  const answer = await put(token, { platform: 'web', subscription: { ...receiver.subscribe(), ...over } })
  expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [{ field }] } })
  expect(await list(token)).toEqual([])
})

test('a short secret is refused with code 3', async () => {
  const { token } = await api.addAccount()
  const { endpoint, keys } = receiver.subscribe()
  const answer = await put(token, { platform: 'web', subscription: { endpoint, keys: { ...keys, auth: 'AAAA' } } })
  expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
})

test('only its own user can remove a device', async () => {
  const { accountId, token } = await api.addAccount()
  const { body } = await put(token)
  const colleague = await api.addSubUser(accountId, { rights: ['editCamera'], allCameras: true })
  const path = `users/self/pushDevices/${body.pushDeviceId}`
  for (const call of [`DELETE ${path}`, `POST ${path}/test`]) {
    expect(await api.call(colleague.token, call)).toMatchObject({ status: 404, body: { code: 4 } })
  }
  expect((await api.call(token, `DELETE ${path}`)).status).toBe(204)
  expect(await api.call(token, `DELETE ${path}`)).toMatchObject({ status: 404 })
})

describe('a test message', () => {
  const tried = async () => {
    const { token } = await api.addAccount()
    const { body } = await put(token)
    return { token, call: `POST users/self/pushDevices/${body.pushDeviceId}/test` }
  }

  test('arrives in the recipient’s language, at most once in ten seconds', async () => {
    const { token, call } = await tried()
    const before = receiver.messages.length
    expect((await api.call(token, call)).status).toBe(204)
    const [message] = receiver.messages.slice(before)
    expect(JSON.parse(message?.text ?? '')).toMatchObject({
      title: 'Notifications are working',
      path: '/app/',
      language: 'en',
    })
    const again = await api.call(token, call)
    expect(again).toMatchObject({ status: 429, body: { code: 16 } })
    expect(again.headers.get('retry-after')).toBe('10')
    api.now += 10_000
    expect((await api.call(token, call)).status).toBe(204)
    expect(receiver.messages).toHaveLength(before + 2)
  })

  test('that fails returns code 20 for any reason, and an expired browser is removed', async () => {
    const { token, call } = await tried()
    const details: string[] = []
    for (const status of [500, 403]) {
      receiver.answer(status)
      const answer = await api.call(token, call)
      expect(answer).toMatchObject({ status: 502, body: { code: 20 } })
      details.push(answer.body.detail)
      api.now += 10_000
    }
    expect(new Set(details).size).toBe(1)
    receiver.answer(410)
    expect(await api.call(token, call)).toMatchObject({ status: 404 })
    expect(await list(token)).toEqual([])
    receiver.answer(201)
  })
})

test('support sessions, API keys and demo users can’t register a browser', async () => {
  const { accountId, token } = await api.addAccount()
  for (const kind of ['support', 'apiKey'] as const) {
    const other = await api.addToken({ accountId, userId: accountId }, kind)
    expect(await put(other)).toMatchObject({ status: 403, body: { code: 9 } })
  }
  const demo = await api.addSubUser(accountId, { rights: ['demoUser', 'editCamera'] })
  expect(await put(demo.token)).toMatchObject({ status: 403 })
  expect((await api.call(token, 'GET users/self/supportedSettings/push')).body.applicationServerKey).toMatch(
    /^B[\w-]{86}$/,
  )
})
