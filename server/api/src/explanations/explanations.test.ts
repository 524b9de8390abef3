import { allModules, allRights } from '@sightline/contract/rights'
import { allRoutes } from '@sightline/contract/routes'
import { streamRules } from '@sightline/contract/streams'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from '../sub-users/index.ts'
import { explanations } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [cameras, explanations, subUsers] })
})
afterAll(() => api[Symbol.asyncDispose]())

const GUARD_PROFILE = 12
const MEMBER_OPERATIONS =
  Object.keys(streamRules).length +
  allRoutes.filter(({ access, callers }) => access !== 'public' && callers !== 'staff').length

interface Overview {
  readonly operations: readonly { readonly operation: string; readonly allowed: boolean; readonly step: object }[]
  readonly cameras: readonly { readonly cameraId: number; readonly reached: boolean; readonly by: string }[]
}

describe('why a call is allowed or not', () => {
  test('names what grants a right: mandatory, switch, profile or owner', async () => {
    const { accountId, token } = await api.addAccount()
    const plain = await api.addSubUser(accountId, { rights: ['ptz'] })
    const guard = await api.addSubUser(accountId, { rights: ['playback'], permissionProfileId: GUARD_PROFILE })
    const deciding = async (of: string, operation: string) => {
      const { body } = await api.call(token, `GET users/${of}/explain?operation=${operation}`)
      return { allowed: body.allowed, step: body.steps.at(-1) }
    }
    expect(await deciding(String(plain.userId), 'live')).toMatchObject({
      allowed: true,
      step: { check: 'right', subject: 'LiveCamera', by: 'mandatory', sentence: 'all users have the right LiveCamera' },
    })
    expect(await deciding(String(plain.userId), 'playback')).toMatchObject({
      allowed: false,
      step: { check: 'right', subject: 'playback', by: 'missing', sentence: 'this needs the right playback' },
    })
    expect(await deciding(String(guard.userId), 'playback')).toMatchObject({
      allowed: true,
      step: { by: 'profile', via: { kind: 'profile', id: GUARD_PROFILE, name: 'Guard' } },
    })
    expect(await deciding(String(accountId), 'addUser')).toMatchObject({ allowed: true, step: { by: 'owner' } })
    expect(await deciding('self', 'addPermissionProfile')).toMatchObject({ step: { check: 'owner', holds: true } })
  })

  test('names the camera or zone that gives access, or that none does', async () => {
    const { accountId, zoneId, token } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const of = async (access: object) => {
      const { userId } = await api.addSubUser(accountId, { rights: ['editZone'], ...access })
      const { body } = await api.call(token, `GET users/${userId}/explain?operation=getCamera&cameraId=${cameraId}`)
      const zone = await api.call(token, `GET users/${userId}/explain?operation=patchZone&zoneId=${zoneId}`)
      return { allowed: body.allowed, ...body.steps.at(-1), changesZone: zone.body.allowed }
    }
    expect(await of({ cameraIds: [cameraId] })).toMatchObject({
      allowed: true,
      check: 'camera',
      by: 'camera',
      via: { kind: 'camera', id: cameraId, name: 'Door' },
      changesZone: false,
    })
    expect(await of({ zoneIds: [zoneId] })).toMatchObject({
      by: 'zone',
      via: { kind: 'zone', id: zoneId, name: 'Shop' },
      changesZone: true,
    })
    expect(await of({ allCameras: true })).toMatchObject({ by: 'all', changesZone: true })
    expect(await of({})).toMatchObject({ allowed: false, by: 'missing', changesZone: false })
  })

  test('names the account’s status, the brand’s module, the demo user or the block', async () => {
    const { accountId, token } = await api.addAccount()
    const blocked = await api.addSubUser(accountId, { rights: [] })
    await api.call(token, `POST users/${blocked.userId}/block`)
    const ofBlocked = await api.call(token, `GET users/${blocked.userId}/explain?operation=getUser`)
    expect(ofBlocked.body).toMatchObject({ allowed: false, steps: [{ check: 'user', by: 'blocked', holds: false }] })
    const demo = await api.addSubUser(accountId, { rights: ['demoUser', 'addUser'] })
    const ofDemo = await api.call(token, `GET users/${demo.userId}/explain?operation=addUser`)
    expect(ofDemo.body.steps.at(-1)).toMatchObject({ check: 'demoUser', by: 'switch', holds: false })
    await api.owner.plain.updateTable('resellers').set({ modules: '{}' }).execute()
    const inputs = await api.addSubUser(accountId, { rights: ['deviceIORead'] })
    const overview = await api.call(token, `GET users/${inputs.userId}/explain`)
    expect(overview.body.rights).toContainEqual({ right: 'deviceIORead', holds: false, by: 'module' })
  })

  test('names both rights where either would be enough', async () => {
    const { accountId, token } = await api.addAccount()
    const modules = JSON.stringify(Object.fromEntries(allModules.map((module) => [module, true])))
    await api.owner.plain.updateTable('resellers').set({ modules }).execute()
    const { userId } = await api.addSubUser(accountId, { rights: [] })
    const { body } = await api.call(token, `GET users/${userId}/explain?operation=getCameraPorts`)
    expect(body.steps.at(-1)).toMatchObject({
      check: 'right',
      subject: 'deviceIORead',
      orSubject: 'deviceIOWrite',
      by: 'missing',
      holds: false,
      sentence: 'this needs the right deviceIORead or deviceIOWrite',
    })
  })

  test('includes the support session', async () => {
    const { accountId } = await api.addAccount()
    const all = JSON.stringify({ generateAccessToken: true })
    await api.owner.plain.updateTable('resellers').set({ modules: all }).execute()
    const token = await api.addToken({ accountId, userId: accountId }, 'support')
    const { body } = await api.call(token, 'GET users/self/explain?operation=live')
    expect(body).toMatchObject({ allowed: false, steps: [{ check: 'scope' }, { check: 'support', by: 'hidden' }] })
  })

  test.each([
    ['operation=noSuchCall', 'operation'],
    ['operation=getDistributors', 'operation'],
    ['operation=getUser&cameraId=5', 'cameraId'],
    ['operation=getCamera&zoneId=5', 'zoneId'],
  ])('%s is refused with code 3', async (query, field) => {
    const { token, accountId } = await api.addAccount()
    for (const userId of ['self', accountId]) {
      const answer = await api.call(token, `GET users/${userId}/explain?${query}`)
      expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [{ field }] } })
    }
  })
})

