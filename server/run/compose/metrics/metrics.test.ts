import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WorkerFigures, workerTally } from '@sightline/media/control'
import { expect, test } from 'vitest'
import type { SignerMetrics } from './audit-metrics.ts'
import { countedPages } from './counted-pages.ts'
import { startMetrics } from './metrics.ts'
import { requestMetrics } from './request-metrics.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

let unsignedEntries: number | undefined = 0
const audit: SignerMetrics = {
  figures: () => ({ signedEntries: 5, checkpoints: 1, caughtUpAt: Date.now() - 90_000 }),
  unsignedEntries: async () => unsignedEntries,
}

const jobs = { figures: async () => [] }
const mails = { figures: async () => ({ waiting: 3, longestWaitMs: 1500, givenUp: 0 }) }

const quiet = { requests: requestMetrics(), pools: new Map() }

test('operators see memory, processor and current problems', async () => {
  const port = await freePort()
  let problems: readonly string[] = []
  await using _metrics = await startMetrics(port, {
    problems: async () => problems,
    figures: async () => new Map(),
    audit,
    mails,
    jobs,
    ...quiet,
  })
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(await read()).toMatch(/^process_resident_memory_bytes \d+/m)
  expect(await read()).toMatch(/^sightline_problems 0$/m)
  problems = ['the database is not responding']
  expect(await read()).toMatch(/^sightline_problems 1$/m)
  expect(await (await fetch(`http://127.0.0.1:${port}/problems`)).json()).toEqual(problems)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
})

