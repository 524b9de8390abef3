import type { RecordedPictureAnswer, RecordedPictureQuestion } from '@sightline/contract/media-plane'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { events } from './index.ts'

const NOON = Date.UTC(2026, 0, 1, 12)
const MINUTE = 60_000
const at = (ms: number) => new Date(ms).toISOString().replace('Z', '+00:00')

let api: TestApi
let account: { accountId: number; token: string; zoneId: number }
let yardZone = 0
let [door, yard] = [0, 0]
let ids: readonly number[] = []
let questions: RecordedPictureQuestion[] = []
let refusal: Exclude<RecordedPictureAnswer, { kind: 'picture' }>['kind'] | undefined
beforeAll(async () => {
  api = await testApi({
    slices: [events],
    media: {
      async recordedPicture(question) {
        questions.push(question)
        if (refusal !== undefined) return { kind: refusal }
        const contentType = question.format === 'mp4' ? 'video/mp4' : 'image/jpeg'
        return { kind: 'picture', contentType, bytes: Buffer.from(question.format), takenAt: question.at - 40 }
      },
    },
  })
  account = await api.addAccount()
  yardZone = account.zoneId + 500_000
  await api.owner.plain
    .insertInto('zones')
    .values({ account_id: account.accountId, zone_id: yardZone, name: 'Yard' })
    .execute()
  door = await api.addCamera(account.accountId, account.zoneId, 'Door')
  yard = await api.addCamera(account.accountId, yardZone, 'Yard')
  api.now = NOON + 60 * MINUTE
  ids = [
    await addEvent({ cameraId: door, minutes: 0, type: 'cameraOffline', endsAfter: 5 }),
    await addEvent({ cameraId: door, minutes: 5, type: 'cameraOnline', endsAfter: 0 }),
    await addEvent({ cameraId: yard, minutes: 7, type: 'recordingStopped' }),
    await addEvent({ cameraId: null, minutes: 8, type: 'userAction', endsAfter: 0 }),
  ]
})
afterAll(() => api[Symbol.asyncDispose]())

interface EventInput {
  readonly cameraId: number | null
  readonly minutes: number
  readonly type: string
  readonly endsAfter?: number
}

async function addEvent({ cameraId, minutes, type, endsAfter }: EventInput): Promise<number> {
  const start = NOON + minutes * MINUTE
  const row = await api.owner.plain
    .insertInto('events')
    .values({
      account_id: account.accountId,
      at: instant(start),
      ended_at: endsAfter === undefined ? null : instant(start + endsAfter * MINUTE),
      written_at: instant(start + 1000),
      type,
      source_kind: cameraId === null ? 'system' : 'camera',
      source_id: cameraId,
      source_name: cameraId === null ? 'Sightline' : 'Door',
      camera_id: cameraId,
      data: JSON.stringify({ reason: 'connectionLost' }),
      once_key: `${cameraId} ${type}`,
    })
    .returning('event_id')
    .executeTakeFirstOrThrow()
  return row.event_id
}

const list = async (query = '', token = account.token) =>
  (await api.call(token, `GET events${query}`)).body.map(({ eventId }: { eventId: number }) => ids.indexOf(eventId))

