import { instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CAMERA } from './recording-stage.ts'
import type { RunEnd, RunSlice, StreamKey } from './run-log.ts'
import { sliceByHour } from './run-tracker.ts'
import { databaseRunLog } from './store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  const owner = database.db('owner').plain
  await owner.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
  await owner.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  const { accountId: account_id } = CAMERA
  await owner.insertInto('accounts').values({ account_id, reseller_id: 255, name: 'A' }).execute()
  await owner.insertInto('zones').values({ account_id, zone_id: 1, name: 'Z' }).execute()
  const camera = { account_id, zone_id: 1, name: 'C', eth_mac_address: '', address: '', rtsp_port: 554, main_path: '' }
  const ids = [CAMERA.cameraId, NEIGHBOUR.cameraId]
  await owner
    .insertInto('cameras')
    .values(ids.map((camera_id) => ({ ...camera, camera_id })))
    .execute()
})
afterAll(() => database[Symbol.asyncDispose]())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const EVENING = Date.parse('2026-03-01T20:00:00Z')
const NEIGHBOUR: StreamKey = { ...CAMERA, cameraId: CAMERA.cameraId + 64 }

type Sums = Record<string, number>

/** The sums in the database, as `camera stream layer reason hour` → milliseconds; each day's is the sum of its hours. */
async function storedSums(): Promise<Sums> {
  const rows = await database.db('media').plain.selectFrom('recording_days').selectAll().execute()
  const sums: Sums = {}
  for (const row of rows) {
    expect(row.hours.reduce((sum, ms) => sum + ms, 0)).toBe(row.ms)
    for (const [index, ms] of row.hours.entries()) {
      const hour = Date.parse(`${row.day}T00:00:00Z`) + index * HOUR
      if (ms > 0) sums[keyAt(row.camera_id, row.stream, `${row.layer} ${row.reason}`, hour)] = ms
    }
  }
  return sums
}

const keyAt = (camera: number, stream: string, layer: string, hour: number) =>
  `${camera} ${stream} ${layer.trim()} ${new Date(hour).toISOString()}`

interface Run {
  readonly started_at: number
  readonly ended_at: number
  readonly run_id: string
  readonly kind: 'continuous' | 'event'
  readonly end_reason: string | null
}

interface Lock {
  readonly started_at: number
  readonly ended_at: number
}

/** The same from the runs, by plain arithmetic: it shares no code with the database's function. */
async function countedSums(): Promise<Sums> {
  const db = database.db('media').plain
  const all = await db.selectFrom('recording_runs').selectAll().where('is_open', '=', false).execute()
  const locks = await db.selectFrom('footage_locks').selectAll().execute()
  const sums: Sums = {}
  for (const [name, rows = []] of Object.entries(Object.groupBy(all, (row) => `${row.camera_id} ${row.stream}`))) {
    const [camera = '', stream = ''] = name.split(' ')
    const ofCamera = locks.filter((lock) => lock.camera_id === Number(camera))
    count(rows, ofCamera, (layer, from, till) => {
      const key = keyAt(Number(camera), stream, layer, Math.floor(from / HOUR) * HOUR)
      sums[key] = (sums[key] ?? 0) + till - from
    })
  }
  return sums
}

function count(
  rows: readonly Run[],
  locks: readonly Lock[],
  addInHour: (layer: string, from: number, till: number) => void,
): void {
  const add = (layer: string, start: number, end: number) => {
    for (let from = start; from < end; ) {
      const till = Math.min(end, (Math.floor(from / HOUR) + 1) * HOUR)
      addInHour(layer, from, till)
      from = till
    }
  }
  const sorted = rows.toSorted(
    (a, b) => a.started_at - b.started_at || a.ended_at - b.ended_at || (a.run_id < b.run_id ? -1 : 1),
  )
  let last: { end: number; why: string | null } | undefined
  for (const row of sorted) {
    const { started_at: start, ended_at: end } = row
    if (last !== undefined && start - last.end > 100) add(`gap ${last.why ?? 'unknown'}`, last.end, start)
    const from = Math.max(start, last?.end ?? start)
    add('recorded', from, end)
    if (row.kind === 'event') add('event', from, end)
    if (last === undefined || end >= last.end) last = { end, why: row.end_reason }
  }
  const pieces = sorted
    .flatMap((row) =>
      locks.map((lock) => ({
        start: Math.max(row.started_at, lock.started_at),
        end: Math.min(row.ended_at, lock.ended_at),
      })),
    )
    .filter(({ start, end }) => start < end)
    .sort((one, other) => one.start - other.start)
  let lockedUntil = Number.NEGATIVE_INFINITY
  for (const { start, end } of pieces) {
    add('locked', Math.max(start, lockedUntil), end)
    lockedUntil = Math.max(lockedUntil, end)
  }
}

async function sumsAreThoseOfTheRuns(): Promise<Sums> {
  const stored = await storedSums()
  expect(stored).toEqual(await countedSums())
  return stored
}

const slice = (stream: StreamKey, run: string, start: number, end: number): RunSlice => ({
  ...stream,
  runId: run.repeat(32),
  kind: 'continuous',
  start,
  end,
  bytes: 10,
  parts: 1,
})

