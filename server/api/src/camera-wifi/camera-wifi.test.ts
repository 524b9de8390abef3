import type { CameraCommandAnswer, CameraCommandQuestion } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answeringCameras } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraWifi } from './index.ts'

let api: TestApi
let answer: CameraCommandAnswer
let failure: CameraCommandAnswer | undefined
const asked: CameraCommandQuestion[] = []
const home = { enabled: true, state: 'connected', currentSsid: 'Home', failedSsid: null } as const
beforeAll(async () => {
  const command = answeringCameras((question) => {
    asked.push(question)
    if (failure !== undefined) return failure
    if (question.name === 'readWifi') return { kind: 'done', output: home }
    return answer
  })
  api = await testApi({ slices: [cameraWifi], media: { command } })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  asked.length = 0
  failure = undefined
  answer = { kind: 'done', output: { kind: 'accepted', wifi: { ...home, state: 'switching' } } }
})

async function oneCamera() {
  const account = await api.addAccount()
  const cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
  return { ...account, cameraId, path: `cameras/${cameraId}/wifi` }
}
const entries = (accountId: number) =>
  api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()

test('a network is joined with its password, which reaches the camera and nothing else', async () => {
  const { accountId, token, cameraId, path } = await oneCamera()
  const reply = await api.call(token, `PUT ${path}/networks/Caf%C3%A9%20%2F1`, { password: 'espresso 2 go' })
  expect(reply.status).toBe(204)
  const input = { kind: 'join', ssid: 'Café /1', password: 'espresso 2 go' }
  expect(asked).toEqual([{ cameraId, name: 'changeWifi', input }])
  const log = await entries(accountId)
  expect(log).toMatchObject([{ action: 'putWifiNetwork', target_id: cameraId, after: { ssid: 'Café /1' } }])
  const events = await api.owner.plain.selectFrom('events').selectAll().execute()
  expect(JSON.stringify([log, events, reply.body])).not.toContain('espresso')
})

test.each([
  ['notVisible', 409, 6],
  ['isCurrent', 409, 6],
  ['notKnown', 404, 4],
  ['needsPassword', 400, 3],
  ['securityUnsupported', 422, 11],
] as const)('what the camera can’t do (%s) is an error and not in the audit log', async (kind, status, code) => {
  const { accountId, token, path } = await oneCamera()
  answer = { kind: 'done', output: { kind } }
  const request = kind === 'isCurrent' || kind === 'notKnown' ? 'DELETE' : 'PUT'
  const body = request === 'PUT' ? {} : undefined
  expect(await api.call(token, `${request} ${path}/networks/Home`, body)).toMatchObject({ status, body: { code } })
  expect(await entries(accountId)).toEqual([])
})

test('Wi-Fi is switched off once: what is so already asks the camera for nothing', async () => {
  const { accountId, token, path } = await oneCamera()
  expect(await api.call(token, `PATCH ${path}`, { enabled: true })).toMatchObject({ status: 200, body: home })
  expect(asked.map(({ name }) => name)).toEqual(['readWifi'])
  answer = { kind: 'done', output: { kind: 'accepted', wifi: { ...home, enabled: false, state: 'disabling' } } }
  const off = { enabled: false, state: 'disabling' }
  expect(await api.call(token, `PATCH ${path}`, { enabled: false })).toMatchObject({ status: 200, body: off })
  expect(await entries(accountId)).toMatchObject([{ before: { enabled: true }, after: { enabled: false } }])
})

test('an offline camera is code 18, a bad password code 3, and a camera without Wi-Fi code 11', async () => {
  const { token, path } = await oneCamera()
  answer = { kind: 'cameraOffline' }
  expect(await api.call(token, `GET ${path}/networks?scan=true`)).toMatchObject({ status: 424, body: { code: 18 } })
  answer = { kind: 'unsupported' }
  expect(await api.call(token, `GET ${path}/networks`)).toMatchObject({ status: 422, body: { code: 11 } })
  const short = await api.call(token, `PUT ${path}/networks/Home`, { password: 'seven77' })
  expect(short).toMatchObject({ status: 400, body: { code: 3 } })
})

test.each([
  ['unsupported', 422, 11],
  ['credentialsIncorrect', 424, 12],
  ['rejected', 424, 13],
  ['cameraOffline', 424, 18],
  ['timedOut', 504, 19],
] as const)('what a camera answers is told by each call: %s', async (kind, status, code) => {
  const { token, path } = await oneCamera()
  failure = { kind }
  for (const [call, body] of [
    [`GET ${path}`],
    [`PATCH ${path}`, { enabled: false }],
    [`GET ${path}/networks`],
    [`PUT ${path}/networks/Home`, { password: 'long enough' }],
    [`DELETE ${path}/networks/Home`],
  ] as const)
    expect([call, await api.call(token, call, body)]).toMatchObject([call, { status, body: { code } }])
})

test('a wish that is none is code 3', async () => {
  const { token, path } = await oneCamera()
  for (const [call, body] of [[`GET ${path}/networks?scan=perhaps`], [`PATCH ${path}`, { enabled: 'yes' }]] as const)
    expect([call, await api.call(token, call, body)]).toMatchObject([call, { status: 400, body: { code: 3 } }])
  expect(asked).toEqual([])
})

test('nothing is asked of a camera of another account, nor without the right editCamera', async () => {
  const { accountId, cameraId, path } = await oneCamera()
  const other = await api.addAccount()
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView'], cameraIds: [cameraId] })
  for (const call of [
    `GET ${path}`,
    `PATCH ${path}`,
    `GET ${path}/networks`,
    `PUT ${path}/networks/A`,
    `DELETE ${path}/networks/A`,
  ]) {
    const body = call.startsWith('P') ? {} : undefined
    expect([call, (await api.call(viewer.token, call, body)).status]).toEqual([call, 403])
    expect([call, (await api.call(other.token, call, body)).status]).toEqual([call, 404])
  }
  expect(asked).toEqual([])
})
