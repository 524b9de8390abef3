import type { Right } from '@sightline/contract/rights'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explanations } from '../explanations/index.ts'
import { permissionProfiles } from '../permission-profiles/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from './index.ts'
import { addTestUsers, listUserChanges, PEOPLE_RIGHTS } from './sub-users-testing.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [explanations, permissionProfiles, subUsers] })
})
afterAll(() => api[Symbol.asyncDispose]())

/** Of the owner and of oneself these are impossible (code 6), the others not allowed (code 9). */
const REMOVALS = /block|DELETE/

async function everybody(accountId: number) {
  const users = await api.owner.plain
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('user_id')
    .execute()
  const cameras = await api.owner.plain
    .selectFrom('user_cameras')
    .selectAll()
    .where('account_id', '=', accountId)
    .execute()
  return { users, cameras }
}

describe('guard rails', () => {
  test('sub-users can’t change the owner, even with every right and camera', async () => {
    const { accountId, token, sub } = await addTestUsers(api)
    await api.call(token, `PATCH users/${sub.userId}/rights`, { grantAll: true })
    await api.call(token, `PATCH users/${sub.userId}/access`, { allCameras: true })
    const before = await everybody(accountId)
    for (const [request, body] of listUserChanges(accountId)) {
      const refused = REMOVALS.test(request) ? { status: 409, body: { code: 6 } } : { status: 403, body: { code: 9 } }
      expect(await api.call(sub.token, request, body), request).toMatchObject(refused)
    }
    expect(await everybody(accountId)).toEqual(before)
    expect((await api.call(sub.token, `GET users/${accountId}`)).body).toMatchObject({
      isSuperUser: true,
      guard: 'owner',
    })
  })

  test('users can’t change themselves with these calls, including the owner', async () => {
    const { accountId, token, editor } = await addTestUsers(api)
    const before = await everybody(accountId)
    for (const [who, userId] of [
      [editor.token, editor.userId],
      [token, accountId],
    ] as const) {
      for (const [request, body] of listUserChanges(userId)) {
        const refused = REMOVALS.test(request) ? { status: 409, body: { code: 6 } } : { status: 403, body: { code: 9 } }
        expect(await api.call(who, request, body), request).toMatchObject(refused)
      }
      expect((await api.call(who, `GET users/${userId}`)).body.guard).toBe('self')
    }
    expect(await everybody(accountId)).toEqual(before)
  })

  test.each(['a right', 'a camera', 'a zone', 'all cameras'])(
    'a caller without %s can’t change a user who has it',
    async (what) => {
      const { accountId, zoneId, editor } = await addTestUsers(api)
      const cameraId = await api.addCamera(accountId, zoneId, 'Door')
      const more = {
        'a right': { rights: ['ptz'] },
        'a camera': { rights: [], cameraIds: [cameraId] },
        'a zone': { rights: [], zoneIds: [zoneId] },
        'all cameras': { rights: [], allCameras: true },
      }[what] as { rights: Right[] }
      const holder = await api.addSubUser(accountId, more)
      const before = await everybody(accountId)
      for (const [request, body] of listUserChanges(holder.userId)) {
        expect(await api.call(editor.token, request, body), request).toMatchObject({ status: 403, body: { code: 9 } })
      }
      expect(await everybody(accountId)).toEqual(before)
      expect((await api.call(editor.token, `GET users/${holder.userId}`)).body.guard).toBe('holdsMore')
      const access = await api.call(editor.token, `GET users/${holder.userId}/access`)
      expect(access.body).toMatchObject({ cameraIds: [], zoneIds: [] })
    },
  )

  test('users of another account get the same replies as nonexistent ones', async () => {
    const mine = await addTestUsers(api, { rights: [] })
    const theirs = await addTestUsers(api, { rights: [] })
    const reads = ['', '/details', '/rights', '/access'].map((tail) => [`GET users/*${tail}`, undefined] as const)
    for (const [pattern, body] of [
      ...reads,
      ...listUserChanges(0).map(([request, given]) => [request.replace('/0', '/*'), given] as const),
    ]) {
      const answers = []
      for (const userId of [theirs.sub.userId, 999_999_999]) {
        const answer = await api.call(mine.token, pattern.replace('*', String(userId)), body)
        answers.push({ status: answer.status, body: answer.body })
      }
      expect(answers[0], pattern).toMatchObject({ status: 404, body: { code: 4 } })
      expect(answers[0]).toEqual(answers[1])
    }
  })

  test.each([
    ['PATCH users/*', 'editUser'],
    ['PATCH users/*/rights', 'editUser'],
    ['PATCH users/*/access', 'editUser'],
    ['PATCH users/*/details', 'editUser'],
    ['PATCH users/*/credentials', 'editUser'],
    ['GET users/*/access', 'editUser'],
    ['GET users/*/details', 'editUser'],
    ['DELETE users/*', 'deleteUser'],
    ['POST users/*/block', 'blockUser'],
    ['POST users/*/unblock', 'blockUser'],
    ['POST users/*/invitation', 'addUser'],
    ['GET users/*', 'viewUserSettings'],
    ['GET users/*/rights', 'viewUserSettings'],
  ] as const)('%s needs the right %s', async (request, right) => {
    const { accountId, sub } = await addTestUsers(api)
    const without = await api.addSubUser(accountId, { rights: PEOPLE_RIGHTS.filter((other) => other !== right) })
    const refused = await api.call(
      without.token,
      request.replace('*', String(sub.userId)),
      request.startsWith('GET') ? undefined : {},
    )
    expect(refused).toMatchObject({ status: 403, body: { code: 9, detail: expect.stringContaining(right) } })
  })

  test('API keys can’t use calls about users, and support can only read', async () => {
    const { accountId, sub } = await addTestUsers(api)
    const apiKey = await api.addToken({ accountId, userId: accountId }, 'apiKey')
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    const reads = ['users', `users/${sub.userId}`, `users/${sub.userId}/rights`, `users/${sub.userId}/access`]
    for (const path of [...reads, `users/${sub.userId}/details`, `users/${sub.userId}/explain`, 'permissionProfiles']) {
      expect(await api.call(apiKey, `GET ${path}`), path).toMatchObject({ status: 403, body: { code: 9 } })
      expect((await api.call(support, `GET ${path}`)).status, path).toBe(200)
    }
    const adds = [
      ['POST users', {}],
      ['POST permissionProfiles', {}],
      ['DELETE permissionProfiles/12', undefined],
    ] as const
    for (const [request, body] of [...listUserChanges(sub.userId), ...adds]) {
      for (const token of [apiKey, support]) {
        expect(await api.call(token, request, body), request).toMatchObject({ status: 403, body: { code: 9 } })
      }
    }
  })
})
