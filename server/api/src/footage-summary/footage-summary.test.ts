import type { SummaryPart } from '@sightline/contract/footage-summary'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idleMedia } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { footageSummary } from './index.ts'

const HOUR = 3_600_000

interface Summary {
  readonly url: string
  readonly parts: readonly SummaryPart[]
  readonly from: string
  readonly till: string
}
let api: TestApi
let clipEnd = idleMedia.clipEnd
beforeAll(async () => {
  api = await testApi({ slices: [footageSummary], media: { clipEnd: (question) => clipEnd(question) } })
})
afterAll(() => api[Symbol.asyncDispose]())

/** A camera with ten minutes of footage that began so long ago. */
async function cameraWith(footageAgoMs: number) {
  const account = await api.addAccount()
  const cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
  const started = api.now - footageAgoMs
  const times = { started_at: instant(started), ended_at: instant(started + 600_000) }
  const run = { stream: 'main', run_id: '0'.repeat(32), is_open: false } as const
  const row = { account_id: account.accountId, camera_id: cameraId, ...run, ...times }
  await api.owner.plain.insertInto('recording_runs').values(row).execute()
  return { ...account, cameraId }
}

test('the summary is of the last 24 hours, and its address opens footage of exactly that time', async () => {
  const { token, cameraId } = await cameraWith(HOUR)
  const { status, body } = await api.call(token, `GET cameras/${cameraId}/summary`)
  expect(status).toBe(200)
  expect(Date.parse(body.till) - Date.parse(body.from)).toBe(24 * HOUR)
  expect(api.now - Date.parse(body.till)).toBeLessThan(10_000)
  expect(Date.parse(body.createdAt)).toBe(api.now)
  const url = new URL(body.url)
  expect(url.pathname).toBe('/stream/summary/open')
  expect(url.searchParams.get('camera_id')).toBe(String(cameraId))
  const tickets = api.owner.plain.selectFrom('stream_tickets').selectAll().where('camera_id', '=', cameraId)
  const [row, ...others] = await tickets.execute()
  expect(others).toEqual([])
  expect(row).toMatchObject({ use: 'playback', used_at: null })
  expect([row?.from_at, row?.till_at]).toEqual([Date.parse(body.from), Date.parse(body.till)])
  expect(JSON.stringify(row)).not.toContain(url.searchParams.get('ticket'))
})

test('what several machines recorded comes in parts, each of one machine and as long as its share', async () => {
  const { accountId, token, cameraId } = await cameraWith(HOUR)
  const row = { account_id: accountId, camera_id: cameraId, run_id: '1'.repeat(32), is_open: false }
  const times = { started_at: instant(api.now - 3 * HOUR), ended_at: instant(api.now - 3 * HOUR + 1_200_000) }
  await api.owner.plain
    .insertInto('recording_runs')
    .values({ ...row, stream: 'main', ...times })
    .execute()
  const moved = api.now - 2 * HOUR
  clipEnd = async ({ from, till, stream }) => (stream === 'main' && from < moved ? moved : till)
  const { body } = await api.call(token, `GET cameras/${cameraId}/summary`)
  clipEnd = idleMedia.clipEnd
  const { parts, url, from, till }: Summary = body
  expect(parts.map((part) => [Date.parse(part.from), Date.parse(part.till), part.seconds])).toEqual([
    [Date.parse(from), moved, 20],
    [moved, Date.parse(till), 10],
  ])
  expect(url).toBe(parts[0]?.url)
  expect(new URL(parts[1]?.url ?? '').searchParams.get('seconds')).toBe('10')
  const tickets = await api.owner.plain
    .selectFrom('stream_tickets')
    .select(['from_at', 'till_at'])
    .where('camera_id', '=', cameraId)
    .orderBy('from_at')
    .execute()
  expect(tickets.map(({ from_at, till_at }) => [from_at, till_at])).toEqual(
    parts.map((part) => [Date.parse(part.from), Date.parse(part.till)]),
  )
})

test('a camera that recorded nothing in that time has no summary', async () => {
  const { token, cameraId } = await cameraWith(25 * HOUR)
  const { status, body } = await api.call(token, `GET cameras/${cameraId}/summary`)
  expect(status).toBe(404)
  expect(JSON.stringify(body)).toContain('nothing was recorded in the last 24 hours')
})

test('it needs the right playback, and access to the camera', async () => {
  const { accountId, token, cameraId } = await cameraWith(HOUR)
  const path = `GET cameras/${cameraId}/summary`
  const blind = await api.addSubUser(accountId, { rights: [], allCameras: true })
  expect((await api.call(blind.token, path)).status).toBe(403)
  const elsewhere = await api.addSubUser(accountId, { rights: ['playback'] })
  expect((await api.call(elsewhere.token, path)).status).toBe(404)
  const another = await api.addAccount()
  expect((await api.call(another.token, path)).status).toBe(404)
  expect((await api.call(token, path)).status).toBe(200)
})

test('a user who asks for videos faster than anyone can watch them has to wait', async () => {
  const rate = { perSecond: 0.1, burst: 1 }
  await using limited = await testApi({ slices: [footageSummary], streamTickets: rate })
  const { accountId, token, zoneId } = await limited.addAccount()
  const cameraId = await limited.addCamera(accountId, zoneId, 'Door')
  expect((await limited.call(token, `GET cameras/${cameraId}/summary`)).status).toBe(404)
  const { status, headers } = await limited.call(token, `GET cameras/${cameraId}/summary`)
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})
