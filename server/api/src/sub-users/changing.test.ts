import type { Right } from '@sightline/contract/rights'
import { instant } from '@sightline/platform/db'
import { hold } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { permissionProfiles } from '../permission-profiles/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { users } from '../users/index.ts'
import { subUsers } from './index.ts'
import { addTestUsers, listUserChanges, PEOPLE_RIGHTS } from './sub-users-testing.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [cameras, permissionProfiles, subUsers, users] })
})
afterAll(() => api[Symbol.asyncDispose]())

const calls = (userId: number) => api.asked.filter((asked) => asked.userId === userId).map(({ call }) => call)
const mails = async (userId: number) =>
  (await api.askedMails()).filter((asked) => asked.userId === userId).map(({ kind }) => kind)
const onIn = (rights: Record<string, boolean>) => Object.keys(rights).filter((right) => rights[right])

describe('names, addresses and details', () => {
  test('the old email address is notified of the new one', async () => {
    const { token, sub, accountId } = await addTestUsers(api)
    const before = (await api.call(token, `GET users/${sub.userId}`)).body
    const email = `new-${sub.userId}@shop.example`
    const changed = await api.call(token, `PATCH users/${sub.userId}`, { email, lastName: 'Hopper' })
    expect(changed).toMatchObject({ status: 200, body: { email, firstName: 'Ada', lastName: 'Hopper' } })
    const told = (await api.askedMails()).filter(({ userId }) => userId === sub.userId)
    expect(told).toEqual([{ kind: 'newEmail', userId: sub.userId, to: before.email }])
    const line = await api.owner.plain
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('account_id', '=', accountId)
      .where('action', '=', 'patchPerson')
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({ before: { email: before.email }, after: { email } })
    await api.call(token, `PATCH users/${sub.userId}`, { firstName: 'Grace' })
    expect(await mails(sub.userId)).toEqual(['newEmail'])
  })

  test('an editor can correct the address of a user who has never signed in, but not of one who has', async () => {
    const { token, sub, accountId } = await addTestUsers(api)
    const editor = await api.addSubUser(accountId, { rights: ['viewUserSettings', 'editUser'], allCameras: true })
    const to = (email: string) => api.call(editor.token, `PATCH users/${sub.userId}`, { email })
    const weak = api.owner.plain.updateTable('users').where('user_id', '=', sub.userId)
    const theirs = async (token: string) => (await api.call(token, `GET users/${sub.userId}`)).body.emailIsTheirs
    await weak.set({ rights: [], last_login_at: null }).execute()
    expect(await theirs(editor.token)).toBe(false)
    expect(await to(`right-${sub.userId}@shop.example`)).toMatchObject({ status: 200 })
    await weak.set({ last_login_at: instant(Date.now()) }).execute()
    expect(await to(`mine-${sub.userId}@shop.example`)).toMatchObject({ status: 403, body: { code: 9 } })
    expect([await theirs(editor.token), await theirs(token)]).toEqual([true, false])
    expect((await api.call(editor.token, `PATCH users/${sub.userId}`, { firstName: 'Grace' })).status).toBe(200)
  })

  test('an address in use is refused with code 5, an invalid one with code 3', async () => {
    const { token, sub, accountId } = await addTestUsers(api)
    const email = `OWNER-${accountId}@demo.example`
    expect(await api.call(token, `PATCH users/${sub.userId}`, { email })).toMatchObject({
      status: 409,
      body: { code: 5 },
    })
    const bad = await api.call(token, `PATCH users/${sub.userId}`, { email: 'x' })
    expect(bad).toMatchObject({ status: 400, body: { code: 3 } })
    expect(calls(sub.userId)).toEqual([])
  })

  test('name, details and password can’t change if the reseller prevents it (code 9)', async () => {
    const { token, accountId } = await api.addAccount({ preventEditUserDetails: true })
    const { userId } = await api.addSubUser(accountId, { rights: [] })
    for (const [request, body] of listUserChanges(userId).slice(0, 3)) {
      expect(await api.call(token, request, body), request).toMatchObject({ status: 403, body: { code: 9 } })
    }
  })

  test('details change field by field, with the messages of the fields', async () => {
    const { token, sub } = await addTestUsers(api)
    const given = { city: 'Delft', country: 'NL', phone: '+31 20 123 45 67' }
    expect((await api.call(token, `PATCH users/${sub.userId}/details`, given)).body).toMatchObject(given)
    const bad = await api.call(token, `PATCH users/${sub.userId}/details`, { phone: 'call me' })
    expect(bad).toMatchObject({ status: 400, body: { fields: [{ message: 'This is not a valid phone number' }] } })
  })
})

