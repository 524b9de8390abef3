import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraLogs } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [cameraLogs, cameras] })
})
afterAll(() => api[Symbol.asyncDispose]())

const START = Date.UTC(2026, 10, 1, 12)
const MINUTE_MS = 60_000

/** A camera that was connected, lost, refused and connected again, a minute apart. */
async function doorWithPast() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const lines = [
    ['info', 'connected', 'H.264, 1920 × 1080'],
    ['warning', 'connectionLost', 'the camera closed the connection'],
    ['error', 'credentialsRefused', 'the camera rejected the user name and password'],
    ['info', 'connected', 'H.264, 1920 × 1080'],
  ] as const
  await api.owner.plain
    .insertInto('camera_log')
    .values(
      lines.map(([level, event, detail], index) => ({
        account_id: accountId,
        camera_id: cameraId,
        at: instant(START + index * MINUTE_MS),
        level,
        event,
        detail,
      })),
    )
    .execute()
  return { accountId, token, cameraId, path: `GET cameras/${cameraId}/logs` }
}

type Line = { readonly event: string; readonly time: string }
const events = (lines: readonly Line[]) => lines.map(({ event }) => event)

test("a camera's log is read newest first, page by page", async () => {
  const { token, path } = await doorWithPast()
  const first = await api.call(token, `${path}?limit=3&count=true`)
  expect(first).toMatchObject({
    status: 200,
    body: [
      { time: '2026-11-01T12:03:00.000+00:00', level: 'info', event: 'connected', detail: 'H.264, 1920 × 1080' },
      { level: 'error', event: 'credentialsRefused' },
      { level: 'warning', event: 'connectionLost' },
    ],
  })
  expect(first.headers.get('x-total-count')).toBe('4')
  const next = /pageToken=([\w-]+)[^>]*>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1]
  const second = await api.call(token, `${path}?limit=3&pageToken=${next}`)
  expect(events(second.body)).toEqual(['connected'])
  expect(second.headers.get('link') ?? '').not.toContain('rel="next"')
})

test('a level includes worse ones; a span includes its beginning but not its end', async () => {
  const { token, path } = await doorWithPast()
  const found = async (query: string) => events((await api.call(token, `${path}?${query}`)).body)
  expect(await found('level=error')).toEqual(['credentialsRefused'])
  expect(await found('level=warning')).toEqual(['credentialsRefused', 'connectionLost'])
  expect(await found('from=2026-11-01T12:01:00Z&till=2026-11-01T12:03:00Z')).toEqual([
    'credentialsRefused',
    'connectionLost',
  ])
  expect(await found('till=0000-01-01T00:00:00Z')).toEqual([])
  expect((await api.call(token, `${path}?level=loud`)).body).toMatchObject({ code: 3 })
})

test("a page token that wasn't issued is refused (code 3)", async () => {
  const { token, path } = await doorWithPast()
  const made = Buffer.from(JSON.stringify(['next', 'now', 1, '-time'])).toString('base64url')
  expect((await api.call(token, `${path}?pageToken=${made}`)).body).toMatchObject({ code: 3 })
})

test('reading needs the right logFiles and access to the camera; another account gets not found (codes 9 and 4)', async () => {
  const { accountId, cameraId, path } = await doorWithPast()
  const without = await api.addSubUser(accountId, { rights: ['CameraView'], allCameras: true })
  expect((await api.call(without.token, path)).body).toMatchObject({ code: 9 })
  const elsewhere = await api.addSubUser(accountId, { rights: ['logFiles'] })
  expect((await api.call(elsewhere.token, path)).body).toMatchObject({ code: 4 })
  const allowed = await api.addSubUser(accountId, { rights: ['logFiles'], cameraIds: [cameraId] })
  expect((await api.call(allowed.token, path)).body).toHaveLength(4)
  const stranger = await api.addAccount()
  expect((await api.call(stranger.token, path)).body).toMatchObject({ code: 4 })
})

test('deleting a camera deletes its log', async () => {
  const { cameraId } = await doorWithPast()
  await api.owner.plain.deleteFrom('cameras').where('camera_id', '=', cameraId).execute()
  const left = await api.owner.plain
    .selectFrom('camera_log')
    .select('event')
    .where('camera_id', '=', cameraId)
    .execute()
  expect(left).toEqual([])
})
