import type { Right } from '@sightline/contract/rights'
import { type FilledZone, seesZone, type Zone } from '@sightline/contract/zones'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { zones } from './index.ts'

describe.each(engines)('zones on %s', (_engine, open) => {
  let api: TestApi
  let nextId = 5000
  beforeAll(async () => {
    api = await testApi({ slices: [cameras, zones], open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const addZone = async (accountId: number, name: string): Promise<number> => {
    const zoneId = nextId++
    await api.owner.plain.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name }).execute()
    return zoneId
  }
  const give = async (accountId: number, userId: number, of: { zones?: number[]; cameras?: number[] }) => {
    const who = { account_id: accountId, user_id: userId }
    for (const zone_id of of.zones ?? []) {
      await api.owner.plain
        .insertInto('user_zones')
        .values({ ...who, zone_id })
        .execute()
    }
    for (const camera_id of of.cameras ?? []) {
      await api.owner.plain
        .insertInto('user_cameras')
        .values({ ...who, camera_id })
        .execute()
    }
  }
  const guardOf = async (accountId: number, rights: readonly Right[], of: { zones?: number[]; cameras?: number[] }) => {
    const guard = await api.addSubUser(accountId, { rights })
    await give(accountId, guard.userId, of)
    return guard
  }
  const logOf = (accountId: number) =>
    api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'target_kind', 'target_id', 'before', 'after'])
      .where('account_id', '=', accountId)
      .orderBy('at')
      .execute()
  const ids = (answer: { body: Zone[] }) => answer.body.map((zone) => zone.zoneId).sort()

  test('the owner adds, sees, changes and deletes zones, and each change is in the audit log', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const added = await api.call(token, 'POST zones', { name: ' Yard ', latitude: 52.01, longitude: 4.36 })
    expect(added).toMatchObject({
      status: 201,
      body: {
        name: 'Yard',
        latitude: 52.01,
        longitude: 4.36,
        timeZone: null,
        mode: 'armed',
        cameraIds: [],
        whole: true,
      },
    })
    const yard = added.body.zoneId
    expect(added.headers.get('location')).toBe(`/rest/v2.4/zones/${yard}`)
    expect((await api.call(token, 'GET zones')).body.map((zone: Zone) => zone.name)).toEqual(['Shop', 'Yard'])
    expect(await api.call(token, `GET zones/${yard}`)).toMatchObject({ status: 200, body: added.body })
    const patch = { name: 'Garden', latitude: null, longitude: null, timeZone: 'Europe/Amsterdam' }
    expect(await api.call(token, `PATCH zones/${yard}`, patch)).toMatchObject({ status: 200, body: patch })
    expect(await api.call(token, `DELETE zones/${yard}`)).toMatchObject({ status: 204 })
    expect(await api.call(token, `DELETE zones/${yard}`)).toMatchObject({ status: 404, body: { code: 4 } })
    const before = { name: 'Yard', latitude: 52.01, longitude: 4.36, timeZone: null }
    expect(await logOf(accountId)).toMatchObject([
      { action: 'postZone', target_kind: 'zone', target_id: yard, before: null, after: before },
      { action: 'patchZone', before, after: patch },
      { action: 'deleteZone', before: patch, after: null },
    ])
    expect(ids(await api.call(token, 'GET zones'))).toEqual([zoneId])
  })

  test('a name has 1-64 characters and is unique in the account, in any case', async () => {
    const { token, zoneId } = await api.addAccount()
    const other = await api.addAccount()
    const add = async (name: unknown) => (await api.call(token, 'POST zones', { name })).body
    expect(await add('Café')).toMatchObject({ name: 'Café' })
    for (const same of ['café', 'CAFÉ', ' Cafe\u0301']) expect(await add(same), same).toMatchObject({ code: 5 })
    for (const wrong of ['', '   ', 'a'.repeat(65), 'a\u0007b', 7, null])
      expect(await add(wrong)).toMatchObject({ code: 3 })
    expect(await add('📷'.repeat(64))).toMatchObject({ mode: 'armed' })
    expect(await api.call(token, `PATCH zones/${zoneId}`, { name: 'CAFÉ' })).toMatchObject({
      status: 409,
      body: { code: 5 },
    })
    expect(await api.call(other.token, 'POST zones', { name: 'Café' })).toMatchObject({ status: 201 })
  })

  test('a location needs both coordinates within their bounds; a time zone comes from the TZ database', async () => {
    const { token, zoneId } = await api.addAccount()
    for (const wrong of [
      { latitude: 1 },
      { longitude: 1 },
      { latitude: null, longitude: 1 },
      { latitude: 90.1, longitude: 1 },
      { latitude: 1, longitude: -180.1 },
      { timeZone: 'Mars/Olympus' },
      { timeZone: '' },
    ]) {
      const answer = await api.call(token, `PATCH zones/${zoneId}`, wrong)
      expect(answer, JSON.stringify(wrong)).toMatchObject({ status: 400, body: { code: 3 } })
    }
    const edge = { latitude: -90, longitude: 180, timeZone: 'UTC' }
    expect(await api.call(token, `PATCH zones/${zoneId}`, edge)).toMatchObject({ status: 200, body: edge })
    expect(await api.call(token, `PATCH zones/${zoneId}`, {})).toMatchObject({ status: 200, body: edge })
  })

  test('only empty zones can be deleted, and never the last one', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const refusal = { status: 409, body: { code: 6 } }
    expect(await api.call(token, `DELETE zones/${zoneId}`)).toMatchObject(refusal)
    const yard = await addZone(accountId, 'Yard')
    await api.addCamera(accountId, zoneId, 'Door')
    const device = {
      account_id: accountId,
      device_id: yard + 1,
      name: 'Recorder',
      eth_mac_address: '02:00:00:00:00:02',
    }
    await api.owner.plain
      .insertInto('devices')
      .values({ ...device, zone_id: yard })
      .execute()
    expect(await api.call(token, `DELETE zones/${zoneId}`)).toMatchObject(refusal)
    expect(await api.call(token, `DELETE zones/${yard}`)).toMatchObject(refusal)
    expect((await api.call(token, `GET zones/${yard}`)).body.deviceIds).toEqual([device.device_id])
    await api.owner.plain.deleteFrom('devices').where('account_id', '=', accountId).execute()
    expect(await api.call(token, `DELETE zones/${yard}`)).toMatchObject({ status: 204 })
  })

  test('each call needs its own right', async () => {
    const { accountId, zoneId } = await api.addAccount()
    const calls: [string, Right, object?][] = [
      ['POST zones', 'addZone', { name: 'New' }],
      [`PATCH zones/${zoneId}`, 'editZone', { name: 'Renamed' }],
      [`DELETE zones/${zoneId}`, 'deleteZone'],
    ]
    const all = calls.map(([, right]) => right)
    for (const [request, right, body] of calls) {
      const without = await api.addSubUser(accountId, { rights: all.filter((one) => one !== right), allCameras: true })
      expect(await api.call(without.token, request, body), request).toMatchObject({ status: 403, body: { code: 9 } })
      const withIt = await api.addSubUser(accountId, { rights: [right], allCameras: true })
      expect((await api.call(withIt.token, request, body)).status, request).not.toBe(403)
    }
  })

  test('a sub-user sees assigned zones and zones of assigned cameras, with those cameras only', async () => {
    const { accountId, zoneId, token } = await api.addAccount()
    const [yard, cellar] = [await addZone(accountId, 'Yard'), await addZone(accountId, 'Cellar')]
    const door = await api.addCamera(accountId, zoneId, 'Door')
    await api.addCamera(accountId, zoneId, 'Till')
    const gate = await api.addCamera(accountId, yard, 'Gate')
    const guard = await guardOf(accountId, ['editZone', 'deleteZone'], { zones: [yard], cameras: [door] })
    const { body } = await api.call(guard.token, 'GET zones')
    expect(body).toMatchObject([
      { zoneId, cameraIds: [door], whole: false },
      { zoneId: yard, cameraIds: [gate], whole: true },
    ])
    const nothing = await api.call(token, 'GET zones/999999999')
    const unseen = await api.call(guard.token, `GET zones/${cellar}`)
    expect([unseen.status, unseen.body]).toEqual([nothing.status, nothing.body])
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Mine' } : undefined
      expect((await api.call(guard.token, `${method} zones/${cellar}`, body)).status).toBe(404)
      expect((await api.call(guard.token, `${method} zones/${zoneId}`, body)).status).toBe(403)
    }
    expect((await api.call(guard.token, `PATCH zones/${yard}`, { name: 'Mine' })).status).toBe(200)
  })

  test('zones of other accounts are not found by any call', async () => {
    const mine = await api.addAccount()
    const theirs = await api.addAccount()
    await api.addCamera(theirs.accountId, theirs.zoneId, 'Foreign')
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      const one = await api.call(mine.token, `${method} zones/${theirs.zoneId}`, body)
      const two = await api.call(mine.token, `${method} zones/999999999`, body)
      expect([one.status, one.body]).toEqual([two.status, two.body])
      expect(one).toMatchObject({ status: 404, body: { code: 4 } })
    }
    expect(ids(await api.call(mine.token, 'GET zones'))).toEqual([mine.zoneId])
  })

  test('a sub-user who adds a zone has access to it at once', async () => {
    const { accountId } = await api.addAccount()
    const guard = await guardOf(accountId, ['addZone', 'editZone', 'deleteZone'], {})
    const added = await api.call(guard.token, 'POST zones', { name: 'Mine' })
    expect(added).toMatchObject({ status: 201, body: { whole: true, cameraIds: [] } })
    const { zoneId } = added.body
    expect(ids(await api.call(guard.token, 'GET zones'))).toEqual([zoneId])
    expect(await api.call(guard.token, `DELETE zones/${zoneId}`)).toMatchObject({ status: 204 })
  })

  test('a change with an outdated If-Match is refused', async () => {
    const { token, zoneId } = await api.addAccount()
    const etag = (await api.call(token, `GET zones/${zoneId}`)).headers.get('etag') ?? ''
    const change = (name: string) => api.call(token, `PATCH zones/${zoneId}`, { name }, { 'if-match': etag })
    expect((await change('One')).status).toBe(200)
    expect(await change('Two')).toMatchObject({ status: 412, body: { code: 6 } })
  })

  /** Four zones with up to two cameras each, and a sub-user with access to some of each. */
  const atRandom = async () => {
    const chance = (of: number) => Math.random() < of
    const { accountId, zoneId } = await api.addAccount()
    const zones: FilledZone[] = []
    for (const id of [
      zoneId,
      await addZone(accountId, 'A'),
      await addZone(accountId, 'B'),
      await addZone(accountId, 'C'),
    ]) {
      const cameras: FilledZone['cameras'][number][] = []
      while (cameras.length < 2 && chance(0.7)) {
        cameras.push({ accountId, zoneId: id, cameraId: await api.addCamera(accountId, id, 'Camera') })
      }
      zones.push({ accountId, zoneId: id, cameras })
    }
    const given = {
      zones: zones.filter(() => chance(0.3)).map((zone) => zone.zoneId),
      cameras: zones.flatMap((zone) => zone.cameras.filter(() => chance(0.3)).map((camera) => camera.cameraId)),
    }
    const { token } = await guardOf(accountId, [], given)
    const access = { kind: 'some', cameraIds: new Set(given.cameras), zoneIds: new Set(given.zones) } as const
    return { zones, token, who: { accountId, isSuperUser: false, access } }
  }

  test('SQL finds the same zones as the rule, for 40 random accounts', async () => {
    const outcomes = new Set<boolean>()
    for (let round = 0; round < 40; round++) {
      const { zones, token, who } = await atRandom()
      const seen = zones.filter((zone) => seesZone(who, zone)).map((zone) => zone.zoneId)
      expect(ids(await api.call(token, 'GET zones'))).toEqual(seen.sort())
      for (const { zoneId } of zones) {
        const isSeen = seen.includes(zoneId)
        outcomes.add(isSeen)
        expect((await api.call(token, `GET zones/${zoneId}`)).status).toBe(isSeen ? 200 : 404)
      }
    }
    expect(outcomes.size).toBe(2)
  }, 60_000)

  test('a camera moved into a zone while it is deleted is never lost: 20 times at once', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const tries = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => ({
        zone: await addZone(accountId, `Zone ${at}`),
        camera: await api.addCamera(accountId, zoneId, `Camera ${at}`),
      })),
    )
    await Promise.all(
      tries.map(async ({ zone, camera }) => {
        const [moved, deleted] = await Promise.all([
          api.call(token, `PATCH cameras/${camera}`, { zoneId: zone }),
          api.call(token, `DELETE zones/${zone}`),
        ])
        expect([
          [200, 409],
          [404, 204],
        ]).toContainEqual([moved.status, deleted.status])
        const found = await api.call(token, `GET cameras/${camera}`)
        expect(found.body.zoneId).toBe(moved.status === 200 ? zone : zoneId)
        expect((await api.call(token, `GET zones/${found.body.zoneId}`)).body.cameraIds).toContain(camera)
      }),
    )
  })

  test('if all zones are deleted at once, the last one stays', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const all = [zoneId]
    for (let at = 0; at < 7; at++) all.push(await addZone(accountId, `Zone ${at}`))
    const answers = await Promise.all(all.map((zone) => api.call(token, `DELETE zones/${zone}`)))
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(7)
    expect(ids(await api.call(token, 'GET zones'))).toHaveLength(1)
  })

  test('of 20 zones added at once with the same name, one is created', async () => {
    const { token } = await api.addAccount()
    const names = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'Yard' : 'YARD'))
    const answers = await Promise.all(names.map((name) => api.call(token, 'POST zones', { name })))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.body.code === 5)).toHaveLength(19)
  })

  test("a support session can't add zones to a user's access", async () => {
    const { accountId } = await api.addAccount()
    const { userId } = await api.addSubUser(accountId, { rights: ['addZone'] })
    const asGuard = await api.addToken({ accountId, userId }, 'support')
    const asOwner = await api.addToken({ accountId, userId: accountId }, 'support')
    expect(await api.call(asGuard, 'POST zones', { name: 'Yard' })).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await api.call(asOwner, 'POST zones', { name: 'Yard' })).status).toBe(201)
    const given = api.owner.plain.selectFrom('user_zones').selectAll().where('account_id', '=', accountId)
    expect(await given.execute()).toEqual([])
  })
})
