import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLogs } from '../audit-logs/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from '../sub-users/index.ts'
import { users } from '../users/index.ts'
import { zones } from '../zones/index.ts'
import { permissionProfiles } from './index.ts'
import { MAX_PROFILES } from './rules.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [auditLogs, permissionProfiles, subUsers, users, zones] })
})
afterAll(() => api[Symbol.asyncDispose]())

const onIn = (rights: Record<string, boolean>) => Object.keys(rights).filter((right) => rights[right])
const MANDATORY = ['LiveCamera', 'CameraView', 'ZonesView']

describe('profiles of rights', () => {
  test('every account has the built-in profiles, which can’t be changed (code 9)', async () => {
    const { token } = await api.addAccount()
    const { body } = await api.call(token, 'GET permissionProfiles')
    expect(body.map(({ name, builtin }: { name: string; builtin: boolean }) => [name, builtin])).toEqual([
      ['Guard', true],
      ['Manager', true],
      ['Viewer', true],
    ])
    expect(onIn(body[2].rights)).toEqual(MANDATORY)
    const turned = (await api.call(token, 'GET permissionProfiles?sort=-name&limit=1')).body
    expect(turned).toMatchObject([{ name: 'Viewer' }])
    const unsorted = await api.call(token, 'GET permissionProfiles?sort=rights')
    expect(unsorted).toMatchObject({ status: 400, body: { code: 3 } })
    const change = await api.call(token, 'PATCH permissionProfiles/12', { name: 'Ours' })
    expect(change).toMatchObject({ status: 403, body: { code: 9 } })
    expect(await api.call(token, 'DELETE permissionProfiles/12')).toMatchObject({ status: 403, body: { code: 9 } })
  })

  test('a profile change writes one entry for each user whose rights it changed', async () => {
    const { accountId, token } = await api.addAccount()
    const { body } = await api.call(token, 'POST permissionProfiles', { name: 'Guards', rights: { playback: true } })
    const { permissionProfileId } = body
    const having = await api.addSubUser(accountId, { rights: ['playback'], permissionProfileId })
    await api.addSubUser(accountId, { rights: ['playback'] })
    const change = (patch: object) => api.call(token, `PATCH permissionProfiles/${permissionProfileId}`, patch)
    expect((await change({ name: 'Night guards' })).status).toBe(200)
    expect((await change({ rights: { ptz: true } })).status).toBe(200)
    const lines = await api.owner.plain
      .selectFrom('audit_log')
      .select(['target_kind', 'target_id', 'before', 'after'])
      .where('account_id', '=', accountId)
      .where('action', '=', 'patchPersonRights')
      .execute()
    expect(lines).toEqual([
      {
        target_kind: 'user',
        target_id: having.userId,
        before: { rights: ['playback'], permissionProfileId },
        after: {
          rights: expect.toSatisfy((rights) => rights.toSorted().join() === 'playback,ptz'),
          permissionProfileId,
        },
      },
    ])
  })

  test('a profile can be added, read, changed and deleted', async () => {
    const { token } = await api.addAccount()
    const added = await api.call(token, 'POST permissionProfiles', {
      name: ' Night shift ',
      rights: { playback: true },
    })
    expect(added).toMatchObject({
      status: 201,
      body: { name: 'Night shift', scope: 'account', users: 0, builtin: false },
    })
    expect(onIn(added.body.rights)).toEqual(['LiveCamera', 'CameraView', 'ZonesView', 'playback'])
    const path = `permissionProfiles/${added.body.permissionProfileId}`
    expect(added.headers.get('location')).toBe(`/rest/v2.4/${path}`)
    expect((await api.call(token, `GET ${path}`)).body).toEqual(added.body)
    const changed = await api.call(token, `PATCH ${path}`, { rights: { ptz: true, playback: false } })
    expect(onIn(changed.body.rights).sort()).toEqual([...MANDATORY, 'ptz'].sort())
    expect((await api.call(token, `DELETE ${path}`)).status).toBe(204)
    expect(await api.call(token, `GET ${path}`)).toMatchObject({ status: 404, body: { code: 4 } })
    expect(await api.call(token, `DELETE ${path}`)).toMatchObject({ status: 404, body: { code: 4 } })
    expect(await api.call(token, `PATCH ${path}`, { name: 'Gone' })).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('a change applies immediately to all users with the profile and to no one else', async () => {
    const { token, accountId } = await api.addAccount()
    const { body: profile } = await api.call(token, 'POST permissionProfiles', { name: 'Shift', rights: { ptz: true } })
    const { permissionProfileId } = profile
    const subs = await Promise.all([1, 2, 3].map(() => api.addSubUser(accountId, { rights: ['ptz'] })))
    const [first, second, other] = subs
    for (const sub of [first, second]) {
      await api.call(token, `PATCH users/${sub?.userId}/rights`, { permissionProfileId })
    }
    const changed = await api.call(token, `PATCH permissionProfiles/${permissionProfileId}`, {
      rights: { export: true },
    })
    expect(changed.body.users).toBe(2)
    const exports = async () =>
      Promise.all(subs.map(async ({ token: of }) => (await api.call(of, 'GET users/self/rights')).body.export))
    expect(await exports()).toEqual([true, true, false])
    expect((await api.call(token, `GET users/${first?.userId}`)).body.permissionProfileId).toBe(permissionProfileId)
    const inUse = await api.call(token, `DELETE permissionProfiles/${permissionProfileId}`)
    expect(inUse).toMatchObject({ status: 409, body: { code: 6 } })
    for (const sub of [first, second]) await api.call(token, `DELETE users/${sub?.userId}`)
    expect((await api.call(token, `DELETE permissionProfiles/${permissionProfileId}`)).status).toBe(204)
    expect((await api.call(other?.token, 'GET users/self/rights')).body.ptz).toBe(true)
  })

  test.each([
    [{ name: '', rights: {} }, 'Profile name is required'],
    [{ name: 'x'.repeat(65), rights: {} }, 'Profile name should be 1-64 characters'],
    [{ name: 'Blind', rights: { CameraView: false } }, "This right can't be turned off"],
  ])('%j is refused with code 3', async (body, message) => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'POST permissionProfiles', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [{ message }] } })
    const { permissionProfileId } = (await api.call(token, 'POST permissionProfiles', { name: 'Fine', rights: {} }))
      .body
    const change = await api.call(token, `PATCH permissionProfiles/${permissionProfileId}`, body)
    expect(change).toMatchObject({ status: 400, body: { code: 3, fields: [{ message }] } })
  })

  test('a name is unique within an account, in any case (code 5)', async () => {
    const { token } = await api.addAccount()
    await api.call(token, 'POST permissionProfiles', { name: 'Shift', rights: {} })
    const again = await api.call(token, 'POST permissionProfiles', { name: 'SHIFT', rights: {} })
    expect(again).toMatchObject({ status: 409, body: { code: 5 } })
    const { permissionProfileId } = (await api.call(token, 'POST permissionProfiles', { name: 'Other', rights: {} }))
      .body
    const renamed = await api.call(token, `PATCH permissionProfiles/${permissionProfileId}`, { name: 'shift' })
    expect(renamed).toMatchObject({ status: 409, body: { code: 5 } })
    const elsewhere = await api.addAccount()
    expect((await api.call(elsewhere.token, 'POST permissionProfiles', { name: 'Shift', rights: {} })).status).toBe(201)
  })

  test('an account can have a limited number of profiles (code 6)', async () => {
    const { token, accountId } = await api.addAccount()
    await api.owner.plain
      .insertInto('permission_profiles')
      .values(
        Array.from({ length: MAX_PROFILES }, (_, n) => ({
          organisation_id: accountId,
          permission_profile_id: 800_000_000 + n,
          scope: 'account' as const,
          name: `Profile ${n}`,
        })),
      )
      .execute()
    const more = await api.call(token, 'POST permissionProfiles', { name: 'One more', rights: {} })
    expect(more).toMatchObject({ status: 409, body: { code: 6 } })
  })

  test('only the owner changes profiles; users who can see users read them; other accounts’ profiles are not found', async () => {
    const { token, accountId } = await api.addAccount()
    const { permissionProfileId } = (await api.call(token, 'POST permissionProfiles', { name: 'Shift', rights: {} }))
      .body
    const path = `permissionProfiles/${permissionProfileId}`
    const manager = await api.addSubUser(accountId, { rights: ['viewUserSettings', 'addUser', 'editUser'] })
    expect((await api.call(manager.token, `GET ${path}`)).status).toBe(200)
    for (const [request, body] of [
      ['POST permissionProfiles', { name: 'Mine', rights: {} }],
      [`PATCH ${path}`, { rights: { ptz: true } }],
      [`DELETE ${path}`, undefined],
    ] as const) {
      expect(await api.call(manager.token, request, body), request).toMatchObject({ status: 403, body: { code: 9 } })
    }
    const plain = await api.addSubUser(accountId, { rights: [] })
    expect((await api.call(plain.token, 'GET permissionProfiles')).body).toMatchObject({ code: 9 })
    const theirs = await api.addAccount()
    expect((await api.call(theirs.token, 'GET permissionProfiles')).body).toHaveLength(3)
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await api.call(theirs.token, `${method} ${path}`, method === 'PATCH' ? {} : undefined)
      expect(answer, method).toMatchObject({ status: 404, body: { code: 4 } })
    }
  })

  test('a change with an outdated If-Match is refused with 412', async () => {
    const { token } = await api.addAccount()
    const { permissionProfileId } = (await api.call(token, 'POST permissionProfiles', { name: 'Shift', rights: {} }))
      .body
    const path = `permissionProfiles/${permissionProfileId}`
    const ifMatch = { 'if-match': (await api.call(token, `GET ${path}`)).headers.get('etag') ?? '' }
    expect((await api.call(token, `PATCH ${path}`, { name: 'Day' }, ifMatch)).status).toBe(200)
    expect(await api.call(token, `PATCH ${path}`, { name: 'Night' }, ifMatch)).toMatchObject({ status: 412 })
  })
})

