import { id, route } from '@sightline/contract/wire'
import { engines } from '@sightline/platform/db-testing'
import { serve } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { cameras } from '../cameras/index.ts'
import { referenceLists } from '../reference-lists/index.ts'
import { type SliceReply, type TestApi, testApi } from '../slice-testing.ts'

const getNotes = route({
  name: 'getNotes',
  summary: 'Notes',
  method: 'GET',
  path: 'notes',
  access: 'public',
  support: 'yes',
  reply: z.array(z.object({ noteId: id })),
  list: { key: 'noteId', sort: ['noteId'], defaultLimit: 100 },
  errors: [],
})
let noteIds: readonly number[] = []
const noteList = serve(getNotes, async () => ok(noteIds.map((noteId) => ({ noteId }))))

describe.each(engines)('lists on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [cameras, referenceLists], open, served: [noteList] })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const etagOf = (answer: SliceReply) => answer.headers.get('etag') ?? ''

  const linkOf = (answer: SliceReply, rel: 'next' | 'prev') =>
    new RegExp(`<([^>]+)>; rel="${rel}"`).exec(answer.headers.get('link') ?? '')?.[1]
  const follow = (token: string, link: string | undefined) =>
    api.call(token, `GET ${(link ?? 'none').replace('/rest/v2.4/', '')}`)
  const names = (answer: SliceReply) => answer.body.map((camera: { name: string }) => camera.name)

  const withCameras = async (...wanted: readonly string[]) => {
    const account = await api.addAccount()
    const ids: number[] = []
    for (const name of wanted) ids.push(await api.addCamera(account.accountId, account.zoneId, name))
    return { ...account, ids }
  }

  test('without a limit the list has all cameras and no Link', async () => {
    const { token } = await withCameras('a', 'b', 'c')
    const answer = await api.call(token, 'GET cameras')
    expect(names(answer)).toEqual(['a', 'b', 'c'])
    expect(answer.headers.get('link')).toBeNull()
    expect(answer.headers.get('x-total-count')).toBeNull()
  })

  test('a Link repeats all parameters of its request, even behind a second question mark', async () => {
    const { token } = await withCameras('a', 'b', 'c')
    const answer = await api.call(token, 'GET cameras?x=a?b&limit=1&sort=-name')
    expect(names(await follow(token, linkOf(answer, 'next')))).toEqual(['b'])
  })

  test('Link leads forward and back through pages that contain every camera once', async () => {
    const { token } = await withCameras('a', 'b', 'c', 'd', 'e')
    const first = await api.call(token, 'GET cameras?limit=2&count=true&includeFields=name')
    expect([names(first), linkOf(first, 'prev')]).toEqual([['a', 'b'], undefined])
    expect(first.headers.get('x-total-count')).toBe('5')
    const second = await follow(token, linkOf(first, 'next'))
    expect(second.body).toEqual([{ name: 'c' }, { name: 'd' }])
    const third = await follow(token, linkOf(second, 'next'))
    expect([names(third), linkOf(third, 'next')]).toEqual([['e'], undefined])
    expect(names(await follow(token, linkOf(third, 'prev')))).toEqual(['c', 'd'])
    const back = await follow(token, linkOf(second, 'prev'))
    expect([names(back), linkOf(back, 'prev')]).toEqual([['a', 'b'], undefined])
  })

  test("a camera removed or added on another page doesn't hide or repeat any other", async () => {
    const { accountId, zoneId, token, ids } = await withCameras('b', 'c', 'd', 'e')
    const remove = (cameraId: number | undefined) =>
      api.owner.plain
        .deleteFrom('cameras')
        .where('camera_id', '=', cameraId ?? 0)
        .execute()
    const first = await api.call(token, 'GET cameras?limit=2')
    await api.addCamera(accountId, zoneId, 'a')
    expect(names(await follow(token, linkOf(first, 'next')))).toEqual(['d', 'e'])
    await remove(ids[0])
    expect(names(await follow(token, linkOf(first, 'next')))).toEqual(['d', 'e'])
  })

  test('the page after a deleted camera begins where the camera was', async () => {
    const { token, ids } = await withCameras('b', 'c', 'd', 'e')
    const first = await api.call(token, 'GET cameras?limit=2')
    await api.owner.plain
      .deleteFrom('cameras')
      .where('camera_id', '=', ids[1] ?? 0)
      .execute()
    expect(names(await follow(token, linkOf(first, 'next')))).toEqual(['d', 'e'])
  })

  test('sort accepts the allowed fields in both directions', async () => {
    const { token } = await withCameras('b', 'a', 'c')
    expect(names(await api.call(token, 'GET cameras?sort=-name'))).toEqual(['c', 'b', 'a'])
    const first = await api.call(token, 'GET cameras?sort=-name&limit=2')
    expect(names(first)).toEqual(['c', 'b'])
    expect(names(await follow(token, linkOf(first, 'next')))).toEqual(['a'])
  })

  test.each([
    'sort=address',
    'sort=--name',
    'limit=0',
    'limit=501',
    'limit=ten',
    'count=yes',
    'pageToken=abc',
    `pageToken=${Buffer.from('["next",1,0,"-name"]').toString('base64url')}`,
    'cameraIds=abc',
    'cameraIds=1,,2',
    'zoneIds=0',
  ])('%s is refused with code 3', async (query) => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, `GET cameras?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('camera statuses check ids and sort fields the same way', async () => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'GET cameras/all/status?cameraIds=abc')
    expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'cameraIds' }] } })
    expect((await api.call(token, 'GET cameras/all/status?sort=-lastSeen&limit=1')).body).toEqual([])
  })

  test('a list with a default limit returns that many items and a Link to the rest', async () => {
    noteIds = Array.from({ length: 250 }, (_, index) => index + 1)
    const answer = await api.call(undefined, 'GET notes')
    expect(answer.body).toHaveLength(100)
    const next = linkOf(answer, 'next') ?? ''
    expect((await api.call(undefined, `GET ${next.replace('/rest/v2.4/', '')}`)).body[0]).toEqual({ noteId: 101 })
    expect((await api.call(undefined, 'GET notes?limit=500')).body).toHaveLength(250)
    noteIds = []
    const none = await api.call(undefined, 'GET notes?count=true')
    expect([none.body, none.headers.get('x-total-count')]).toEqual([[], '0'])
  })

  test('reference lists are complete and cacheable; countries depend on the language', async () => {
    const countries = await api.call(undefined, 'GET countries')
    expect(countries.body).toHaveLength(249)
    expect(countries.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(countries.headers.get('vary')).toBe('accept-language, origin')
    const again = await api.call(undefined, 'GET countries', undefined, { 'if-none-match': etagOf(countries) })
    expect(again.status).toBe(304)
    expect((await api.call(undefined, 'GET languages')).headers.get('cache-control')).toBe('public, max-age=86400')
    const zones = await api.call(undefined, 'GET timeZones')
    const seconds = Number(/^public, max-age=(\d+)$/.exec(zones.headers.get('cache-control') ?? '')?.[1])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(900)
    expect((await api.call(undefined, 'GET countries?limit=3')).body).toHaveLength(3)
  })
})