describe('GET events', () => {
  test('newest first, with source, span and both times', async () => {
    const { body } = await api.call(account.token, 'GET events')
    expect(body.map(({ eventId }: { eventId: number }) => eventId)).toEqual(ids.toReversed())
    expect(body[3]).toEqual({
      eventId: ids[0],
      type: 'cameraOffline',
      objectType: 'cameraOffline',
      source: { kind: 'camera', id: door, name: 'Door' },
      timestamp: at(NOON),
      duration: 300,
      active: false,
      writtenAt: at(NOON + 1000),
      cameraId: door,
      data: { reason: 'connectionLost' },
      read: false,
      bookmarked: false,
      note: '',
    })
    expect(body[1]).toMatchObject({ type: 'recordingStopped', duration: 0, active: true })
  })

  test('is filtered by cameras, zones, types, times and marks; unknown ids and types match nothing', async () => {
    expect(await list(`?cameraIds=${door},999`)).toEqual([1, 0])
    expect(await list(`?zoneIds=${yardZone}`)).toEqual([2])
    expect(await list('?types=cameraOnline,userAction,gremlins')).toEqual([3, 1])
    expect(await list(`?minTimestamp=2026-01-01T12:05:00Z&maxTimestamp=2026-01-01T12:07:00Z`)).toEqual([1])
    expect(await list('?bookmarked=true')).toEqual([])
    expect(await list('?types=')).toEqual([])
  })

  test('pages follow each other, and the last has no next', async () => {
    const first = await api.call(account.token, 'GET events?limit=3&count=true')
    expect(first.headers.get('x-total-count')).toBe('4')
    const link = first.headers.get('link') ?? ''
    const token = /pageToken=([\w-]+)[^>]*>; rel="next"/.exec(link)?.[1]
    expect(await list(`?limit=3&pageToken=${token}`)).toEqual([0])
    const last = await api.call(account.token, `GET events?limit=3&pageToken=${token}`)
    expect(last.headers.get('link') ?? '').not.toContain('rel="next"')
    expect((await api.call(account.token, 'GET events?pageToken=bm9uZQ')).body).toMatchObject({ code: 3 })
    const words = Buffer.from(JSON.stringify(['next', 'x', 5, '-eventId'])).toString('base64url')
    expect((await api.call(account.token, `GET events?pageToken=${words}`)).body).toMatchObject({ code: 3 })
  })

  test('a sub-user sees events of accessible cameras only, and no others of the account', async () => {
    const guard = await api.addSubUser(account.accountId, { rights: ['CameraView'], zoneIds: [yardZone] })
    expect(await list('', guard.token)).toEqual([2])
    expect(await list(`?cameraIds=${door},${yard}`, guard.token)).toEqual([2])
    expect((await api.call(guard.token, `GET events/${ids[2]}`)).status).toBe(200)
    for (const index of [0, 3]) {
      expect((await api.call(guard.token, `GET events/${ids[index]}`)).body).toMatchObject({ code: 4 })
    }
    expect(await list('', (await api.addAccount()).token)).toEqual([])
  })
})

describe('GET events/{eventId}/picture', () => {
  const path = (index: number) => `GET events/${ids[index]}/picture`

  test('is what the footage of its camera shows when it began, in a format that the caller accepts', async () => {
    questions = []
    const jpeg = await api.call(account.token, path(2))
    expect(jpeg.headers.get('content-type')).toBe('image/jpeg')
    expect(jpeg.headers.get('x-taken-at')).toBe(at(NOON + 7 * MINUTE - 40))
    expect(jpeg.headers.get('cache-control')).toContain('no-store')
    const mp4 = await api.call(account.token, path(2), undefined, { accept: 'video/mp4' })
    expect(Buffer.from(mp4.body).toString()).toBe('mp4')
    const question = { accountId: account.accountId, cameraId: yard, at: NOON + 7 * MINUTE }
    expect(questions).toEqual([
      { ...question, format: 'jpeg' },
      { ...question, format: 'mp4' },
    ])
  })

  test('needs the right to play recordings and access to the camera', async () => {
    questions = []
    const viewer = await api.addSubUser(account.accountId, { rights: ['CameraView'], allCameras: true })
    expect((await api.call(viewer.token, path(2))).body).toMatchObject({ code: 9 })
    const guard = await api.addSubUser(account.accountId, { rights: ['CameraView', 'playback'], cameraIds: [yard] })
    expect((await api.call(guard.token, path(0))).body).toMatchObject({ code: 4 })
    expect((await api.call((await api.addAccount()).token, path(2))).body).toMatchObject({ code: 4 })
    expect(questions).toEqual([])
    expect((await api.call(guard.token, path(2))).status).toBe(200)
  })

  test('the reply says why there is none: no footage, no decoder, no time, or no camera', async () => {
    refusal = 'noFootage'
    const detail = 'there is no footage of that time: none was recorded, or it was deleted'
    expect(await api.call(account.token, path(0))).toMatchObject({ status: 404, body: { code: 4, detail } })
    refusal = 'noDecoder'
    expect(await api.call(account.token, path(0))).toMatchObject({ status: 422, body: { code: 17 } })
    refusal = 'timedOut'
    expect((await api.call(account.token, path(0))).body).toMatchObject({ code: 19 })
    refusal = undefined
    const without = { code: 4, detail: 'this event has no camera, or its camera was removed' }
    expect((await api.call(account.token, path(3))).body).toMatchObject(without)
  })

  test('that a member looked at it is an entry in the audit log, one for each hour of footage', async () => {
    const guard = await api.addSubUser(account.accountId, { rights: ['CameraView', 'playback'], cameraIds: [yard] })
    for (let i = 0; i < 2; i++) expect((await api.call(guard.token, path(2))).status).toBe(200)
    const entries = await api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'target_kind', 'target_id', 'after'])
      .where('user_id', '=', guard.userId)
      .execute()
    const after = { from: at(NOON), till: at(NOON + 60 * MINUTE) }
    expect(entries).toEqual([{ action: 'recordedPicture', target_kind: 'camera', target_id: yard, after }])
  })

  test('support gets it blurred while the owner hides video, and the owner can see that', async () => {
    const { accountId } = account
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    questions = []
    for (let i = 0; i < 2; i++) expect((await api.call(support, path(2))).status).toBe(200)
    expect(questions.map(({ format }) => format)).toEqual(['blurredJpeg', 'blurredJpeg'])
    const mp4 = await api.call(support, path(2), undefined, { accept: 'video/mp4' })
    expect(mp4).toMatchObject({ status: 422, body: { code: 17 } })
    const lines = await api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'target_kind', 'target_id', 'after'])
      .where('account_id', '=', accountId)
      .where('action', '=', 'eventPicture')
      .execute()
    expect(lines).toEqual([
      { action: 'eventPicture', target_kind: 'event', target_id: ids[2], after: { picture: 'blurred' } },
    ])
  })
})