describe('the overview of a user’s access', () => {
  test('lists every call and camera, and agrees with what the calls return', async () => {
    const { accountId, zoneId, token } = await api.addAccount()
    const door = await api.addCamera(accountId, zoneId, 'Door')
    const yard = await api.addCamera(accountId, zoneId, 'Yard')
    const sub = await api.addSubUser(accountId, { rights: ['viewUserSettings'], cameraIds: [door] })
    const overview: Overview = (await api.call(token, `GET users/${sub.userId}/explain`)).body
    expect(overview).toMatchObject({ kind: 'overview', name: 'Ada Byron', isSuperUser: false, permissionProfile: null })
    expect(overview.operations).toHaveLength(MEMBER_OPERATIONS)
    const calls = { getUsers: 'GET users', getCameras: 'GET cameras', addUser: 'POST users' }
    for (const [operation, call] of Object.entries(calls)) {
      const isRefused = (await api.call(sub.token, call, call.startsWith('POST') ? {} : undefined)).status === 403
      expect(overview.operations.find((told) => told.operation === operation)?.allowed).toBe(!isRefused)
    }
    expect(overview.cameras).toMatchObject([
      { cameraId: door, reached: true, by: 'camera' },
      { cameraId: yard, reached: false, by: 'missing' },
    ])
  })

  test('switching one right changes exactly the operations that need it', async () => {
    const { accountId, token } = await api.addAccount()
    const { userId } = await api.addSubUser(accountId, { rights: [] })
    const allowed = async () => {
      const { operations } = (await api.call(token, `GET users/${userId}/explain`)).body as Overview
      return new Set(operations.filter((told) => told.allowed).map(({ operation }) => operation))
    }
    const without = await allowed()
    for (const right of ['viewUserSettings', 'addUser', 'editCamera', 'playback'] as const) {
      await api.call(token, `PATCH users/${userId}/rights`, { [right]: true })
      // The reseller of this account has no modules.
      const named = allRoutes
        .filter((route) => route.right === right && route.module === undefined)
        .map(({ name }) => name)
      const watched = right === 'playback' ? ['playback'] : []
      expect([...(await allowed())].filter((name) => !without.has(name)).sort()).toEqual([...named, ...watched].sort())
      await api.call(token, `PATCH users/${userId}/rights`, { [right]: false })
    }
    expect(allRights).toHaveLength(43)
  })

  test("reveals no camera out of the caller's scope, and no user or object of another account", async () => {
    const mine = await api.addAccount()
    const theirs = await api.addAccount()
    const door = await api.addCamera(mine.accountId, mine.zoneId, 'Door')
    const foreign = await api.addCamera(theirs.accountId, theirs.zoneId, 'Foreign')
    const viewer = await api.addSubUser(mine.accountId, { rights: ['viewUserSettings'] })
    expect((await api.call(viewer.token, `GET users/${mine.accountId}/explain`)).body.cameras).toEqual([])
    const unknown = [
      [viewer.token, `GET users/${mine.accountId}/explain?operation=getCamera&cameraId=${door}`],
      [viewer.token, `GET users/self/explain?operation=getZone&zoneId=${mine.zoneId}`],
      [mine.token, `GET users/self/explain?operation=getCamera&cameraId=${foreign}`],
      [mine.token, `GET users/self/explain?operation=getCamera&cameraId=999999999`],
      [mine.token, `GET users/self/explain?operation=getZone&zoneId=${theirs.zoneId}`],
      [mine.token, `GET users/${theirs.accountId}/explain`],
      [mine.token, 'GET users/999999999/explain'],
    ]
    for (const [token, request] of unknown) {
      expect(await api.call(token, request ?? '')).toMatchObject({ status: 404, body: { code: 4 } })
    }
    const plain = await api.addSubUser(mine.accountId, { rights: [] })
    expect((await api.call(plain.token, `GET users/${mine.accountId}/explain`)).body).toMatchObject({ code: 9 })
    expect((await api.call(plain.token, 'GET users/self/explain')).status).toBe(200)
  })
})