test('only the owner can add rights to a profile, which apply to all its users, and the log has their number', async () => {
  const { accountId, token } = await api.addAccount()
  const added = await api.call(token, 'POST permissionProfiles', { name: 'Doormen', rights: { playback: true } })
  const { permissionProfileId } = added.body
  const editor = await api.addSubUser(accountId, { rights: ['editUser', 'viewUserSettings', 'playback'] })
  const doorman = await api.addSubUser(accountId, { rights: [] })
  const given = await api.call(editor.token, `PATCH users/${doorman.userId}/rights`, { permissionProfileId })
  expect(given.status).toBe(200)
  const profile = `permissionProfiles/${permissionProfileId}`
  const stronger = { rights: { addZone: true } }
  expect((await api.call(editor.token, `PATCH ${profile}`, stronger)).status).toBe(403)
  expect((await api.call(token, `PATCH ${profile}`, stronger)).status).toBe(200)
  expect((await api.call(doorman.token, 'POST zones', { name: 'Gate' })).status).toBe(201)
  const [line] = (await api.call(token, 'GET auditLogs?actions=patchPermissionProfile')).body
  expect(line.before.rights).not.toContain('addZone')
  expect(line.after).toMatchObject({ users: 1, rights: expect.arrayContaining(['addZone']) })
})
