import type { CameraCommandAnswer, CameraCommandQuestion, ListedUser } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { commonFailures, newUser, userCalls } from '../camera-users/failures-testing.ts'
import { devices } from '../devices/index.ts'
import { reportDevice } from '../devices-testing-store.ts'
import { answeringCameras } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { deviceUsers } from './index.ts'

let api: TestApi
let listed: readonly ListedUser[]
let failure: CameraCommandAnswer | undefined
let answer: CameraCommandAnswer<'changeUsers'> | undefined
/** Delays the answer to a change. */
let hold: (() => Promise<void>) | undefined
const asked: CameraCommandQuestion[] = []
const admin: ListedUser = { username: 'admin', level: 'administrator' }
const guard: ListedUser = { username: 'guard', level: 'operator' }

beforeAll(async () => {
  const command = answeringCameras((question) => {
    asked.push(question)
    if (failure !== undefined) return failure
    return question.name === 'readUsers' ? { kind: 'done', output: listed } : (answer ?? { kind: 'rejected' })
  })
  api = await testApi({
    slices: [devices, deviceUsers],
    media: {
      async command(question) {
        const reply = await command(question)
        if (question.name === 'changeUsers') await hold?.()
        return reply
      },
    },
  })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  asked.length = 0
  failure = undefined
  listed = [admin, guard]
  answer = undefined
})

const changed = (...users: readonly ListedUser[]) => ({ kind: 'done', output: { kind: 'changed', users } }) as const
async function oneRecorder() {
  const account = await api.addAccount()
  const { accountId, zoneId } = account
  const given = { name: 'Attic', zoneId, address: '192.0.2.61', username: 'admin', password: 'topsecret' }
  const deviceId: number = (await api.call(account.token, 'POST devices', given)).body.deviceId
  await reportDevice(api, { accountId, deviceId })
  const path = `devices/${deviceId}/connection/users`
  const call = (request: string, body?: object, token = account.token) => {
    const [method, name = ''] = request.split(' ')
    return api.call(token, `${method} ${path}${name}`, body)
  }
  const log = async () => {
    const all = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId)
    return (await all.execute()).filter(({ action }) => action !== 'postDevice')
  }
  return { ...account, deviceId, call, log }
}

test('the users of a recorder are listed as it says, with the one that the server signs in with', async () => {
  const { call } = await oneRecorder()
  expect((await call('GET')).body).toEqual([
    { ...admin, usedByServer: true },
    { ...guard, usedByServer: false },
  ])
})

test('a user is added, changed and removed in the recorder; the password reaches it sealed, and no answer and no log', async () => {
  const { deviceId, call, log } = await oneRecorder()
  answer = changed(admin, guard, { username: 'night', level: 'operator' })
  const added = await call('POST', newUser)
  expect(added).toMatchObject({ status: 201, body: { username: 'night', level: 'operator', usedByServer: false } })
  expect(asked.at(-1)).toMatchObject({
    cameraId: deviceId,
    name: 'changeUsers',
    input: { kind: 'add', username: 'night', level: 'operator', passwordSealed: expect.any(String) },
  })
  answer = changed(admin, { ...guard, level: 'user' })
  expect(await call('PATCH /guard', { level: 'user' })).toMatchObject({ status: 200, body: { level: 'user' } })
  answer = changed(admin)
  expect((await call('DELETE /guard')).status).toBe(204)
  const entries = await log()
  expect(entries.toSorted((one, other) => Number(one.at) - Number(other.at))).toMatchObject([
    { action: 'postDeviceUser', target_kind: 'device', target_id: deviceId, after: { password: 'changed' } },
    { action: 'patchDeviceUser', before: guard, after: { level: 'user' } },
    { action: 'deleteDeviceUser', before: guard, after: null },
  ])
  expect(JSON.stringify([added.body, asked, entries])).not.toContain('correct horse')
})

test('changes of the users and of the sign-in of one recorder take turns', async () => {
  const { call, deviceId, token } = await oneRecorder()
  const other = await oneRecorder()
  const namesFor = (id: number) => asked.filter(({ cameraId }) => cameraId === id).map(({ name }) => name)
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  hold = async () => {
    begun.resolve()
    await held.promise
  }
  answer = changed(admin, { ...guard, level: 'user' })
  const first = call('PATCH /guard', { level: 'user' })
  await begun.promise
  hold = undefined
  const signIn = `devices/${deviceId}/connection/credentials`
  const second = api.call(token, `PATCH ${signIn}`, { password: 'other' })
  // The same change of another recorder, begun later, doesn't wait.
  const path = `devices/${other.deviceId}/connection/credentials`
  await api.call(other.token, `PATCH ${path}`, { password: 'other' })
  expect(namesFor(other.deviceId)).toEqual(['trySignIn'])
  const early = namesFor(deviceId)
  held.resolve()
  expect((await first).status).toBe(200)
  await second
  expect([early, namesFor(deviceId)]).toEqual([
    ['readUsers', 'changeUsers'],
    ['readUsers', 'changeUsers', 'trySignIn'],
  ])
})