describe('rights', () => {
  test('can be switched one by one; the mandatory ones stay on (code 3)', async () => {
    const { token, sub } = await addTestUsers(api, { rights: ['ptz'] })
    const path = `users/${sub.userId}/rights`
    const changed = await api.call(token, `PATCH ${path}`, { playback: true, ptz: false })
    expect(onIn(changed.body)).toEqual(['LiveCamera', 'CameraView', 'ZonesView', 'playback'])
    expect((await api.call(token, `GET ${path}`)).body).toEqual(changed.body)
    expect((await api.call(sub.token, 'GET users/self/rights')).body).toEqual(changed.body)
    const off = await api.call(token, `PATCH ${path}`, { CameraView: false, playback: false })
    expect(off).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'CameraView' }] } })
    expect((await api.call(token, `GET ${path}`)).body).toEqual(changed.body)
  })

  test('can all be granted with grantAll, which gives what the caller has and never demoUser', async () => {
    const { token, editor, sub } = await addTestUsers(api, { rights: ['editUser'] })
    const path = `users/${sub.userId}/rights`
    const byEditor = await api.call(editor.token, `PATCH ${path}`, { grantAll: true })
    expect(onIn(byEditor.body).sort()).toEqual([...PEOPLE_RIGHTS, 'LiveCamera', 'CameraView', 'ZonesView'].sort())
    const byOwner = await api.call(token, `PATCH ${path}`, { grantAll: true })
    expect(onIn(byOwner.body)).toHaveLength(42)
    expect(byOwner.body.demoUser).toBe(false)
  })

  test('that the caller lacks can’t be granted by switch or profile (code 9)', async () => {
    const { token, editor, sub } = await addTestUsers(api)
    const own = await api.call(token, 'POST permissionProfiles', {
      name: `Movers ${sub.userId}`,
      rights: { ptz: true },
    })
    const { permissionProfileId } = own.body
    for (const body of [{ ptz: true }, { permissionProfileId }, { ptz: true, editUser: true }]) {
      const answer = await api.call(editor.token, `PATCH users/${sub.userId}/rights`, body)
      expect(answer).toMatchObject({ status: 403, body: { code: 9, detail: expect.stringContaining('ptz') } })
    }
    expect((await api.call(editor.token, `PATCH users/${sub.userId}/rights`, { editUser: true })).status).toBe(200)
  })

  test('come from a profile, which is remembered until a switch is changed by hand', async () => {
    const { token, sub } = await addTestUsers(api)
    const profileOf = async () => (await api.call(token, `GET users/${sub.userId}`)).body.permissionProfileId
    const path = `PATCH users/${sub.userId}/rights`
    const applied = await api.call(token, path, { permissionProfileId: 12 })
    expect(applied.body).toMatchObject({ playback: true, export: true, ptz: true, addUser: false })
    expect(await profileOf()).toBe(12)
    await api.call(token, path, { playback: true })
    expect(await profileOf()).toBe(12)
    await api.call(token, path, { playback: false })
    expect(await profileOf()).toBeNull()
    await api.call(token, path, { permissionProfileId: 11 })
    const left = await api.call(token, path, { permissionProfileId: null })
    expect(onIn(left.body)).toEqual(['LiveCamera', 'CameraView', 'ZonesView'])
    expect(await profileOf()).toBeNull()
  })

  test('can’t be set in two ways at once (code 3) or from an unknown profile (code 4)', async () => {
    const { token, sub } = await addTestUsers(api)
    const theirs = await api.addAccount()
    const foreign = await api.call(theirs.token, 'POST permissionProfiles', { name: 'Theirs', rights: {} })
    const path = `PATCH users/${sub.userId}/rights`
    const two = await api.call(token, path, { grantAll: true, ptz: true })
    expect(two).toMatchObject({ status: 400, body: { code: 3 } })
    for (const permissionProfileId of [foreign.body.permissionProfileId, 999_999_999, 21]) {
      const answer = await api.call(token, path, { permissionProfileId })
      expect(answer).toMatchObject({ status: 404, body: { code: 4 } })
    }
  })

  test('include demoUser, which every editor can set and which prevents all changes', async () => {
    const { editor, sub } = await addTestUsers(api, { rights: PEOPLE_RIGHTS })
    await api.call(editor.token, `PATCH users/${sub.userId}/rights`, { demoUser: true })
    expect((await api.call(editor.token, `GET users/${sub.userId}`)).body).toMatchObject({
      userType: 'demo',
      guard: null,
    })
    const refused = await api.call(sub.token, `PATCH users/${editor.userId}`, { firstName: 'Grace' })
    expect(refused).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await api.call(editor.token, `PATCH users/${sub.userId}/rights`, { demoUser: false })).status).toBe(200)
  })
})

