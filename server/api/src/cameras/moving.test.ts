import type { Right } from '@sightline/contract/rights'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameras } from './index.ts'

describe.each(engines)('changing and moving cameras on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [cameras], open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  /** Two zones with a camera each; the third is empty. */
  const withZones = async () => {
    const account = await api.addAccount()
    const { accountId, zoneId: shop } = account
    const [yard, cellar] = [5001, 5002]
    const rows = [
      { account_id: accountId, zone_id: yard, name: 'Yard' },
      { account_id: accountId, zone_id: cellar, name: 'Cellar' },
    ]
    await api.owner.plain.insertInto('zones').values(rows).execute()
    const door = await api.addCamera(accountId, shop, 'Door')
    const gate = await api.addCamera(accountId, yard, 'Gate')
    return { ...account, shop, yard, cellar, door, gate }
  }
  const guardOf = async (accountId: number, rights: readonly Right[], of: { zones?: number[]; cameras?: number[] }) => {
    const guard = await api.addSubUser(accountId, { rights })
    const who = { account_id: accountId, user_id: guard.userId }
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
    return guard.token
  }

  test('name, zone and time zone can be changed; the audit log has the values before and after', async () => {
    const { accountId, token, shop, yard, door } = await withZones()
    const patch = { name: ' Back door ', zoneId: yard, timeZone: 'Asia/Tokyo' }
    const changed = await api.call(token, `PATCH cameras/${door}`, patch)
    const after = { name: 'Back door', zoneId: yard, timeZone: 'Asia/Tokyo' }
    expect(changed).toMatchObject({ status: 200, body: { cameraId: door, ...after } })
    expect((await api.call(token, `GET cameras/${door}`)).body).toEqual(changed.body)
    expect((await api.call(token, `PATCH cameras/${door}`, { timeZone: null })).body).toMatchObject({ timeZone: null })
    const log = api.owner.plain.selectFrom('audit_log').select(['action', 'target_id', 'before', 'after'])
    expect(await log.where('account_id', '=', accountId).orderBy('at').limit(1).execute()).toMatchObject([
      { action: 'patchCamera', target_id: door, before: { name: 'Door', zoneId: shop, timeZone: null }, after },
    ])
  })

  test('a name has 1-64 characters, and a time zone comes from the TZ database', async () => {
    const { token, door } = await withZones()
    for (const wrong of [
      { name: '' },
      { name: ' ' },
      { name: 'a'.repeat(65) },
      { name: null },
      { timeZone: 'Moon' },
      { zoneId: 0 },
    ]) {
      const answer = await api.call(token, `PATCH cameras/${door}`, wrong)
      expect(answer, JSON.stringify(wrong)).toMatchObject({ status: 400, body: { code: 3 } })
    }
  })

  test('a change needs the right editCamera and access to the camera', async () => {
    const { accountId, shop, door, gate } = await withZones()
    const blind = await guardOf(accountId, [], { zones: [shop] })
    expect((await api.call(blind, `PATCH cameras/${door}`, { name: 'Mine' })).status).toBe(403)
    const guard = await guardOf(accountId, ['editCamera'], { cameras: [door] })
    expect((await api.call(guard, `PATCH cameras/${door}`, { name: 'Mine' })).status).toBe(200)
    const out = await api.call(guard, `PATCH cameras/${gate}`, { name: 'Mine' })
    const none = await api.call(guard, 'PATCH cameras/999999999', { name: 'Mine' })
    expect([out.status, out.body]).toEqual([none.status, none.body])
    expect(out).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('a zone of another account, one out of scope and a nonexistent one are all not found', async () => {
    const { accountId, token, shop, cellar, door } = await withZones()
    const theirs = await withZones()
    const guard = await guardOf(accountId, ['editCamera'], { zones: [shop] })
    const none = await api.call(token, `PATCH cameras/${door}`, { zoneId: 999_999_999 })
    expect(none).toMatchObject({ status: 404, body: { code: 4 } })
    for (const answer of [
      await api.call(token, `PATCH cameras/${door}`, { zoneId: theirs.shop }),
      await api.call(guard, `PATCH cameras/${door}`, { zoneId: cellar }),
      await api.call(guard, `PATCH cameras/${door}`, { zoneId: theirs.shop }),
    ]) {
      expect([answer.status, answer.body]).toEqual([none.status, none.body])
    }
    expect((await api.call(token, `GET cameras/${door}`)).body.zoneId).toBe(shop)
  })

  test('a sub-user can move a camera only between zones that they manage', async () => {
    const { accountId, shop, yard, cellar, door, gate } = await withZones()
    const both = await guardOf(accountId, ['editCamera'], { zones: [shop, cellar] })
    expect((await api.call(both, `PATCH cameras/${door}`, { zoneId: cellar })).status).toBe(200)
    expect((await api.call(both, `PATCH cameras/${door}`, { zoneId: shop })).status).toBe(200)
    // Otherwise he could pass borrowed access on to users of the other zone.
    const lent = await guardOf(accountId, ['editCamera'], { zones: [cellar], cameras: [door] })
    expect(await api.call(lent, `PATCH cameras/${door}`, { zoneId: cellar })).toMatchObject({
      status: 403,
      body: { code: 9 },
    })
    // They would take their camera to users of a zone in which they have only one camera.
    const peeking = await guardOf(accountId, ['editCamera'], { zones: [shop], cameras: [gate] })
    expect((await api.call(peeking, `PATCH cameras/${door}`, { zoneId: yard })).status).toBe(403)
    const everything = await api.addSubUser(accountId, { rights: ['editCamera'], allCameras: true })
    expect((await api.call(everything.token, `PATCH cameras/${door}`, { zoneId: yard })).status).toBe(200)
  })

  test('users with only the old zone lose the camera, and users with the new zone gain it', async () => {
    const { accountId, token, shop, yard, door } = await withZones()
    const left = await guardOf(accountId, [], { zones: [shop] })
    const gained = await guardOf(accountId, [], { zones: [yard] })
    const statuses = async () => [
      (await api.call(left, `GET cameras/${door}`)).status,
      (await api.call(gained, `GET cameras/${door}`)).status,
    ]
    expect(await statuses()).toEqual([200, 404])
    await api.call(token, `PATCH cameras/${door}`, { zoneId: yard })
    expect(await statuses()).toEqual([404, 200])
  })

  test('of 20 changes with the same If-Match only one succeeds', async () => {
    const { token, door } = await withZones()
    const etag = (await api.call(token, `GET cameras/${door}`)).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        api.call(token, `PATCH cameras/${door}`, { name: `Door ${at}` }, { 'if-match': etag }),
      ),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 412)).toHaveLength(19)
  })

  test('a support session can change a camera but not move it, because that decides who sees it', async () => {
    const { accountId, token, shop, yard, door } = await withZones()
    const guard = await guardOf(accountId, [], { zones: [yard] })
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    const refusal = { status: 403, body: { code: 9, detail: "cameras can't be moved in a support session" } }
    expect(await api.call(support, `PATCH cameras/${door}`, { zoneId: yard })).toMatchObject(refusal)
    expect((await api.call(guard, `GET cameras/${door}`)).status).toBe(404)
    expect((await api.call(support, `PATCH cameras/${door}`, { name: 'Gate 2', zoneId: shop })).status).toBe(200)
    expect((await api.call(token, `PATCH cameras/${door}`, { zoneId: yard })).status).toBe(200)
  })
})