test('a gap of days is counted in each of its hours, with its cause', async () => {
  await using log = databaseRunLog(database.db('media'), silentLogger, { store: '/nowhere' })
  log.runEnded(slice(CAMERA, 'a', EVENING, EVENING + 10 * MINUTE), 'cameraOffline')
  log.runEnded(slice(CAMERA, 'b', EVENING + 2 * DAY, EVENING + 2 * DAY + 5 * MINUTE), 'network')
  log.runStarted(slice(CAMERA, 'c', EVENING + 2 * DAY + 10 * MINUTE, EVENING + 2 * DAY + 11 * MINUTE))
  await log.knownUntil(CAMERA)
  const sums = await sumsAreThoseOfTheRuns()
  const of = (layer: string, hours: number) => sums[keyAt(CAMERA.cameraId, 'main', layer, EVENING + hours * HOUR)]
  expect(of('recorded', 0)).toBe(10 * MINUTE)
  expect(of('gap cameraOffline', 0)).toBe(50 * MINUTE)
  expect(of('gap cameraOffline', 47)).toBe(HOUR)
  // What follows the last ended run isn't known yet: the open run that follows it may be removed.
  expect(of('recorded', 48)).toBe(5 * MINUTE)
  expect(of('gap network', 48)).toBeUndefined()
  log.deleted(CAMERA, [{ reason: 'quota', start: EVENING, end: EVENING + DAY, bytes: 10 }])
  await log.knownUntil(CAMERA)
  expect(Object.keys(await sumsAreThoseOfTheRuns())).toEqual([
    keyAt(CAMERA.cameraId, 'main', 'recorded', EVENING + 48 * HOUR),
  ])
})

/** A generator of numbers below a limit; the same seed gives the same numbers. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const REASONS = ['cameraOffline', 'network', 'disk', 'restart', undefined] as const satisfies readonly (
  | RunEnd
  | undefined
)[]

test('after any writing, late rows, deletion, recovery and locks the sums are those of the runs', async () => {
  const seed = Date.now() % 1_000_000
  const random = randomNumbers(seed)
  const owner = database.db('owner').plain
  await owner.deleteFrom('recording_runs').execute()
  await owner.deleteFrom('recording_days').execute()
  await using log = databaseRunLog(database.db('media'), silentLogger, { store: '/nowhere' })
  const streams = [CAMERA, { ...CAMERA, stream: 'sub' as const }, NEIGHBOUR]
  let run = 0
  const someTime = () => EVENING + random(4 * DAY)
  const someRun = (stream: StreamKey): RunSlice[] => {
    run += 1
    const start = someTime()
    const runId = run.toString(16).padStart(32, '0')
    const whole = { ...slice(stream, 'a', start, start + 1 + random(random(2) === 0 ? 5 * HOUR : 3 * MINUTE)), runId }
    return [...sliceByHour({ ...whole, kind: random(4) === 0 ? 'event' : 'continuous' })]
  }
  const steps: readonly ((stream: StreamKey) => Promise<void> | void)[] = [
    (stream) => {
      const slices = someRun(stream)
      for (const [at, piece] of slices.entries()) log.runEnded(piece, slices[at + 1] ? undefined : REASONS[random(5)])
    },
    (stream) => {
      const [piece] = someRun(stream)
      if (piece === undefined) return
      log.runStarted({ ...piece, end: piece.start + 1 })
      if (random(3) > 0) log.runEnded(piece, REASONS[random(5)])
    },
    (stream) => log.notRecorded(stream, someTime(), 'disk'),
    (stream) => {
      const start = someTime()
      log.deleted(stream, [{ reason: 'user', start, end: start + random(6 * HOUR), bytes: 5 }])
    },
    (stream) => log.deleted(stream, [{ reason: 'quota', start: EVENING - DAY, end: EVENING + random(DAY), bytes: 5 }]),
    (stream) => {
      const slices = [...someRun(stream), ...someRun(stream)]
      return log.replace(
        stream,
        someTime(),
        slices.map((piece) => ({ ...piece, why: REASONS[random(5)] })),
      )
    },
    async (stream) => {
      const [from, till] = [someTime(), someTime()].toSorted((a, b) => a - b)
      const times = { started_at: instant(from ?? 0), ended_at: instant((till ?? 0) + MINUTE) }
      const { accountId: account_id, cameraId: camera_id } = stream
      if (random(3) === 0) await owner.deleteFrom('footage_locks').where('camera_id', '=', camera_id).execute()
      const lock = {
        account_id,
        camera_id,
        footage_lock_id: random(1e9),
        locked_by: 7,
        locked_at: instant(0),
        ...times,
      }
      await owner.insertInto('footage_locks').values(lock).execute()
    },
  ]
  for (let round = 0; round < 60; round += 1) {
    for (let step = random(4); step >= 0; step -= 1) {
      await steps[random(steps.length)]?.(streams[random(streams.length)] ?? CAMERA)
    }
    await log.knownUntil(CAMERA)
    const [stored, counted] = [await storedSums(), await countedSums()]
    expect(stored, `seed ${seed}, round ${round}`).toEqual(counted)
  }
  expect(Object.keys(await storedSums()).length).toBeGreaterThan(50)
})

test('two workers that write runs of one stream leave the sums of both', async () => {
  const owner = database.db('owner').plain
  await owner.deleteFrom('recording_runs').execute()
  await owner.deleteFrom('recording_days').execute()
  {
    await using one = databaseRunLog(database.db('media'), silentLogger, { store: '/nowhere' })
    await using other = databaseRunLog(database.db('media'), silentLogger, { store: '/nowhere' })
    const write = async (log: typeof one, run: string, offset: number) => {
      for (let hour = 0; hour < 20; hour += 1) {
        for (const stream of run === 'a' ? [CAMERA, NEIGHBOUR] : [NEIGHBOUR, CAMERA]) {
          const start = EVENING + hour * HOUR + offset
          log.runEnded(slice(stream, run, start, start + 10 * MINUTE), 'takeover')
        }
        await log.knownUntil(CAMERA)
      }
    }
    await Promise.all([write(one, 'a', 0), write(other, 'b', 30 * MINUTE)])
  }
  await sumsAreThoseOfTheRuns()
})