describe('access', () => {
  test('lists replace lists; ids out of the caller’s scope are not found (code 4)', async () => {
    const { token, sub, accountId, zoneId } = await addTestUsers(api)
    const [door, yard] = [
      await api.addCamera(accountId, zoneId, 'Door'),
      await api.addCamera(accountId, zoneId, 'Yard'),
    ]
    const path = `users/${sub.userId}/access`
    await api.call(token, `PATCH ${path}`, { cameraIds: [yard, door] })
    const changed = await api.call(token, `PATCH ${path}`, { zoneIds: [zoneId], cameraIds: [door] })
    expect(changed.body).toEqual({ allCameras: false, cameraIds: [door], zoneIds: [zoneId] })
    expect((await api.call(token, `GET ${path}`)).body).toEqual(changed.body)
    expect((await api.call(sub.token, 'GET cameras')).body).toHaveLength(2)
    const theirs = await api.addAccount()
    const bad = await api.call(token, `PATCH ${path}`, { cameraIds: ['door'] })
    expect(bad).toMatchObject({ status: 400, body: { code: 3 } })
    for (const body of [{ zoneIds: [theirs.zoneId] }, { cameraIds: [999_999_999] }, { zoneIds: [zoneId, 5] }]) {
      expect(await api.call(token, `PATCH ${path}`, body)).toMatchObject({ status: 404, body: { code: 4 } })
    }
    const all = await api.call(token, `PATCH ${path}`, { allCameras: true })
    expect(all.body).toEqual({ allCameras: true, cameraIds: [door], zoneIds: [zoneId] })
  })

  test('can’t include a camera, a zone or all cameras that the caller lacks', async () => {
    const { sub, accountId, zoneId } = await addTestUsers(api)
    const [door, yard] = [
      await api.addCamera(accountId, zoneId, 'Door'),
      await api.addCamera(accountId, zoneId, 'Yard'),
    ]
    const some = await api.addSubUser(accountId, { rights: ['editUser'], cameraIds: [door] })
    const path = `PATCH users/${sub.userId}/access`
    expect(await api.call(some.token, path, { cameraIds: [yard] })).toMatchObject({ status: 404, body: { code: 4 } })
    expect(await api.call(some.token, path, { zoneIds: [zoneId] })).toMatchObject({ status: 404, body: { code: 4 } })
    expect(await api.call(some.token, path, { allCameras: true })).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await api.call(some.token, path, { cameraIds: [door] })).body.cameraIds).toEqual([door])
  })
})

