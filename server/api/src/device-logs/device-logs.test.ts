import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devices } from '../devices/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { deviceLogs } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [deviceLogs, devices] })
})
afterAll(() => api[Symbol.asyncDispose]())

const START = Date.UTC(2026, 10, 1, 12)
const MINUTE_MS = 60_000

async function recorderWithPast() {
  const account = await api.addAccount()
  const given = { name: 'Cellar', zoneId: account.zoneId, address: '192.0.2.60' }
  const deviceId: number = (await api.call(account.token, 'POST devices', given)).body.deviceId
  const lines = [
    ['info', 'connected', 'the device responds'],
    ['warning', 'channelOffline', 'input 3'],
    ['error', 'rebootFailed', 'the camera rejected SystemReboot'],
  ] as const
  await api.owner.plain
    .insertInto('device_log')
    .values(
      lines.map(([level, event, detail], at) => ({
        account_id: account.accountId,
        device_id: deviceId,
        at: instant(START + at * MINUTE_MS),
        level,
        event,
        detail,
      })),
    )
    .execute()
  return { ...account, deviceId, path: `GET devices/${deviceId}/logs` }
}

const events = (lines: readonly { readonly event: string }[]) => lines.map(({ event }) => event)

test("a recorder's log is read newest first, page by page, by level and time", async () => {
  const { token, path } = await recorderWithPast()
  const first = await api.call(token, `${path}?limit=2&count=true`)
  expect(events(first.body)).toEqual(['rebootFailed', 'channelOffline'])
  expect(first.headers.get('x-total-count')).toBe('3')
  const next = /pageToken=([\w-]+)[^>]*>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1]
  expect(events((await api.call(token, `${path}?limit=2&pageToken=${next}`)).body)).toEqual(['connected'])
  expect(events((await api.call(token, `${path}?level=error`)).body)).toEqual(['rebootFailed'])
  expect(events((await api.call(token, `${path}?till=2026-11-01T12:01:00Z`)).body)).toEqual(['connected'])
  expect((await api.call(token, `${path}?level=loud`)).body).toMatchObject({ code: 3 })
  const made = Buffer.from(JSON.stringify(['next', 'now', 1, '-time'])).toString('base64url')
  expect((await api.call(token, `${path}?pageToken=${made}`)).body).toMatchObject({ code: 3 })
})

test('reading needs the right logFiles and access to the recorder', async () => {
  const { accountId, zoneId, path } = await recorderWithPast()
  const without = await api.addSubUser(accountId, { rights: ['editCamera'], zoneIds: [zoneId] })
  const allowed = await api.addSubUser(accountId, { rights: ['logFiles'], zoneIds: [zoneId] })
  const elsewhere = await api.addSubUser(accountId, { rights: ['logFiles'] })
  const stranger = await api.addAccount()
  expect((await api.call(without.token, path)).body).toMatchObject({ code: 9 })
  expect((await api.call(allowed.token, path)).body).toHaveLength(3)
  for (const { token } of [elsewhere, stranger]) expect((await api.call(token, path)).status).toBe(404)
})