test('a recorder whose owner agreed to plain text before is not asked about again', async () => {
  const { deviceId, call, token } = await oneRecorder()
  const device = api.owner.plain.updateTable('devices').where('device_id', '=', deviceId)
  await device.set({ allow_basic: true }).execute()
  const signIn = await api.call(token, `GET devices/${deviceId}/connection/credentials`)
  expect(signIn.body).toMatchObject({ allowBasic: true })
  answer = changed(admin, guard, { username: 'night', level: 'operator' })
  const { allowPlainText: _, ...silent } = newUser
  expect((await call('POST', silent)).status).toBe(201)
})

test('the user that the server signs in with and the last administrator stay as they are', async () => {
  const { call, log } = await oneRecorder()
  expect(await call('DELETE /admin')).toMatchObject({ status: 409, body: { code: 6 } })
  expect(await call('PATCH /admin', { level: 'user' })).toMatchObject({ status: 409, body: { code: 6 } })
  listed = [
    { username: 'admin', level: 'operator' },
    { username: 'boss', level: 'administrator' },
  ]
  expect(await call('DELETE /boss')).toMatchObject({ status: 409, body: { code: 6 } })
  expect(asked.every(({ name }) => name === 'readUsers')).toBe(true)
  expect(await log()).toEqual([])
})

test('a password crosses the network in plain text only with consent', async () => {
  const { deviceId, call } = await oneRecorder()
  const { allowPlainText: _, ...silent } = newUser
  expect(await call('POST', silent)).toMatchObject({ status: 422, body: { code: 11 } })
  const device = api.owner.plain.updateTable('devices').where('device_id', '=', deviceId)
  await device.set({ onvif_secure: true }).execute()
  answer = changed(admin, guard, { username: 'night', level: 'operator' })
  expect((await call('POST', silent)).status).toBe(201)
})

test.each([...commonFailures, ['cameraOffline', 424, 14]] as const)(
  'each call says what is wrong with the recorder: %s',
  async (kind, status, code) => {
    const { call, log } = await oneRecorder()
    failure = { kind }
    for (const [request, body] of userCalls)
      expect([request, await call(request, body)]).toMatchObject([request, { status, body: { code } }])
    expect(await log()).toEqual([])
  },
)

test.each([
  ['POST', 'passwordTooWeak', 400, 3],
  ['POST', 'usernameTaken', 409, 5],
  ['POST', 'tooManyUsers', 409, 6],
  ['PATCH /guard', 'passwordTooWeak', 400, 3],
  ['PATCH /guard', 'userFixed', 409, 6],
  ['DELETE /guard', 'userUnknown', 404, 4],
] as const)(
  'what the recorder refuses of %s (%s) is an error and not in the audit log',
  async (request, reason, status, code) => {
    const { call, log } = await oneRecorder()
    answer = { kind: 'done', output: { kind: 'refused', reason } }
    const body = { POST: newUser, 'PATCH /guard': { level: 'user' }, 'DELETE /guard': undefined }[request]
    expect(await call(request, body)).toMatchObject({ status, body: { code } })
    expect(await log()).toEqual([])
  },
)

test('a name that the recorder has, one that it lacks, and what no recorder takes are refused before anything is sent', async () => {
  const { call } = await oneRecorder()
  expect(await call('POST', { ...newUser, username: 'guard' })).toMatchObject({ status: 409, body: { code: 5 } })
  expect(await call('DELETE /nobody')).toMatchObject({ status: 404, body: { code: 4 } })
  for (const [request, body] of [
    ['POST', { ...newUser, username: '' }],
    ['PATCH /guard', { level: 'other' }],
    ['GET ?sort=password', undefined],
  ] as const)
    expect([request, await call(request, body)]).toMatchObject([request, { status: 400, body: { code: 3 } }])
  expect(asked.every(({ name }) => name === 'readUsers')).toBe(true)
})

test('nothing is asked of a recorder of another account, nor without the right editCamera', async () => {
  const { accountId, zoneId, call } = await oneRecorder()
  const other = await api.addAccount()
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView'], zoneIds: [zoneId] })
  const elsewhere = await api.addSubUser(accountId, { rights: ['CameraView', 'editCamera'] })
  for (const [request, body] of userCalls) {
    expect([request, (await call(request, body, viewer.token)).status]).toEqual([request, 403])
    expect([request, (await call(request, body, elsewhere.token)).status]).toEqual([request, 404])
    expect([request, (await call(request, body, other.token)).status]).toEqual([request, 404])
  }
  expect(asked).toEqual([])
})