describe('blocking and deleting', () => {
  test('a blocked user is rejected at the next call, and their tokens are ended once', async () => {
    const { token, sub } = await addTestUsers(api)
    expect((await api.call(token, `POST users/${sub.userId}/block`)).status).toBe(204)
    expect((await api.call(sub.token, 'GET users/self')).status).toBe(401)
    expect((await api.call(token, 'GET users?blocked=true')).body).toMatchObject([
      { userId: sub.userId, blocked: true },
    ])
    expect(calls(sub.userId)).toEqual(['revokeSessions'])
    expect((await api.call(token, `POST users/${sub.userId}/block`)).status).toBe(204)
    expect((await api.call(token, `POST users/${sub.userId}/unblock`)).status).toBe(204)
    expect((await api.call(sub.token, 'GET users/self')).status).toBe(200)
  })

  test('a deleted user loses tokens and access; the audit log keeps the name', async () => {
    const { token, sub, accountId, zoneId } = await addTestUsers(api, { rights: ['ptz'] })
    await api.call(token, `PATCH users/${sub.userId}/access`, { zoneIds: [zoneId] })
    expect((await api.call(token, `DELETE users/${sub.userId}`)).status).toBe(204)
    expect((await api.call(sub.token, 'GET users/self')).status).toBe(401)
    expect(await api.call(token, `DELETE users/${sub.userId}`)).toMatchObject({ status: 404, body: { code: 4 } })
    expect(calls(sub.userId)).toEqual(['forgetUser'])
    const line = await api.owner.plain
      .selectFrom('audit_log')
      .select(['target_id', 'before'])
      .where('account_id', '=', accountId)
      .where('action', '=', 'deletePerson')
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({
      target_id: sub.userId,
      before: { firstName: 'Ada', rights: ['ptz'], zoneIds: [zoneId] },
    })
  })

  test('a password link is emailed to the user and never shown to the caller', async () => {
    const { token, sub } = await addTestUsers(api)
    const reset = await api.call(token, `PATCH users/${sub.userId}/credentials`, { sendLink: true })
    expect(reset).toMatchObject({ status: 204 })
    const { email } = (await api.call(token, `GET users/${sub.userId}`)).body
    expect(await api.call(token, `POST users/${sub.userId}/invitation`)).toMatchObject({ status: 202, body: { email } })
    expect(await mails(sub.userId)).toEqual(['reset', 'invitation'])
    const set = await api.call(token, `PATCH users/${sub.userId}/credentials`, { password: 'Correct-horse7' })
    expect(set).toMatchObject({ status: 400, body: { code: 3 } })
  })
})

describe('concurrent changes', () => {
  test('with an outdated If-Match are refused with 412', async () => {
    const { token, sub } = await addTestUsers(api)
    const bodies = {
      '': { firstName: 'Grace' },
      '/rights': { ptz: true },
      '/access': { allCameras: true },
      '/details': { city: 'Delft' },
    }
    for (const [tail, body] of Object.entries(bodies)) {
      const path = `users/${sub.userId}${tail}`
      const ifMatch = { 'if-match': (await api.call(token, `GET ${path}`)).headers.get('etag') ?? '' }
      expect((await api.call(token, `PATCH ${path}`, body, ifMatch)).status, tail).toBe(200)
      const late = await api.call(token, `PATCH ${path}`, body, ifMatch)
      expect(late, tail).toMatchObject({ status: 412, body: { code: 6 } })
    }
  })

  test('of different switches are all kept', async () => {
    const { token, sub } = await addTestUsers(api)
    const rights: readonly Right[] = ['ptz', 'microphone', 'playback', 'deleteRecording', 'lockRecording', 'export']
    const path = `users/${sub.userId}/rights`
    const answers = await Promise.all(rights.map((right) => api.call(token, `PATCH ${path}`, { [right]: true })))
    expect(answers.map(({ status }) => status)).toEqual(rights.map(() => 200))
    expect(onIn((await api.call(token, `GET ${path}`)).body)).toEqual(expect.arrayContaining([...rights]))
  })

  test('can’t grant a right that the caller lost while the call waited', async () => {
    const { token, editor, sub, accountId } = await addTestUsers(api)
    await api.call(token, `PATCH users/${editor.userId}/rights`, { ptz: true })
    const lock = `select from accounts where account_id = ${accountId} for no key update`
    await using held = await hold({ owner: api.owner.plain }, lock)
    const loss = api.call(token, `PATCH users/${editor.userId}/rights`, { ptz: false })
    await held.waiting(1)
    const gift = api.call(editor.token, `PATCH users/${sub.userId}/rights`, { ptz: true })
    await held.waiting(2)
    await held.release()
    expect((await loss).status).toBe(200)
    expect(await gift).toMatchObject({ status: 403, body: { code: 9, detail: expect.stringContaining('ptz') } })
  })
})
