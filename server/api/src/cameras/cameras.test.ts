import { encodePasswordHeader, PASSWORD_HEADER } from '@sightline/contract/credentials'
import type { MediaPlane, SnapshotFormat } from '@sightline/contract/media-plane'
import { instant } from '@sightline/platform/db'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RIGHT_PASSWORD, type TestApi, testApi } from '../slice-testing.ts'
import { streams } from '../streams/index.ts'
import { zones } from '../zones/index.ts'
import { cameras } from './index.ts'
import { snapshotFormat, toFilter } from './rules.ts'

describe.each(engines)('cameras on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    const picture = { kind: 'picture', contentType: 'video/mp4', bytes: Uint8Array.of(1, 2, 3), takenAt: 0 } as const
    api = await testApi({
      slices: [cameras, streams, zones],
      open,
      media: {
        snapshot: async ({ format }) => (format === 'mp4' ? picture : { kind: 'noDecoder' }),
        camerasChanged: () => undefined,
      },
    })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const names = (answer: { body: { name: string }[] }) => answer.body.map((camera) => camera.name)

  test('the owner sees every camera of the account, by name, and none of another account', async () => {
    const mine = await api.addAccount()
    const theirs = await api.addAccount()
    await api.addCamera(mine.accountId, mine.zoneId, 'Shop')
    await api.addCamera(mine.accountId, mine.zoneId, 'Door')
    await api.addCamera(theirs.accountId, theirs.zoneId, 'Foreign')
    expect(names(await api.call(mine.token, 'GET cameras'))).toEqual(['Door', 'Shop'])
  })

  test('a sub-user sees only assigned cameras and those in assigned zones, in the list, alone and in status', async () => {
    const { accountId, zoneId } = await api.addAccount()
    const zone2 = zoneId + 1
    await api.owner.plain.insertInto('zones').values({ account_id: accountId, zone_id: zone2, name: 'Yard' }).execute()
    const door = await api.addCamera(accountId, zoneId, 'Door')
    const till = await api.addCamera(accountId, zoneId, 'Till')
    const yard = await api.addCamera(accountId, zone2, 'Yard')
    const guard = await api.addSubUser(accountId, { rights: [] })
    const who = { account_id: accountId, user_id: guard.userId }
    await api.owner.plain
      .insertInto('user_cameras')
      .values({ ...who, camera_id: door })
      .execute()
    await api.owner.plain
      .insertInto('user_zones')
      .values({ ...who, zone_id: zone2 })
      .execute()
    expect(names(await api.call(guard.token, 'GET cameras'))).toEqual(['Door', 'Yard'])
    const statuses = (await api.call(guard.token, 'GET cameras/all/status')).body
    expect(statuses.map((status: { cameraId: number }) => status.cameraId).sort()).toEqual([door, yard].sort())
    for (const path of [
      `cameras/${till}`,
      `cameras/${till}/status`,
      `cameras/${till}/snapshot`,
      `cameras/${till}/streams`,
    ]) {
      expect((await api.call(guard.token, `GET ${path}`)).status, path).toBe(404)
    }
  })

  test('cameras of other accounts and nonexistent ones get identical replies', async () => {
    const mine = await api.addAccount()
    const theirs = await api.addAccount()
    const foreign = await api.addCamera(theirs.accountId, theirs.zoneId, 'Foreign')
    for (const tail of ['', '/status', '/snapshot', '/streams']) {
      const one = await api.call(mine.token, `GET cameras/${foreign}${tail}`)
      const two = await api.call(mine.token, `GET cameras/999999999${tail}`)
      expect([one.status, one.body]).toEqual([two.status, two.body])
      expect(one).toMatchObject({ status: 404, body: { code: 4 } })
    }
  })

  test('filters: zone, part of a name with its wildcards taken literally, online', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const door = await api.addCamera(accountId, zoneId, '100% door')
    await api.addCamera(accountId, zoneId, 'Till')
    expect(names(await api.call(token, 'GET cameras?q=%25'))).toEqual(['100% door'])
    expect(names(await api.call(token, 'GET cameras?q=DOOR'))).toEqual(['100% door'])
    expect(names(await api.call(token, `GET cameras?zoneId=${zoneId + 1}`))).toEqual([])
    await api.owner.plain
      .insertInto('camera_status')
      .values({
        account_id: accountId,
        camera_id: door,
        online: true,
        last_connection_result: 'ok',
        last_seen: instant(0),
      })
      .execute()
    expect(names(await api.call(token, 'GET cameras?online=true'))).toEqual(['100% door'])
    expect(names(await api.call(token, 'GET cameras?online=false'))).toEqual(['Till'])
    expect(await api.call(token, 'GET cameras?online=maybe')).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('several ids find each of them; unknown ids and those of other accounts find nothing and never widen the list', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const theirs = await api.addAccount()
    const yard = zoneId + 1
    await api.owner.plain.insertInto('zones').values({ account_id: accountId, zone_id: yard, name: 'Yard' }).execute()
    const door = await api.addCamera(accountId, zoneId, 'Door')
    const till = await api.addCamera(accountId, zoneId, 'Till')
    const gate = await api.addCamera(accountId, yard, 'Gate')
    const foreign = await api.addCamera(theirs.accountId, theirs.zoneId, 'Foreign')
    const found = async (query: string) => names(await api.call(token, `GET cameras?${query}`))
    expect(await found(`cameraIds=${door},${gate}`)).toEqual(['Door', 'Gate'])
    expect(await found(`cameraIds=${door},${foreign},999999`)).toEqual(['Door'])
    expect(await found(`cameraIds=${foreign}`)).toEqual([])
    expect(await found('cameraIds=')).toEqual([])
    expect(await found(`zoneIds=${zoneId},${yard}`)).toEqual(['Door', 'Gate', 'Till'])
    expect(await found(`zoneIds=${yard},${theirs.zoneId}`)).toEqual(['Gate'])
    expect(await found(`zoneIds=${theirs.zoneId}`)).toEqual([])
    expect(await found(`zoneId=${zoneId}&zoneIds=${yard}`)).toEqual([])
    expect(await found(`zoneIds=${zoneId}&cameraIds=${till},${gate}`)).toEqual(['Till'])
    const statuses = await api.call(token, `GET cameras/all/status?cameraIds=${till},${foreign}`)
    expect(statuses.body.map((status: { cameraId: number }) => status.cameraId)).toEqual([till])
  })

  test('a sub-user who asks for many ids finds only cameras in scope', async () => {
    const { accountId, zoneId } = await api.addAccount()
    const door = await api.addCamera(accountId, zoneId, 'Door')
    const till = await api.addCamera(accountId, zoneId, 'Till')
    const guard = await api.addSubUser(accountId, { rights: [] })
    await api.owner.plain
      .insertInto('user_cameras')
      .values({ account_id: accountId, user_id: guard.userId, camera_id: door })
      .execute()
    expect(names(await api.call(guard.token, `GET cameras?cameraIds=${door},${till}`))).toEqual(['Door'])
    expect(names(await api.call(guard.token, `GET cameras?zoneIds=${zoneId}`))).toEqual(['Door'])
  })

  test('a single camera has the same fields as in the list', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const [listed] = (await api.call(token, 'GET cameras')).body
    expect(await api.call(token, `GET cameras/${cameraId}`)).toMatchObject({ status: 200, body: listed })
  })

  test('a camera that never connected is offline and says so', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    expect((await api.call(token, `GET cameras/${cameraId}/status`)).body).toMatchObject({
      cameraId,
      online: false,
      lastConnectionResult: 'neverConnected',
      nextAttemptAt: null,
      lastSeen: null,
    })
  })

  test("a camera that isn't connected says why, and when it is tried again", async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const status = { account_id: accountId, camera_id: cameraId, online: false }
    await api.owner.plain
      .insertInto('camera_status')
      .values({ ...status, last_connection_result: 'codecNotSupported', next_attempt_at: instant(300_000) })
      .execute()
    const { body } = await api.call(token, `GET cameras/${cameraId}/status`)
    expect(body.lastConnectionResult).toBe('codecNotSupported')
    expect(Date.parse(body.nextAttemptAt)).toBe(300_000)
  })

  test('a snapshot is one MP4 sample if the caller accepts that, and code 17 if only a decoder could help', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const mp4 = await api.call(token, `GET cameras/${cameraId}/snapshot`, undefined, { accept: 'video/mp4' })
    expect(mp4.headers.get('content-type')).toBe('video/mp4')
    expect(mp4.headers.get('cache-control')).toContain('private')
    expect([...mp4.body]).toEqual([1, 2, 3])
    expect(await api.call(token, `GET cameras/${cameraId}/snapshot`)).toMatchObject({
      status: 422,
      body: { code: 17 },
    })
  })

  test('a whole camera can be sent back with another name', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const { body: before } = await api.call(token, `GET cameras/${cameraId}`)
    const whole = { ...before, name: 'Till' }
    expect(await api.call(token, `PATCH cameras/${cameraId}`, whole)).toMatchObject({
      status: 200,
      body: { ...before, name: 'Till' },
    })
  })

  test("a path that can't be an id is not found", async () => {
    const { token } = await api.addAccount()
    for (const id of ['0', '-1', '1e3', 'abc', '99999999999999999999', '1%27']) {
      expect(await api.call(token, `GET cameras/${id}`), id).toMatchObject({ status: 404, body: { code: 4 } })
    }
  })
})

