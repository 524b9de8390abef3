import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instant } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { followStream } from './event-stream-testing.ts'
import { events } from './index.ts'

let api: TestApi
let account: { accountId: number; token: string; zoneId: number }
let [door, yard] = [0, 0]
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-events-'))
  api = await testApi({ slices: [events], legalFolder: folder })
  account = await api.addAccount()
  door = await api.addCamera(account.accountId, account.zoneId, 'Door')
  yard = await api.addCamera(account.accountId, account.zoneId, 'Yard')
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Adds one as media workers do: with a name in its details to recognize it. */
async function addEvent(cameraId: number, name: string): Promise<number> {
  const source = { source_kind: 'camera', source_id: cameraId, source_name: 'Door', camera_id: cameraId } as const
  const event = { account_id: account.accountId, type: 'custom', data: JSON.stringify({ name }), once_key: name }
  const row = await api.owner.plain
    .insertInto('events')
    .values({ ...event, ...source, at: instant(Date.now()) })
    .returning('event_id')
    .executeTakeFirstOrThrow()
  return row.event_id
}

const follow = (token: string, query?: string, headers?: Record<string, string>) =>
  followStream(api, token, query, headers)

test('events come when they happen, and again when they change', async () => {
  await addEvent(door, 'before')
  await using stream = await follow(account.token)
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  const eventId = await addEvent(door, 'first')
  await expect.poll(stream.names).toEqual(['first'])
  await api.call(account.token, `PATCH events/${eventId}`, { note: 'seen' })
  await expect.poll(() => stream.messages.map(({ note }) => note)).toEqual(['', 'seen'])
})

test('a stream that broke continues after the last event, without a gap and without repeating', async () => {
  let lastId = ''
  {
    await using stream = await follow(account.token)
    await addEvent(door, 'a')
    await expect.poll(stream.names).toEqual(['a'])
    lastId = stream.lastId()
  }
  const many = Array.from({ length: 150 }, (_, index) => `missed ${index}`)
  for (const name of many) await addEvent(index(name) % 2 === 0 ? door : yard, name)
  await using again = await follow(account.token, '', { 'last-event-id': lastId })
  await expect.poll(again.names).toEqual(many)
  await addEvent(yard, 'b')
  await expect.poll(again.names).toEqual([...many, 'b'])
})
const index = (name: string) => Number(name.split(' ')[1])

test('the filters of the list apply, and only accessible cameras are seen, as of now', async () => {
  const guard = await api.addSubUser(account.accountId, { rights: ['CameraView'], cameraIds: [door] })
  const stranger = await api.addAccount()
  await using all = await follow(account.token, `?cameraIds=${yard}`)
  await using theirs = await follow(guard.token)
  await using others = await follow(stranger.token)
  await addEvent(door, 'door 1')
  await addEvent(yard, 'yard 1')
  await expect.poll(all.names).toEqual(['yard 1'])
  await expect.poll(theirs.names).toEqual(['door 1'])
  await api.owner.plain
    .updateTable('user_cameras')
    .set({ camera_id: yard })
    .where('user_id', '=', guard.userId)
    .execute()
  await addEvent(door, 'door 2')
  await addEvent(yard, 'yard 2')
  await expect.poll(theirs.names).toEqual(['door 1', 'yard 2'])
  expect(others.names()).toEqual([])
})

test('a stream ends when its user is blocked, and shows nothing after that', async () => {
  const guard = await api.addSubUser(account.accountId, { rights: ['CameraView'], allCameras: true })
  await using stream = await follow(guard.token)
  await addEvent(door, 'seen')
  await expect.poll(stream.names).toEqual(['seen'])
  await api.owner.plain.updateTable('users').set({ blocked: true }).where('user_id', '=', guard.userId).execute()
  await addEvent(door, 'not seen')
  await expect.poll(stream.isOver).toBe(true)
  expect(stream.names()).toEqual(['seen'])
})

test('a stream ends when its user owes a new version of the agreement', async () => {
  const resellerId = await api.addReseller()
  const theme = JSON.stringify({ asksForAgreement: true })
  await mkdir(join(folder, String(resellerId)))
  const { token } = await api.addAccount({ resellerId })
  await using stream = await follow(token)
  expect(stream.isOver()).toBe(false)
  await writeFile(join(folder, `${resellerId}/subscriptionagreement.md`), 'Version: 1\n# Agreement\n')
  await api.owner.plain.updateTable('resellers').set({ theme }).where('reseller_id', '=', resellerId).execute()
  await expect.poll(stream.isOver).toBe(true)
})

test("a stream ends when its API key's addresses leave out its client", async () => {
  const { accountId } = await api.addAccount()
  const token = await api.addToken({ accountId, userId: accountId }, 'apiKey')
  await using stream = await follow(token)
  expect(stream.isOver()).toBe(false)
  await api.owner.plain
    .updateTable('auth.clients')
    .set({ allowed_addresses: ['198.51.100.0/24'] })
    .where('account_id', '=', accountId)
    .execute()
  await expect.poll(stream.isOver).toBe(true)
})

test('without following, what there is comes and the stream ends', async () => {
  const { body } = await api.call(account.token, 'GET events/stream?after=0&follow=false')
  const text = String(body)
  expect(text).toContain('"name":"before"')
  expect(text.split('\ndata: ').length).toBeGreaterThan(150)
  expect((await api.call(account.token, 'GET events/stream?after=x')).body).toMatchObject({ code: 3 })
  const wrong = { 'last-event-id': 'yesterday' }
  expect((await api.call(account.token, 'GET events/stream', undefined, wrong)).body).toMatchObject({ code: 3 })
})

test('HEAD starts no stream', async () => {
  const { token } = await api.addAccount()
  const head = await api.call(token, 'HEAD events/stream')
  expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, OPTIONS'])
})

test('a user has a limited number of streams; a closed one makes room', async () => {
  const { token } = await api.addAccount()
  const open = await Promise.all(Array.from({ length: 20 }, () => follow(token)))
  const refused = await api.call(token, 'GET events/stream')
  expect(refused).toMatchObject({ status: 429, body: { code: 16 } })
  await open[0]?.[Symbol.asyncDispose]()
  await expect.poll(async () => (await api.call(token, 'GET events/stream?follow=false')).status).toBe(200)
  for (const stream of open) await stream[Symbol.asyncDispose]()
})

test('guests of a demonstration share the places of their network, not those of the user they are', async () => {
  const { accountId, token } = await api.addAccount()
  const guest = await api.addToken({ accountId, userId: accountId }, 'own')
  await api.owner.plain
    .updateTable('auth.access_sessions')
    .set({ visitor: true })
    .where('token_sha256', '=', tokenSha256(guest))
    .execute()
  const open = await Promise.all(Array.from({ length: 20 }, () => follow(guest)))
  expect(await api.call(guest, 'GET events/stream')).toMatchObject({ status: 429 })
  await using own = await follow(token)
  expect(own.response.status).toBe(200)
  for (const stream of open) await stream[Symbol.asyncDispose]()
})