test("another site's page that points its own name here can't read metrics or problems", async () => {
  const port = await freePort()
  const parts = { problems: async () => ['secret'], figures: async () => new Map(), audit, mails, jobs, ...quiet }
  await using _metrics = await startMetrics(port, parts)
  const statusFor = (path: string, host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, headers: { host } }, (res) => {
        res.resume()
        resolve(res.statusCode)
      }).on('error', reject)
    })
  for (const path of ['/metrics', '/problems']) {
    for (const host of ['127.0.0.1', `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      expect([path, host, await statusFor(path, host)]).toEqual([path, host, 200])
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'])
      expect([path, host, await statusFor(path, host)]).toEqual([path, host, 404])
  }
})

test("requests to the authorization server's pages are counted by page, never by address", async () => {
  const noted: (readonly [string, number])[] = []
  const handle = countedPages(
    (req, res) => void res.writeHead(req.url === '/auth/session' ? 401 : 200).end(),
    ({ route, status }) => noted.push([route, status]),
  )
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const path of [
    '/oauth/authorize?client_id=x',
    '/OAuth/Token/',
    '/oauth/introspect',
    '/oauth/revoke',
    '/oauth/userinfo',
    '/oauth/jwks',
    '/oauth/end-session/confirm',
    '/.well-known/openid-configuration',
    '/sign-in/abcdefghijklmnopqrstu',
    '/sign-in/abcdefghijklmnopqrstu/passkey',
    '/sign-in/password/secret-of-a-mail',
    '/auth/session',
    '/auth/passwordResets/secret',
    '/oauth/anything-else',
    '/constructor',
  ]) {
    await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  }
  await new Promise((resolve) => server.close(resolve))
  await expect.poll(() => noted.length).toBe(15)
  expect(noted).toEqual([
    ['oauthAuthorize', 200],
    ['oauthToken', 200],
    ['oauthIntrospect', 200],
    ['oauthRevoke', 200],
    ['oauthUserinfo', 200],
    ['oauthJwks', 200],
    ['oauthEndSession', 200],
    ['wellKnown', 200],
    ['signIn', 200],
    ['signInPasskey', 200],
    ['passwordLink', 200],
    ['signInSession', 401],
    ['passwordReset', 200],
    ['unknown', 200],
    ['unknown', 200],
  ])
})

test('operators see the progress of the audit log signer', async () => {
  const port = await freePort()
  const parts = { problems: async () => [], figures: async () => new Map(), audit, mails, jobs, ...quiet }
  await using _metrics = await startMetrics(port, parts)
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  unsignedEntries = 12
  expect(await read()).toMatch(/^sightline_audit_unsealed_lines 12$/m)
  expect(await read()).toMatch(/^sightline_audit_last_sealed_age_seconds 9\d(\.\d+)?$/m)
  unsignedEntries = undefined
  expect(await read()).toMatch(/^sightline_audit_unsealed_lines NaN$/im)
})

test('operators see how many requests each call had, how long they took, and waits for the database', async () => {
  const port = await freePort()
  const requests = requestMetrics()
  const pools = new Map([['app' as const, { connections: () => ({ total: 5, idle: 2, waiting: 7 }) }]])
  await using _metrics = await startMetrics(port, {
    problems: async () => [],
    figures: async () => new Map(),
    audit,
    mails,
    jobs,
    requests,
    pools,
  })
  requests.note({ route: 'listCameras', status: 200, seconds: 0.03 })
  requests.note({ route: 'listCameras', status: 204, seconds: 0.3 })
  requests.note({ route: 'listCameras', status: 404, seconds: 0.001 })
  const lines = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n')
  for (const line of [
    'sightline_http_requests_total{route="listCameras",status="2xx"} 2',
    'sightline_http_requests_total{route="listCameras",status="4xx"} 1',
    'sightline_http_request_duration_seconds_bucket{le="0.05",route="listCameras"} 2',
    'sightline_http_request_duration_seconds_count{route="listCameras"} 3',
    'sightline_database_connections{role="app",state="busy"} 3',
    'sightline_database_connections{role="app",state="idle"} 2',
    'sightline_database_waiting{role="app"} 7',
  ]) {
    expect(lines).toContain(line)
  }
})

test("operators see each media worker's figures, but none for a worker that doesn't answer", async () => {
  const port = await freePort()
  using tally = workerTally()
  let workers = new Map<string, WorkerFigures>()
  await using _metrics = await startMetrics(port, {
    problems: async () => [],
    figures: async () => workers,
    audit,
    mails,
    jobs,
    ...quiet,
  })
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(await read()).not.toMatch(/^sightline_media_\w+[{ ]/m)
  tally.recorded.pictures += 250
  tally.recorded.bytes += 1_000_000
  using open = tally.openReceived()
  open.counters.lostPackets += 2
  {
    using over = tally.openReceived()
    over.counters.lostPackets += 1
  }
  tally.viewers.live += 1
  tally.refused.streams += 2
  tally.leases.late += 3
  tally.leases.lapsed += 1
  tally.synced(0.004, 'done')
  tally.synced(0.3, 'failed')
  tally.synced(10, 'done')
  const database = { work: { total: 6, idle: 1, waiting: 9 }, leases: { total: 1, idle: 1, waiting: 0 } }
  const situations = ['recorded', 'recorded', 'offline'] as const
  workers = new Map([
    ['media-1', tally.figures({ cameras: situations, refusedCameras: 0, freeDiskBytes: 5_000_000, database })],
  ])
  const lines = (await read()).split('\n')
  for (const line of [
    '# TYPE sightline_media_cameras gauge',
    'sightline_media_cameras{worker="media-1",state="recorded"} 2',
    'sightline_media_cameras{worker="media-1",state="unrecorded"} 0',
    'sightline_media_cameras{worker="media-1",state="offline"} 1',
    'sightline_media_cameras_wanted{worker="media-1"} 3',
    'sightline_media_viewers{worker="media-1",use="live"} 1',
    'sightline_media_refused_streams_total{worker="media-1"} 2',
    'sightline_media_late_lease_renewals_total{worker="media-1",state="held"} 2',
    'sightline_media_late_lease_renewals_total{worker="media-1",state="lapsed"} 1',
    'sightline_media_free_disk_bytes{worker="media-1"} 5000000',
    'sightline_media_database_connections{worker="media-1",use="work",state="busy"} 5',
    'sightline_media_database_connections{worker="media-1",use="leases",state="idle"} 1',
    'sightline_media_database_waiting{worker="media-1",use="work"} 9',
    'sightline_media_recorded_pictures_total{worker="media-1"} 250',
    'sightline_media_recorded_bytes_total{worker="media-1"} 1000000',
    'sightline_media_lost_packets_total{worker="media-1"} 3',
    'sightline_media_sync_failures_total{worker="media-1"} 1',
    '# TYPE sightline_media_sync_duration_seconds histogram',
    'sightline_media_sync_duration_seconds_bucket{worker="media-1",le="0.0025"} 0',
    'sightline_media_sync_duration_seconds_bucket{worker="media-1",le="0.005"} 1',
    'sightline_media_sync_duration_seconds_bucket{worker="media-1",le="0.5"} 2',
    'sightline_media_sync_duration_seconds_bucket{worker="media-1",le="+Inf"} 3',
    'sightline_media_sync_duration_seconds_count{worker="media-1"} 3',
    'sightline_media_sync_duration_seconds_sum{worker="media-1"} 10.304',
  ]) {
    expect(lines).toContain(line)
  }
  // Every line is of the text format: a comment, or name, labels and a number.
  for (const line of lines) expect(line).toMatch(/^$|^# (HELP|TYPE) \w+ .+$|^\w+(\{[^}]*\})? [-+0-9.eInfNa]+$/)
})
