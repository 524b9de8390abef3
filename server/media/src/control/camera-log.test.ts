import { MS_PER_DAY, MS_PER_HOUR, manualClock } from '@sightline/platform/clock'
import { idSource, instant } from '@sightline/platform/db'
import { testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { describe, expect, test } from 'vitest'
import type { TrackConfig } from '../frame/index.ts'
import type { CameraFaultKind, CameraState } from '../source/index.ts'
import { type CameraEvent, cameraEvents } from './camera-events.ts'
import { type CameraLogRecord, LogRateLimit, MAX_ENTRIES_PER_HOUR, openCameraLog } from './camera-log.ts'
import { dropOldLogEntries, insertLogEntries } from './store.ts'

const NOON = Date.UTC(2026, 0, 1, 12)
const video: TrackConfig = {
  kind: 'video',
  codec: 'h264',
  codecString: 'avc1.640028',
  width: 1920,
  height: 1080,
  parameterSets: [],
}
const audio: TrackConfig = {
  kind: 'audio',
  codec: 'aac',
  codecString: 'mp4a.40.2',
  sampleRate: 16_000,
  channels: 1,
  config: new Uint8Array(),
}
const online: CameraState = { kind: 'online', tracks: [video] }
const offline = (kind: CameraFaultKind, detail: string): CameraState => ({
  kind: 'offline',
  cause: { kind, detail },
  retryInMs: 500,
})
const diskFull = Object.assign(new Error('write'), { code: 'ENOSPC' })

function watched() {
  const clock = manualClock(NOON)
  const told: CameraEvent[] = []
  const camera = cameraEvents((event) => told.push(event), clock.now)
  const lines = () => told.splice(0).map(({ level, event, detail }) => `${level} ${event}: ${detail}`)
  return { clock, camera, lines }
}

describe("a camera's log", () => {
  test("has one entry each for connecting and recording, with the camera's format", () => {
    const { camera, lines } = watched()
    camera.connection({ kind: 'connecting', attempt: 0 })
    const withSound: CameraState = { kind: 'online', tracks: [video, audio] }
    camera.connection(withSound)
    camera.connection(withSound)
    camera.recording({ kind: 'ok' })
    camera.recording({ kind: 'ok' })
    expect(lines()).toEqual([
      'info connected: H.264, 1920 × 1080, AAC audio',
      'info recordingStarted: recording started',
    ])
  })

  test('has one entry for each cause of a lost connection, however many retries, and then the length of the gap', () => {
    const { camera, clock, lines } = watched()
    camera.connection(online)
    camera.recording({ kind: 'ok' })
    lines()
    camera.connection(offline('closed', 'the camera closed the connection'))
    clock.advance(20_000)
    camera.connection(offline('unreachable', 'no response from port 554'))
    camera.connection(offline('unreachable', 'no response from port 554'))
    clock.advance(14_000)
    camera.connection(online)
    expect(lines()).toEqual([
      'warning connectionLost: the camera closed the connection',
      'warning connectionFailed: no response from port 554',
      'info connected: H.264, 1920 × 1080',
      'warning gap: no footage for 34 s: the camera closed the connection',
    ])
  })

  test('has its own error for rejected credentials', () => {
    const { camera, lines } = watched()
    camera.connection(offline('credentialsIncorrect', 'the camera rejected the user name and password'))
    expect(lines()).toEqual(['error credentialsRefused: the camera rejected the user name and password'])
  })

  test('has a disk error in words without a path, and the gap once recording resumes', () => {
    const { camera, clock, lines } = watched()
    camera.connection(online)
    camera.recording({ kind: 'ok' })
    lines()
    camera.recording({ kind: 'diskFault', cause: diskFull })
    camera.recording({ kind: 'diskFault', cause: diskFull })
    clock.advance(10 * 60_000)
    camera.recording({ kind: 'ok' })
    expect(lines()).toEqual([
      'error recordingFailed: the disk is full',
      'info recordingStarted: recording started',
      'warning gap: no footage for 10 min: the disk is full',
    ])
  })

  test('has an entry for a stop if footage was being recorded', () => {
    const { camera, lines } = watched()
    camera.closed()
    expect(lines()).toEqual([])
    camera.connection(online)
    camera.recording({ kind: 'ok' })
    lines()
    camera.closed()
    expect(lines()).toEqual(['info recordingStopped: the server stopped, or the camera settings changed'])
  })
})

const entry = (given: Partial<CameraLogRecord> = {}): CameraLogRecord => ({
  accountId: 1000,
  cameraId: 2001,
  at: NOON,
  level: 'warning',
  event: 'connectionLost',
  detail: 'the connection was closed',
  ...given,
})

describe('a camera that keeps reconnecting', () => {
  test(`has ${MAX_ENTRIES_PER_HOUR} entries in an hour, and then one that counts the others`, () => {
    const limit = new LogRateLimit()
    const written = Array.from({ length: 5000 }, (_, index) =>
      limit.admit(entry({ at: NOON + index * 100, event: index % 2 === 0 ? 'connectionLost' : 'connected' })),
    ).flat()
    expect(written).toHaveLength(MAX_ENTRIES_PER_HOUR)
    expect(limit.admit(entry({ cameraId: 2002 }))).toHaveLength(1)
    expect(limit.over(NOON + MS_PER_HOUR - 1)).toEqual([])
    expect(limit.over(NOON + MS_PER_HOUR)).toEqual([
      entry({
        at: NOON + MS_PER_HOUR,
        event: 'repeated',
        detail: '4970 more within the hour, not listed individually: 2485 connectionLost, 2485 connected',
      }),
    ])
    expect(limit.admit(entry({ at: NOON + MS_PER_HOUR }))).toHaveLength(1)
  })

  test('gets that count before the next entry, without waiting for a timer', () => {
    const limit = new LogRateLimit()
    for (let index = 0; index <= MAX_ENTRIES_PER_HOUR; index++) limit.admit(entry())
    const later = limit.admit(entry({ at: NOON + 2 * MS_PER_HOUR }))
    expect(later.map(({ event }) => event)).toEqual(['repeated', 'connectionLost'])
  })
})

describe('the log in the database', () => {
  test('stores entries in order, none for a deleted camera, and deletes them after 90 days', async () => {
    await using database = await testDatabase()
    const owner = database.db('owner')
    const ids = idSource(owner)
    const [accountId, zoneId, cameraId] = [await ids.next(), await ids.next(), await ids.next()]
    await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
    await owner.plain
      .insertInto('resellers')
      .values({ reseller_id: 255, distributor_id: 1, name: 'Reseller' })
      .execute()
    await owner.plain.insertInto('accounts').values({ account_id: accountId, reseller_id: 255, name: 'Shop' }).execute()
    await owner.plain.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name: 'Shop' }).execute()
    const where = { address: '192.0.2.7', rtsp_port: 554, main_path: '/main', eth_mac_address: '02:00:00:00:00:01' }
    const key = { account_id: accountId, camera_id: cameraId }
    await owner.plain
      .insertInto('cameras')
      .values({ ...key, zone_id: zoneId, name: 'Door', ...where })
      .execute()
    const old = { ...key, level: 'info', event: 'connected', detail: '' } as const
    await owner.plain
      .insertInto('camera_log')
      .values([
        { ...old, at: instant(NOON - 91 * MS_PER_DAY) },
        { ...old, at: instant(NOON - 89 * MS_PER_DAY) },
      ])
      .execute()
    const kept = () => owner.plain.selectFrom('camera_log').selectAll().orderBy('camera_log_id').execute()
    {
      const db = database.db('media')
      const table = {
        write: (entries: readonly CameraLogRecord[]) => insertLogEntries(db, entries),
        drop: (before: number) => dropOldLogEntries(db, before),
      }
      await using log = openCameraLog({ table, log: silentLogger, now: () => NOON })
      log.note(entry({ accountId, cameraId, detail: 'x'.repeat(1000) }))
      log.note(entry({ accountId, cameraId: cameraId + 1 }))
      for (let index = 0; index <= MAX_ENTRIES_PER_HOUR; index++) log.note(entry({ accountId, cameraId }))
      await expect.poll(async () => (await kept())[0]?.at, { timeout: 10_000 }).toBe(NOON - 89 * MS_PER_DAY)
    }
    const lines = await kept()
    expect(lines).toHaveLength(1 + MAX_ENTRIES_PER_HOUR + 1)
    expect(lines.at(1)).toMatchObject({ ...key, at: NOON, detail: 'x'.repeat(300) })
    expect(lines.at(-1)).toMatchObject({ at: NOON, event: 'repeated' })
  })
})
