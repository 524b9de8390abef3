import type { Right } from '@sightline/contract/rights'
import { MAX_SAVED_VIEWS } from '@sightline/contract/saved-views'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { savedViews } from './index.ts'

describe.each(engines)('saved views on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [savedViews], open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  /** An account with two cameras, and a sub-user who has the first. */
  const arrange = async (rights: readonly Right[] = []) => {
    const account = await api.addAccount()
    const door = await api.addCamera(account.accountId, account.zoneId, 'Door')
    const yard = await api.addCamera(account.accountId, account.zoneId, 'Yard')
    const guard = await api.addSubUser(account.accountId, { rights: ['CameraView', ...rights], cameraIds: [door] })
    return { ...account, door, yard, guard }
  }
  const logOf = (accountId: number) =>
    api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'target_kind', 'before', 'after'])
      .where('account_id', '=', accountId)
      .orderBy('at')
      .execute()

  describe('a camera group', () => {
    test('is added, listed by name, changed and deleted, and the audit log says which cameras were in it', async () => {
      const { accountId, token, door, yard } = await arrange()
      const added = await api.call(token, 'POST cameraGroups', { name: 'Night', cameraIds: [yard, door] })
      expect(added).toMatchObject({ status: 201, body: { name: 'Night', cameraIds: [yard, door], whole: true } })
      await api.call(token, 'POST cameraGroups', { name: 'all', cameraIds: [] })
      const listed = (await api.call(token, 'GET cameraGroups')).body
      expect(listed.map(({ name }: { name: string }) => name)).toEqual(['all', 'Night'])
      const path = `cameraGroups/${added.body.cameraGroupId}`
      const changed = await api.call(token, `PATCH ${path}`, { cameraIds: [door] })
      expect(changed).toMatchObject({ status: 200, body: { name: 'Night', cameraIds: [door] } })
      expect((await api.call(token, `DELETE ${path}`)).status).toBe(204)
      expect((await api.call(token, `DELETE ${path}`)).body.code).toBe(4)
      const [night, , patched, deleted] = await logOf(accountId)
      expect(night).toMatchObject({ action: 'postCameraGroup', target_kind: 'cameraGroup', after: { name: 'Night' } })
      expect(patched).toMatchObject({ before: { cameraIds: [yard, door] }, after: { cameraIds: [door] } })
      expect(deleted).toMatchObject({ action: 'deleteCameraGroup', before: { cameraIds: [door] } })
    })

    test('shows each user the cameras of their own scope, and only who has all of them changes it', async () => {
      const { token, door, yard, guard } = await arrange(['editCameraGroup', 'deleteCameraGroup'])
      const both = await api.call(token, 'POST cameraGroups', { name: 'Both', cameraIds: [door, yard] })
      await api.call(token, 'POST cameraGroups', { name: 'Vault', cameraIds: [yard] })
      const seen = await api.call(guard.token, 'GET cameraGroups')
      expect(seen.body).toMatchObject([{ name: 'Both', cameraIds: [door], whole: false }])
      const path = `cameraGroups/${both.body.cameraGroupId}`
      const refused = await api.call(guard.token, `PATCH ${path}`, { cameraIds: [] })
      expect(refused).toMatchObject({ status: 403, body: { detail: 'this needs access to all of its cameras' } })
      expect((await api.call(guard.token, `DELETE ${path}`)).status).toBe(403)
      expect((await api.call(token, 'GET cameraGroups')).body[0].cameraIds).toEqual([door, yard])
    })

    test('loses a camera that leaves the account, and can then be changed by who has the others', async () => {
      const { accountId, token, door, yard, guard } = await arrange(['editCameraGroup'])
      const { body } = await api.call(token, 'POST cameraGroups', { name: 'Both', cameraIds: [yard, door] })
      await api.owner.plain
        .deleteFrom('cameras')
        .where('account_id', '=', accountId)
        .where('camera_id', '=', yard)
        .execute()
      expect((await api.call(token, 'GET cameraGroups')).body).toMatchObject([{ cameraIds: [door], whole: true }])
      const renamed = await api.call(guard.token, `PATCH cameraGroups/${body.cameraGroupId}`, { name: 'Door' })
      expect(renamed).toMatchObject({ status: 200, body: { name: 'Door', cameraIds: [door] } })
    })

    test.each([
      ['another account', async () => (await arrange()).door],
      ['no account', async () => 4711],
    ])('takes no camera of %s, in any call', async (_of, camera) => {
      const { token, door } = await arrange()
      const foreign = await camera()
      const { body } = await api.call(token, 'POST cameraGroups', { name: 'Own', cameraIds: [door] })
      for (const request of ['POST cameraGroups', `PATCH cameraGroups/${body.cameraGroupId}`]) {
        const refused = await api.call(token, request, { name: 'Other', cameraIds: [door, foreign] })
        expect(refused).toMatchObject({ status: 404, body: { code: 4, detail: 'camera not found' } })
      }
    })

    test.each<[Right, string]>([
      ['addCameraGroup', 'POST cameraGroups'],
      ['editCameraGroup', 'PATCH cameraGroups/{id}'],
      ['deleteCameraGroup', 'DELETE cameraGroups/{id}'],
    ])('needs the right %s for %s', async (right, request) => {
      const { accountId, token, door, guard } = await arrange()
      const { body } = await api.call(token, 'POST cameraGroups', { name: 'Doors', cameraIds: [door] })
      const holder = await api.addSubUser(accountId, { rights: ['CameraView', right], cameraIds: [door] })
      const call = request.replace('{id}', String(body.cameraGroupId))
      const content = call.startsWith('DELETE') ? undefined : { name: 'New', cameraIds: [door] }
      const refused = await api.call(guard.token, call, content)
      expect(refused).toMatchObject({ status: 403, body: { detail: `this needs the right ${right}` } })
      expect((await api.call(holder.token, call, content)).status).toBeLessThan(300)
    })

    test('is refused beyond the limit, also by requests at the same moment', async () => {
      const { accountId, token } = await arrange()
      const groups = Array.from({ length: MAX_SAVED_VIEWS - 1 }, (_, index) => ({
        account_id: accountId,
        saved_view_id: index + 1,
        kind: 'cameraGroup' as const,
        name: `Group ${index}`,
        content: '{"cameraIds":[]}',
      }))
      await api.owner.plain.insertInto('saved_views').values(groups).execute()
      const add = () => api.call(token, 'POST cameraGroups', { name: 'Last', cameraIds: [] })
      const answers = await Promise.all([add(), add(), add()])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 6 })
    })

    test.each([
      [{ name: '', cameraIds: [] }, 'name'],
      [{ name: 'a'.repeat(65), cameraIds: [] }, 'name'],
      [{ name: 'Twice', cameraIds: [7, 7] }, 'cameraIds'],
      [{ name: 'None' }, 'cameraIds'],
    ])('%j is refused and %s named', async (body, field) => {
      const { token } = await api.addAccount()
      const refused = await api.call(token, 'POST cameraGroups', body)
      expect(refused).toMatchObject({ status: 400, body: { code: 3 } })
      expect(JSON.stringify(refused.body)).toContain(field)
    })
  })

  describe('a sequence', () => {
    const tour = (...cameras: number[][]) => ({
      name: 'Tour',
      steps: cameras.map((cameraIds) => ({ cameraIds, seconds: 10 })),
    })

    test('keeps the order of its steps, and leaves out those whose cameras a user has no access to', async () => {
      const { token, door, yard, guard } = await arrange(['editSequence'])
      const { body } = await api.call(token, 'POST sequences', tour([yard], [door, yard], [door]))
      expect(body).toMatchObject({ ...tour([yard], [door, yard], [door]), whole: true })
      const [seen] = (await api.call(guard.token, 'GET sequences')).body
      expect(seen).toMatchObject({ ...tour([door], [door]), whole: false })
      expect((await api.call(guard.token, `PATCH sequences/${body.sequenceId}`, tour([door]))).status).toBe(403)
      const shorter = await api.call(token, `PATCH sequences/${body.sequenceId}`, { steps: tour([door]).steps })
      expect(shorter.body).toMatchObject({ name: 'Tour', steps: [{ cameraIds: [door], seconds: 10 }] })
      expect((await api.call(token, `DELETE sequences/${body.sequenceId}`)).status).toBe(204)
    })

    test('takes no camera of another account, and none out of scope', async () => {
      const { token, door, yard, guard } = await arrange(['addSequence'])
      const { door: foreign } = await arrange()
      expect((await api.call(token, 'POST sequences', tour([door], [foreign]))).body.code).toBe(4)
      expect((await api.call(guard.token, 'POST sequences', tour([door], [yard]))).body.code).toBe(4)
      const { body } = await api.call(token, 'POST sequences', tour([door]))
      const patched = await api.call(token, `PATCH sequences/${body.sequenceId}`, tour([foreign]))
      expect(patched).toMatchObject({ status: 404, body: { code: 4 } })
    })

    test('is refused beyond the limit', async () => {
      const { accountId, token, door } = await arrange()
      const sequences = Array.from({ length: MAX_SAVED_VIEWS }, (_, index) => ({
        account_id: accountId,
        saved_view_id: index + 1,
        kind: 'sequence' as const,
        name: 'Tour',
        content: '{"steps":[]}',
      }))
      await api.owner.plain.insertInto('saved_views').values(sequences).execute()
      expect((await api.call(token, 'POST sequences', tour([door]))).body.code).toBe(6)
      expect((await api.call(token, 'PATCH sequences/4711', {})).body.code).toBe(4)
      expect((await api.call(token, 'DELETE sequences/4711')).body.code).toBe(4)
    })

    test.each([
      ['no step', []],
      ['a step without a camera', [{ cameraIds: [], seconds: 10 }]],
      ['ten cameras at once', [{ cameraIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], seconds: 10 }]],
      ['a step of two seconds', [{ cameraIds: [1], seconds: 2 }]],
      ['a step of more than an hour', [{ cameraIds: [1], seconds: 3601 }]],
    ])('with %s is refused', async (_what, steps) => {
      const { token } = await api.addAccount()
      expect(await api.call(token, 'POST sequences', { name: 'Tour', steps })).toMatchObject({ body: { code: 3 } })
    })
  })

  describe('a layout', () => {
    const tile = (cameraId: number, more: object = {}) => ({ x: 0, y: 0, w: 1, h: 1, cameraId, ...more })
    const doors = (cameraId: number, more: object = {}) => ({
      name: 'Doors',
      grid: 1,
      tiles: [tile(cameraId)],
      ...more,
    })

    test('is its user’s own: nobody else sees, changes or deletes it, not even the owner', async () => {
      const { token, door, guard } = await arrange()
      const { body } = await api.call(guard.token, 'POST layouts', doors(door))
      expect(body).toMatchObject({ name: 'Doors', grid: 1, shared: false, whole: true, tiles: [tile(door)] })
      expect((await api.call(token, 'GET layouts')).body).toEqual([])
      expect((await api.call(token, `PATCH layouts/${body.layoutId}`, { name: 'Mine' })).body.code).toBe(4)
      expect((await api.call(token, `DELETE layouts/${body.layoutId}`)).body.code).toBe(4)
      const renamed = await api.call(guard.token, `PATCH layouts/${body.layoutId}`, { name: 'Gate' })
      expect(renamed.body).toMatchObject({ name: 'Gate', grid: 1, tiles: [tile(door)] })
      expect((await api.call(guard.token, `DELETE layouts/${body.layoutId}`)).status).toBe(204)
    })

    test('that the owner shares is there for all users, without cameras they have no access to', async () => {
      const { token, door, yard, guard } = await arrange()
      const tiles = [tile(door), tile(yard, { x: 1 })]
      const { body } = await api.call(token, 'POST layouts', { name: 'All', grid: 4, tiles, shared: true })
      const [seen] = (await api.call(guard.token, 'GET layouts')).body
      expect(seen).toMatchObject({ layoutId: body.layoutId, shared: true, whole: false, grid: 4, tiles: [tile(door)] })
      for (const [method, content] of [['PATCH', {}], ['DELETE']] as const) {
        const refused = await api.call(guard.token, `${method} layouts/${body.layoutId}`, content)
        expect(refused).toMatchObject({
          status: 403,
          body: { detail: 'only the account owner can change what all users have' },
        })
      }
      const own = await api.call(token, `PATCH layouts/${body.layoutId}`, { shared: false })
      expect(own.body).toMatchObject({ shared: false })
      expect((await api.call(guard.token, 'GET layouts')).body).toEqual([])
    })

    test('is shared by the account owner only', async () => {
      const { door, guard } = await arrange()
      expect((await api.call(guard.token, 'POST layouts', doors(door, { shared: true }))).status).toBe(403)
      const { body } = await api.call(guard.token, 'POST layouts', doors(door))
      expect((await api.call(guard.token, `PATCH layouts/${body.layoutId}`, { shared: true })).status).toBe(403)
    })

    test('goes with its user', async () => {
      const { accountId, door, guard } = await arrange()
      await api.call(guard.token, 'POST layouts', doors(door))
      await api.owner.plain.deleteFrom('users').where('user_id', '=', guard.userId).execute()
      const left = api.owner.plain.selectFrom('saved_views').selectAll().where('account_id', '=', accountId)
      expect(await left.execute()).toEqual([])
    })

    test('takes no camera of another account, and none beyond the limit of one user', async () => {
      const { accountId, token, door, guard } = await arrange()
      const { door: foreign } = await arrange()
      expect((await api.call(token, 'POST layouts', doors(foreign))).body.code).toBe(4)
      const layouts = Array.from({ length: MAX_SAVED_VIEWS }, (_, index) => ({
        account_id: accountId,
        saved_view_id: index + 1,
        kind: 'layout' as const,
        user_id: guard.userId,
        name: 'Doors',
        content: '{"grid":1,"tiles":[]}',
      }))
      await api.owner.plain.insertInto('saved_views').values(layouts).execute()
      expect((await api.call(guard.token, 'POST layouts', doors(door))).body.code).toBe(6)
      expect((await api.call(token, 'POST layouts', doors(door))).status).toBe(201)
    })

    test.each([
      ['a grid of 2', doors(7, { grid: 2 })],
      ['a tile outside the grid', doors(7, { tiles: [tile(7, { x: 1 })] })],
      ['tiles that overlap', doors(7, { grid: 9, tiles: [tile(7, { w: 2, h: 2 }), tile(8, { x: 1, y: 1 })] })],
      ['a camera twice', doors(7, { grid: 4, tiles: [tile(7), tile(7, { x: 1 })] })],
    ])('with %s is refused', async (_what, body) => {
      const { token } = await api.addAccount()
      expect(await api.call(token, 'POST layouts', body)).toMatchObject({ status: 400, body: { code: 3 } })
    })

    test('changes grid and tiles together only', async () => {
      const { token, door } = await arrange()
      const { body } = await api.call(token, 'POST layouts', doors(door))
      const refused = await api.call(token, `PATCH layouts/${body.layoutId}`, { grid: 4 })
      expect(refused).toMatchObject({ status: 400, body: { code: 3 } })
      const bigger = { grid: 4, tiles: [tile(door, { w: 2, h: 2 })] }
      expect((await api.call(token, `PATCH layouts/${body.layoutId}`, bigger)).body).toMatchObject(bigger)
    })
  })

  test.each(['cameraGroups', 'sequences', 'layouts'])('%s are sorted by name or age only', async (list) => {
    const { token } = await api.addAccount()
    expect((await api.call(token, `GET ${list}?sort=-createdAt`)).status).toBe(200)
    expect(await api.call(token, `GET ${list}?sort=cameraIds`)).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('a change to an empty name is refused', async () => {
    const { token, door } = await arrange()
    const steps = [{ cameraIds: [door], seconds: 10 }]
    const group = (await api.call(token, 'POST cameraGroups', { name: 'Night', cameraIds: [door] })).body
    const sequence = (await api.call(token, 'POST sequences', { name: 'Tour', steps })).body
    for (const path of [`cameraGroups/${group.cameraGroupId}`, `sequences/${sequence.sequenceId}`]) {
      const refused = await api.call(token, `PATCH ${path}`, { name: ' ' })
      expect(refused).toMatchObject({ status: 400, body: { code: 3 } })
    }
  })
})
