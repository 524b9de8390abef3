import type { CameraCommandAnswer, CameraCommandQuestion, ListedUser } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cameraConnection } from '../camera-connection/index.ts'
import { answeringCameras } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { commonFailures, newUser, userCalls } from './failures-testing.ts'
import { cameraUsers } from './index.ts'

let api: TestApi
let listed: readonly ListedUser[]
let failure: CameraCommandAnswer | undefined
let answer: CameraCommandAnswer<'changeUsers'> | undefined
/** Delays the answer to a change. */
let hold: (() => Promise<void>) | undefined
const asked: CameraCommandQuestion[] = []
const admin: ListedUser = { username: 'admin', level: 'administrator' }
const boss: ListedUser = { username: 'boss', level: 'administrator' }
const guard: ListedUser = { username: 'guard', level: 'operator' }

beforeAll(async () => {
  const command = answeringCameras((question) => {
    asked.push(question)
    if (failure !== undefined) return failure
    return question.name === 'readUsers' ? { kind: 'done', output: listed } : (answer ?? { kind: 'rejected' })
  })
  api = await testApi({
    slices: [cameraUsers, cameraConnection],
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

async function oneCamera() {
  const account = await api.addAccount()
  const cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
  const camera = api.owner.plain.updateTable('cameras').where('camera_id', '=', cameraId)
  await camera.set({ onvif_port: 80, username: 'admin', password_sealed: Buffer.from('old') }).execute()
  const path = `cameras/${cameraId}/connection/users`
  const call = (request: string, body?: object, token = account.token) => {
    const [method, name = ''] = request.split(' ')
    return api.call(token, `${method} ${path}${name}`, body)
  }
  const log = () =>
    api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', account.accountId).execute()
  return { ...account, cameraId, camera, call, log }
}

test('the users are listed as the camera says, with the one that the server signs in with', async () => {
  const { call } = await oneCamera()
  expect(await call('GET')).toMatchObject({
    status: 200,
    body: [
      { ...admin, usedByServer: true },
      { ...guard, usedByServer: false },
    ],
  })
})

test('a user is added; the password reaches the camera sealed, and no answer and no log', async () => {
  const { call, log } = await oneCamera()
  answer = changed(admin, guard, { username: 'night', level: 'operator' })
  const reply = await call('POST', newUser)
  expect(reply).toMatchObject({ status: 201, body: { username: 'night', level: 'operator', usedByServer: false } })
  expect(asked.at(-1)).toMatchObject({
    name: 'changeUsers',
    input: { kind: 'add', username: 'night', level: 'operator', passwordSealed: expect.any(String) },
  })
  const after = { username: 'night', level: 'operator', password: 'changed' }
  expect(await log()).toMatchObject([{ action: 'postCameraUser', before: null, after }])
  const events = await api.owner.plain.selectFrom('events').selectAll().execute()
  expect(JSON.stringify([reply.body, asked, await log(), events])).not.toContain('correct horse')
})

test('what is shown afterwards is what the camera says', async () => {
  const { call } = await oneCamera()
  answer = changed(admin, guard, { username: 'night', level: 'user' })
  expect(await call('POST', newUser)).toMatchObject({ status: 201, body: { level: 'user' } })
  answer = changed(admin)
  expect(await call('POST', { ...newUser, username: 'day' })).toMatchObject({ status: 424, body: { code: 13 } })
})

test('a user gets another level and password; a change of nothing asks the camera for nothing', async () => {
  const { call, log } = await oneCamera()
  expect(await call('PATCH /guard', { level: 'operator' })).toMatchObject({ status: 200, body: guard })
  expect(asked.map(({ name }) => name)).toEqual(['readUsers'])
  answer = changed(admin, { ...guard, level: 'user' })
  const body = { level: 'user', password: 'correct horse', allowPlainText: true }
  expect(await call('PATCH /guard', body)).toMatchObject({ status: 200, body: { level: 'user' } })
  expect(await log()).toMatchObject([
    { action: 'patchCameraUser', before: guard, after: { level: 'user', password: 'changed' } },
  ])
})

test('a password that the camera accepts and doesn’t take is code 3; a level that it set is written down', async () => {
  const { call, log } = await oneCamera()
  const ignored = (...users: readonly ListedUser[]) =>
    ({ kind: 'done', output: { kind: 'changed', users, passwordIgnored: true } }) as const
  answer = ignored(admin, guard)
  const body = { password: 'correct horse', allowPlainText: true }
  const refused = { status: 400, body: { code: 3, fields: [{ field: 'password' }] } }
  expect(await call('PATCH /guard', body)).toMatchObject(refused)
  expect(await log()).toEqual([])
  answer = ignored(admin, { ...guard, level: 'user' })
  expect(await call('PATCH /guard', { ...body, level: 'user' })).toMatchObject(refused)
  const [entry, ...others] = await log()
  expect(entry).toMatchObject({ action: 'patchCameraUser', before: guard, after: { username: 'guard', level: 'user' } })
  expect([entry?.after, others]).toEqual([{ username: 'guard', level: 'user' }, []])
})

test('changes of the users and of the sign-in of one camera take turns', async () => {
  const { call, cameraId, token } = await oneCamera()
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
  const second = api.call(token, `PATCH cameras/${cameraId}/connection/credentials`, { password: 'other' })
  await api.call(token, `GET cameras/${cameraId}/connection/credentials`)
  expect(asked.map(({ name }) => name)).not.toContain('tryConnection')
  held.resolve()
  expect((await first).status).toBe(200)
  await second
  expect(asked.map(({ name }) => name)).toEqual(['readUsers', 'changeUsers', 'tryConnection'])
})

test('a user is removed, whatever the name', async () => {
  const { call, log } = await oneCamera()
  listed = [admin, { username: 'Café /1', level: 'user' }]
  answer = changed(admin)
  expect((await call('DELETE /Caf%C3%A9%20%2F1')).status).toBe(204)
  expect(asked.at(-1)?.input).toEqual({ kind: 'remove', username: 'Café /1' })
  expect(await log()).toMatchObject([{ action: 'deleteCameraUser', before: { username: 'Café /1' }, after: null }])
})

test.each([
  ['DELETE /admin', undefined],
  ['PATCH /admin', { level: 'user' }],
  ['PATCH /admin', { password: 'x', allowPlainText: true }],
])('the user that the server signs in with stays as it is: %s %j', async (request, body) => {
  const { call, log } = await oneCamera()
  listed = [admin, boss]
  expect(await call(request, body)).toMatchObject({ status: 409, body: { code: 6 } })
  expect(asked.map(({ name }) => name)).toEqual(['readUsers'])
  expect(await log()).toEqual([])
})

test.each([
  ['DELETE /boss', undefined],
  ['PATCH /boss', { level: 'operator' }],
])('the last administrator stays: %s %j', async (request, body) => {
  const { call } = await oneCamera()
  listed = [{ username: 'admin', level: 'operator' }, boss]
  expect(await call(request, body)).toMatchObject({ status: 409, body: { code: 6 } })
  expect(asked.map(({ name }) => name)).toEqual(['readUsers'])
})

test('a password crosses the network in plain text only with consent; a level needs none', async () => {
  const { call, camera } = await oneCamera()
  const { allowPlainText: _, ...silent } = newUser
  expect(await call('POST', silent)).toMatchObject({ status: 422, body: { code: 11 } })
  expect(await call('PATCH /guard', { password: 'x' })).toMatchObject({ status: 422, body: { code: 11 } })
  expect(asked.every(({ name }) => name === 'readUsers')).toBe(true)
  answer = changed(admin, { ...guard, level: 'user' })
  expect((await call('PATCH /guard', { level: 'user' })).status).toBe(200)
  await camera.set({ onvif_secure: true }).execute()
  answer = changed(admin, guard, { username: 'night', level: 'operator' })
  expect((await call('POST', silent)).status).toBe(201)
})

test.each([
  ['passwordTooWeak', 400, 3],
  ['passwordTooLong', 400, 3],
  ['usernameInvalid', 400, 3],
  ['usernameTaken', 409, 5],
  ['tooManyUsers', 409, 6],
  ['userFixed', 409, 6],
  ['userUnknown', 404, 4],
] as const)('what the camera refuses (%s) is an error and not in the audit log', async (reason, status, code) => {
  const { call, log } = await oneCamera()
  answer = { kind: 'done', output: { kind: 'refused', reason } }
  expect(await call('POST', newUser)).toMatchObject({ status, body: { code } })
  expect(await log()).toEqual([])
})

test('a reason that doesn’t belong to the change is an error of the camera', async () => {
  const { call } = await oneCamera()
  answer = { kind: 'done', output: { kind: 'refused', reason: 'passwordTooWeak' } }
  expect(await call('DELETE /guard')).toMatchObject({ status: 424, body: { code: 13 } })
  expect(await call('PATCH /guard', { level: 'user' })).toMatchObject({ status: 400, body: { code: 3 } })
  answer = { kind: 'done', output: { kind: 'refused', reason: 'usernameTaken' } }
  expect(await call('PATCH /guard', { level: 'user' })).toMatchObject({ status: 424, body: { code: 13 } })
})

test('a name that the camera has, one that it lacks, and what no camera takes are refused before anything is sent', async () => {
  const { call } = await oneCamera()
  expect(await call('POST', { ...newUser, username: 'guard' })).toMatchObject({ status: 409, body: { code: 5 } })
  expect(await call('PATCH /nobody', { level: 'user' })).toMatchObject({ status: 404, body: { code: 4 } })
  expect(await call('DELETE /nobody')).toMatchObject({ status: 404, body: { code: 4 } })
  expect(await call(`DELETE /${'x'.repeat(65)}`)).toMatchObject({ status: 404 })
  for (const [request, body] of [
    ['POST', { ...newUser, username: '' }],
    ['POST', { ...newUser, level: 'other' }],
    ['POST', { ...newUser, password: '' }],
    ['PATCH /guard', { level: 'other' }],
    ['GET ?sort=password', undefined],
  ] as const)
    expect([request, await call(request, body)]).toMatchObject([request, { status: 400, body: { code: 3 } }])
  expect(asked.every(({ name }) => name === 'readUsers')).toBe(true)
})

test.each([...commonFailures, ['noOnvif', 422, 11], ['cameraOffline', 424, 18]] as const)(
  'each call says what is wrong with the camera: %s',
  async (kind, status, code) => {
    const { call, log } = await oneCamera()
    failure = { kind }
    for (const [request, body] of userCalls)
      expect([request, await call(request, body)]).toMatchObject([request, { status, body: { code } }])
    expect(await log()).toEqual([])
  },
)

test('the users of an input are those of its recorder', async () => {
  const { accountId, zoneId, cameraId, call, camera } = await oneCamera()
  const device = { account_id: accountId, device_id: cameraId + 1, zone_id: zoneId, name: 'NVR', address: '192.0.2.3' }
  await api.owner.plain.insertInto('devices').values(device).execute()
  await camera.set({ device_id: device.device_id }).execute()
  for (const request of ['GET', 'DELETE /guard'])
    expect(await call(request)).toMatchObject({ status: 409, body: { code: 6 } })
  expect(await call('POST', newUser)).toMatchObject({ status: 409 })
  expect(await call('PATCH /guard', { level: 'user' })).toMatchObject({ status: 409 })
  expect(asked).toEqual([])
})

test('nothing is asked of a camera of another account, nor without the right editCamera', async () => {
  const { accountId, cameraId, call } = await oneCamera()
  const other = await api.addAccount()
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView', 'localExceptions'], cameraIds: [cameraId] })
  for (const [request, body] of [
    ['GET', undefined],
    ['POST', newUser],
    ['PATCH /guard', { level: 'user' }],
    ['DELETE /guard', undefined],
  ] as const) {
    expect([request, (await call(request, body, viewer.token)).status]).toEqual([request, 403])
    expect([request, (await call(request, body, other.token)).status]).toEqual([request, 404])
  }
  expect(asked).toEqual([])
})
