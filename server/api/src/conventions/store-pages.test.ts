import { id, route } from '@sightline/contract/wire'
import { type Db, keysetPage } from '@sightline/platform/db'
import { engines } from '@sightline/platform/db-testing'
import { serve, toStorePage } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type SliceReply, type TestApi, testApi } from '../slice-testing.ts'

const getPlaces = route({
  name: 'getPlaces',
  summary: 'Zones, cut into pages by the store',
  method: 'GET',
  path: 'places',
  access: 'tenant',
  support: 'yes',
  reply: z.array(z.object({ zoneId: id, name: z.string() })),
  list: { key: 'zoneId', sort: ['name', 'zoneId'], defaultLimit: 3, pagedBy: 'store' },
  errors: ['validation'],
})

describe.each(engines)('lists paged by their store, on %s', (_engine, open) => {
  let api: TestApi
  let db: Db
  const places = serve(getPlaces, async (caller, { page }) => {
    const by = page.sort === 'name' ? sql<string>`lower(name)` : sql<number>`zone_id`
    const found = await db.inTenant(caller, (tx) =>
      keysetPage(tx.selectFrom('zones').select(['zone_id', 'name']), { by, key: sql<number>`zone_id` }, page),
    )
    const total = page.wantsCount ? 7 : undefined
    return ok(toStorePage(found, page, { item: (row) => ({ zoneId: row.zone_id, name: row.name }), total }))
  })
  beforeAll(async () => {
    api = await testApi({ slices: [], open, served: [places] })
    db = api.app
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const names = (answer: SliceReply) => answer.body.map((place: { name: string }) => place.name)
  const linkOf = (answer: SliceReply, rel: 'next' | 'prev') =>
    new RegExp(`</rest/v2.4/([^>]+)>; rel="${rel}"`).exec(answer.headers.get('link') ?? '')?.[1]
  const withZones = async (...wanted: readonly string[]) => {
    const { accountId, token, zoneId } = await api.addAccount()
    await api.owner.plain.deleteFrom('zones').where('zone_id', '=', zoneId).execute()
    const rows = wanted.map((name, at) => ({ account_id: accountId, zone_id: accountId * 8 + at, name }))
    if (rows.length > 0) await api.owner.plain.insertInto('zones').values(rows).execute()
    return token
  }
  const walk = async (token: string, first: string, rel: 'next' | 'prev') => {
    const pages: string[][] = []
    for (let at: string | undefined = first; at !== undefined; ) {
      const answer: SliceReply = await api.call(token, `GET ${at}`)
      expect(answer.status).toBe(200)
      pages.push(names(answer))
      at = linkOf(answer, rel)
    }
    return pages
  }

  test('pages contain every item once, forward and back, in both sort directions', async () => {
    const token = await withZones('d', 'B', 'a', 'e', 'C', 'g', 'f')
    expect(await walk(token, 'places', 'next')).toEqual([['a', 'B', 'C'], ['d', 'e', 'f'], ['g']])
    expect(await walk(token, 'places?sort=-name&limit=4', 'next')).toEqual([
      ['g', 'f', 'e', 'd'],
      ['C', 'B', 'a'],
    ])
    const second = linkOf(await api.call(token, 'GET places'), 'next') ?? ''
    const third = linkOf(await api.call(token, `GET ${second}`), 'next') ?? ''
    expect(await walk(token, third, 'prev')).toEqual([['g'], ['d', 'e', 'f'], ['a', 'B', 'C']])
    expect(linkOf(await api.call(token, 'GET places'), 'prev')).toBeUndefined()
  })

  test('the count is returned on request; an empty list has no Link', async () => {
    const token = await withZones()
    const answer = await api.call(token, 'GET places?count=true')
    expect([answer.body, answer.headers.get('link'), answer.headers.get('x-total-count')]).toEqual([[], null, '7'])
  })

  test('a page token from another sort order, a forged one and an unknown sort field are refused', async () => {
    const token = await withZones('a', 'b', 'c', 'd')
    const next = linkOf(await api.call(token, 'GET places'), 'next') ?? ''
    const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
    const made = [
      `places?pageToken=${forged('next', 'a\u0000', 1, 'name')}`,
      `places?sort=zoneId&pageToken=${forged('next', 'abc', 1, 'zoneId')}`,
      `places?sort=zoneId&pageToken=${forged('next', 1.5, 1, 'zoneId')}`,
      `places?sort=zoneId&pageToken=${forged('next', 1e300, 1, 'zoneId')}`,
    ]
    for (const address of [
      ...made,
      `${next}&sort=-name`,
      'places?pageToken=abc',
      'places?sort=color',
      'places?limit=0',
    ]) {
      expect(await api.call(token, `GET ${address}`)).toMatchObject({ status: 400, body: { code: 3 } })
    }
  })
})