describe('a snapshot', () => {
  let api: TestApi
  let take: MediaPlane['snapshot']
  beforeAll(async () => {
    api = await testApi({
      slices: [cameras, streams, zones],
      media: { snapshot: (question) => take(question), camerasChanged: () => undefined },
    })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  test('support gets blurred pictures while the owner hides video, and clear ones once it is shown', async () => {
    const asked: string[] = []
    const snapshot = async ({ format }: { format: SnapshotFormat }) => {
      asked.push(format)
      return { kind: 'picture', contentType: 'image/jpeg', bytes: Uint8Array.of(1), takenAt: 0 } as const
    }
    take = snapshot
    const { accountId, zoneId } = await api.addAccount()
    const path = `GET cameras/${await api.addCamera(accountId, zoneId, 'Door')}/snapshot`
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    const accepting = async (accept: string) => (await api.call(support, path, undefined, { accept })).status
    expect([await accepting('image/jpeg'), await accepting('*/*'), await accepting('video/mp4, image/jpeg')]).toEqual([
      200, 200, 200,
    ])
    const refused = await api.call(support, path, undefined, { accept: 'video/mp4' })
    expect(refused).toMatchObject({ status: 422, body: { code: 17 } })
    expect(asked).toEqual(['blurredJpeg', 'blurredJpeg', 'blurredJpeg'])
    await api.owner.plain
      .updateTable('accounts')
      .set({ helpdesk_show_video: true })
      .where('account_id', '=', accountId)
      .execute()
    expect([await accepting('image/jpeg'), await accepting('video/mp4')]).toEqual([200, 200])
    expect(asked.slice(3)).toEqual(['jpeg', 'mp4'])
    const log = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).orderBy('at')
    expect((await log.execute()).map((line) => [line.action, line.actor_name, line.after])).toEqual([
      ['snapshot', 'Sam Support', { picture: 'blurred' }],
      ['snapshot', 'Sam Support', { picture: 'clear' }],
    ])
  })

  test('without a decoder support gets no picture at all', async () => {
    take = async () => ({ kind: 'noDecoder' })
    const { accountId, zoneId } = await api.addAccount()
    const path = `GET cameras/${await api.addCamera(accountId, zoneId, 'Door')}/snapshot`
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    expect(await api.call(support, path)).toMatchObject({ status: 422, body: { code: 17 } })
  })

  test('a snapshot with a time or a size is refused with code 17, and no picture is created', async () => {
    let taken = 0
    const snapshot = async () => {
      taken += 1
      return { kind: 'picture', contentType: 'video/mp4', bytes: Uint8Array.of(1), takenAt: 0 } as const
    }
    take = snapshot
    const { accountId, token, zoneId } = await api.addAccount()
    const foreign = await api.addAccount()
    const path = `GET cameras/${await api.addCamera(accountId, zoneId, 'Door')}/snapshot`
    const asked = ['time=2026-11-20T10:00:00Z', 'resolution=640x360', 'time=', 'resolution=1x1&time=now']
    for (const query of asked) {
      const answer = await api.call(token, `${path}?${query}`, undefined, { accept: 'video/mp4' })
      expect(answer, query).toMatchObject({ status: 422, body: { code: 17 } })
      expect(await api.call(foreign.token, `${path}?${query}`)).toMatchObject({ status: 404, body: { code: 4 } })
    }
    expect(taken).toBe(0)
  })

  test.each([
    ['cameraOffline', 424, 18],
    ['timedOut', 504, 19],
  ] as const)(
    'if there is no picture because of %s, the snapshot returns %i with code %i',
    async (kind, status, code) => {
      take = async () => ({ kind })
      const { accountId, token, zoneId } = await api.addAccount()
      const cameraId = await api.addCamera(accountId, zoneId, 'Door')
      expect(await api.call(token, `GET cameras/${cameraId}/snapshot`)).toMatchObject({ status, body: { code } })
    },
  )
})

test.each([
  [undefined, 'jpeg'],
  ['video/mp4', 'mp4'],
  ['image/jpeg', 'jpeg'],
  ['video/mp4, image/jpeg', 'mp4'],
  ['image/*, video/mp4', 'jpeg'],
  ['*/*', 'jpeg'],
])('Accept %s requests %s', (accept, format) => {
  expect(snapshotFormat(accept, undefined)).toBe(format)
  expect(snapshotFormat(accept, 'shown')).toBe(format)
})

test.each([
  [undefined, 'blurredJpeg'],
  ['image/jpeg', 'blurredJpeg'],
  ['image/png', 'blurredJpeg'],
  ['video/mp4, image/jpeg', 'blurredJpeg'],
  ['video/mp4, */*', 'blurredJpeg'],
  ['video/mp4', undefined],
])('where video is hidden, Accept %s gets %s', (accept, format) =>
  expect(snapshotFormat(accept, 'hidden')).toBe(format),
)

test('search text is taken literally', () => {
  expect(toFilter({ q: ' 50%_\\ ' }).namePattern).toBe('%50\\%\\_\\\\%')
  expect(toFilter({ q: '  ' }).namePattern).toBeUndefined()
})

describe('DELETE cameras/{cameraId}', () => {
  let api: TestApi
  let notified = 0
  const password = (text: string) => ({ [PASSWORD_HEADER]: encodePasswordHeader(text) })
  beforeAll(async () => {
    const media = { snapshot: async () => ({ kind: 'cameraOffline' as const }), camerasChanged: () => void notified++ }
    api = await testApi({ slices: [cameras], media })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const oneCamera = async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    return { accountId, zoneId, token, cameraId, call: `DELETE cameras/${cameraId}` }
  }

  test('removes the camera for a right password; its footage keeps its retention', async () => {
    const { accountId, token, cameraId, call } = await oneCamera()
    notified = 0
    expect((await api.call(token, call, undefined, password(RIGHT_PASSWORD))).status).toBe(204)
    expect(notified).toBe(1)
    expect((await api.call(token, `GET cameras/${cameraId}`)).status).toBe(404)
    const removed = api.owner.plain.selectFrom('removed_cameras').selectAll().where('camera_id', '=', cameraId)
    expect(await removed.executeTakeFirst()).toMatchObject({ account_id: accountId, retention_hours: 168 })
    const event = api.owner.plain.selectFrom('events').select(['type', 'source_name']).where('camera_id', '=', cameraId)
    expect(await event.execute()).toEqual([{ type: 'cameraRemoved', source_name: 'Door' }])
    const log = api.owner.plain.selectFrom('audit_log').select(['action', 'before']).where('account_id', '=', accountId)
    expect(await log.execute()).toContainEqual({
      action: 'deleteCamera',
      before: expect.objectContaining({ name: 'Door' }),
    })
  })

  test('answers code 3 for a wrong password or none, and nothing is removed', async () => {
    const { token, cameraId, call } = await oneCamera()
    const wrong = await api.call(token, call, undefined, password('wrong'))
    expect(wrong).toMatchObject({
      status: 400,
      body: { code: 3, detail: expect.stringContaining('invalid credentials') },
    })
    const none = await api.call(token, call)
    expect(none).toMatchObject({ status: 400, body: { code: 3, detail: expect.stringContaining('password needed') } })
    expect((await api.call(token, `GET cameras/${cameraId}`)).status).toBe(200)
  })

  test.each(['locked', 'overloaded'] as const)('removes nothing while passwords are %s', async (verdict) => {
    await using other = await testApi({ slices: [cameras], password: verdict })
    const { accountId, token, zoneId } = await other.addAccount()
    const cameraId = await other.addCamera(accountId, zoneId, 'Door')
    const answer = await other.call(token, `DELETE cameras/${cameraId}`, undefined, password(RIGHT_PASSWORD))
    expect(answer).toMatchObject({ status: 429, body: { code: 16 } })
    expect((await other.call(token, `GET cameras/${cameraId}`)).status).toBe(200)
  })

  test('takes the right deleteCamera and access to the camera', async () => {
    const { accountId, zoneId, cameraId, call } = await oneCamera()
    const without = await api.addSubUser(accountId, { rights: ['editCamera'], cameraIds: [cameraId] })
    expect((await api.call(without.token, call, undefined, password(RIGHT_PASSWORD))).status).toBe(403)
    const elsewhere = await api.addSubUser(accountId, { rights: ['deleteCamera'] })
    expect((await api.call(elsewhere.token, call, undefined, password(RIGHT_PASSWORD))).status).toBe(404)
    const whole = await api.addSubUser(accountId, { rights: ['deleteCamera'], zoneIds: [zoneId] })
    expect((await api.call(whole.token, call, undefined, password(RIGHT_PASSWORD))).status).toBe(204)
  })
})