test('types are listed with their group', async () => {
  const { body } = await api.call(account.token, 'GET events/types')
  expect(body).toContainEqual({ type: 'cameraOffline', group: 'camera' })
  expect((await api.call(account.token, 'GET events/types?sort=color')).body).toMatchObject({ code: 3 })
})

describe('PATCH events/{eventId}', () => {
  test('marks and notes stay, and need the right playback and access to the camera', async () => {
    const path = `events/${ids[1]}`
    const note = 'Delivery, all right'
    const changed = await api.call(account.token, `PATCH ${path}`, { read: true, bookmarked: true, note })
    expect(changed.body).toMatchObject({ eventId: ids[1], read: true, bookmarked: true, note })
    expect((await api.call(account.token, `PATCH ${path}`, { note: '' })).body).toMatchObject({ read: true, note: '' })
    expect(await list('?read=true&bookmarked=true')).toEqual([1])
    expect((await api.call(account.token, `PATCH ${path}`, { note: 'x'.repeat(1001) })).body).toMatchObject({ code: 3 })
    const viewer = await api.addSubUser(account.accountId, { rights: ['CameraView'], allCameras: true })
    expect((await api.call(viewer.token, `PATCH ${path}`, { read: true })).body).toMatchObject({ code: 9 })
    const guard = await api.addSubUser(account.accountId, { rights: ['playback', 'CameraView'], cameraIds: [yard] })
    expect((await api.call(guard.token, `PATCH ${path}`, { read: true })).body).toMatchObject({ code: 4 })
  })
})

describe('POST cameras/{cameraId}/events', () => {
  const path = () => `POST cameras/${yard}/events`
  test('adds a custom event with its own time and details', async () => {
    const body = { type: 'custom', name: 'Badge 12', timestamp: '2026-01-01T12:30:00Z', data: { gate: 'North' } }
    const added = await api.call(account.token, path(), body)
    expect(added.status).toBe(201)
    expect(added.headers.get('location')).toContain(`events/${added.body.eventId}`)
    expect(added.body).toMatchObject({
      type: 'custom',
      source: { kind: 'camera', id: yard, name: 'Yard' },
      timestamp: at(NOON + 30 * MINUTE),
      data: { name: 'Badge 12', gate: 'North' },
    })
    expect((await api.call(account.token, `GET events/${added.body.eventId}`)).body).toEqual(added.body)
  })

  test('refuses an empty name, the future, the far past and too many details, and unknown cameras', async () => {
    const custom = { type: 'custom', name: 'Badge 12' }
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`a${index}`, 'b']))
    for (const wrong of [
      { ...custom, name: '' },
      { ...custom, timestamp: '2026-01-01T15:00:00Z' },
      { ...custom, timestamp: '2024-01-01T15:00:00Z' },
      { ...custom, data: many },
    ]) {
      expect((await api.call(account.token, path(), wrong)).body).toMatchObject({ code: 3 })
    }
    expect((await api.call(account.token, 'POST cameras/999/events', custom)).body).toMatchObject({ code: 4 })
  })
})

test('a time before the year 1 and one after the year 9999 are like the beginning and the end', async () => {
  const found = async (query: Record<string, string>) =>
    (await api.call(account.token, `GET events?${new URLSearchParams({ types: 'cameraOnline', ...query })}`)).body
      .length
  expect(await found({ minTimestamp: '0000-01-01T00:00:00Z' })).toBe(1)
  expect(await found({ maxTimestamp: '0000-01-01T00:00:00Z' })).toBe(0)
  expect(await found({ maxTimestamp: '9999-12-31T23:59:59-12:00' })).toBe(1)
})
