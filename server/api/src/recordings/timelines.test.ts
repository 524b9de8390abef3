import { instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { recordings } from './index.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 0, 1, 12)
const at = (ms: number) => new Date(ms).toISOString().replace('Z', '+00:00')

let api: TestApi
let account: { accountId: number; token: string; zoneId: number }
let [door, hall] = [0, 0]
beforeAll(async () => {
  api = await testApi({ slices: [recordings] })
  account = await api.addAccount()
  door = await api.addCamera(account.accountId, account.zoneId, 'Door')
  hall = await api.addCamera(account.accountId, account.zoneId, 'Hall')
  api.now = Date.UTC(2026, 0, 3)
  await addRuns(door, [
    { start: 0, end: HOUR, why: null },
    { start: HOUR, end: 1.5 * HOUR, why: 'network' },
    { start: 2.25 * HOUR, end: 3 * HOUR, why: 'cameraOffline' },
    { start: 26 * HOUR, end: 26.5 * HOUR, open: true },
  ])
  await addRuns(hall, [{ start: 0, end: HOUR, why: 'disk' }])
})
afterAll(() => api[Symbol.asyncDispose]())

interface RunInput {
  readonly start: number
  readonly end: number
  readonly why?: string | null
  readonly open?: boolean
}

async function addRuns(cameraId: number, runs: readonly RunInput[]): Promise<void> {
  const of = { account_id: account.accountId, camera_id: cameraId, stream: 'main' as const }
  const rows = runs.map(({ start, end, why = null, open = false }, index) => ({
    ...of,
    run_id: String(index).padStart(32, '1'),
    started_at: instant(NOON + start),
    ended_at: instant(NOON + end),
    is_open: open,
    end_reason: why,
  }))
  await api.owner.plain.insertInto('recording_runs').values(rows).execute()
  await sql`select sum_recording_days(${account.accountId}, ${cameraId}, 'main', ${instant(NOON)}, 'infinity')`.execute(
    api.owner.plain,
  )
}

const span = (from: number, till: number) => `from=${new Date(from).toISOString()}&till=${new Date(till).toISOString()}`
const sums = (cameras: string, limits: string, interval = 'hour', token = account.token) =>
  api.call(token, `GET recordings/timelineSums?cameraIds=${cameras}&${limits}&interval=${interval}`)
const timelines = (cameras: string, limits: string, token = account.token) =>
  api.call(token, `GET recordings/timeline?cameraIds=${cameras}&${limits}`)

test('one call returns the sums of several cameras per hour, from whole hours on', async () => {
  const answer = await sums(`${hall},${door}`, span(NOON + 60_000, NOON + 3.5 * HOUR))
  expect(answer.body).toEqual({
    from: at(NOON),
    till: at(NOON + 4 * HOUR),
    intervalSeconds: 3600,
    cameras: [
      { cameraId: hall, recorded: [3600, 0, 0, 0], gaps: { disk: [0, 3600, 3600, 3600] } },
      {
        cameraId: door,
        recorded: [3600, 1800, 2700, 0],
        gaps: { network: [0, 1800, 900, 0], cameraOffline: [0, 0, 0, 3600] },
      },
    ],
  })
})

test('sums per day are those of their hours, with what is being recorded now', async () => {
  const answer = await sums(String(door), span(NOON, NOON + 24 * HOUR), 'day')
  expect(answer.body).toEqual({
    from: at(NOON - 12 * HOUR),
    till: at(NOON + 36 * HOUR),
    intervalSeconds: 86_400,
    cameras: [
      {
        cameraId: door,
        recorded: [2.25 * 3600, 1800],
        gaps: { network: [0.75 * 3600, 0], cameraOffline: [9 * 3600, 14 * 3600] },
      },
    ],
  })
  const perHour = (await sums(String(door), span(NOON - 12 * HOUR, NOON + 36 * HOUR))).body.cameras[0]
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
  expect(total(perHour.recorded)).toBe(2.75 * 3600)
  expect(total(perHour.gaps.cameraOffline)).toBe(23 * 3600)
})

test('one call returns the stretches of several cameras as the call for one camera does', async () => {
  const limits = span(NOON + HOUR, NOON + 30 * HOUR)
  const { body } = await timelines(`${door},${hall}`, limits)
  expect(body).toMatchObject({ from: at(NOON + HOUR), till: at(NOON + 30 * HOUR) })
  for (const { cameraId, segments, gaps } of body.cameras) {
    const one = await api.call(account.token, `GET cameras/${cameraId}/recordingTimeline?${limits}`)
    expect({ segments, gaps }).toEqual({ segments: one.body.segments, gaps: one.body.gaps })
  }
  expect(body.cameras.map(({ cameraId }: { cameraId: number }) => cameraId)).toEqual([door, hall])
  expect(body.cameras[1]).toMatchObject({ segments: [], gaps: [{ reason: 'disk' }] })
})

test('cameras without access are left out, and the calls need the right playback', async () => {
  const limits = span(NOON, NOON + HOUR)
  const guard = await api.addSubUser(account.accountId, { rights: ['playback'], cameraIds: [hall] })
  const stranger = await api.addAccount()
  const barred = await api.addSubUser(account.accountId, { rights: [], allCameras: true })
  for (const call of [timelines, (ids: string, of: string, token: string) => sums(ids, of, 'hour', token)]) {
    const ids = async (token: string) =>
      (await call(`${door},${hall},1,${hall}`, limits, token)).body.cameras.map(
        ({ cameraId }: { cameraId: number }) => cameraId,
      )
    expect(await ids(guard.token)).toEqual([hall])
    expect(await ids(stranger.token)).toEqual([])
    expect((await call(String(hall), limits, barred.token)).body).toMatchObject({ code: 9 })
  }
})

test('spans and numbers of cameras have limits', async () => {
  const many = Array.from({ length: 37 }, (_, index) => index + 1).join(',')
  const year = span(NOON, NOON + 365 * 24 * HOUR)
  const wrong = [
    timelines(String(door), span(NOON, NOON)),
    timelines(String(door), span(NOON, NOON + 9 * 24 * HOUR)),
    timelines(many, span(NOON, NOON + HOUR)),
    sums(String(door), span(NOON, NOON - HOUR)),
    sums(many, span(NOON, NOON + HOUR)),
    sums(`${door},${hall}`, year),
  ]
  for (const answer of wrong) expect((await answer).body).toMatchObject({ code: 3 })
  expect((await sums(`${door},${hall},3,4,5,6,7,8,9`, year, 'day')).body.cameras[0].recorded).toHaveLength(366)
})
