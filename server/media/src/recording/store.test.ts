import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { readCatalogue } from './catalogue.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY } from './recording-stage.ts'
import type { FinishedSlice, RunSlice } from './run-log.ts'
import { databaseRunLog, type RunLogOptions } from './store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())
afterAll(removeTemporaryFolders)
beforeEach(() => database.db('owner').plain.deleteFrom('recording_runs').execute())

const MINUTE = 60_000
const runId = 'a'.repeat(32)
const slice = (start: number, end: number, bytes = (end - start) / 1000): RunSlice => ({
  ...CAMERA,
  runId,
  kind: 'continuous',
  start: TEN_THIRTY + start,
  end: TEN_THIRTY + end,
  bytes,
  parts: 1,
})

/** Rows as `[start, end, bytes, open, why]`, times from half past ten. */
async function rows() {
  const found = await database
    .db('media')
    .plain.selectFrom('recording_runs')
    .selectAll()
    .orderBy('started_at')
    .execute()
  return found.map((row) => [
    row.started_at - TEN_THIRTY,
    row.ended_at - TEN_THIRTY,
    row.bytes,
    row.is_open,
    row.end_reason,
  ])
}

const openLog = () => databaseRunLog(database.db('media'), silentLogger, { store: '/nowhere' })

/** A run log whose database can be away. */
function awayLog(options: RunLogOptions) {
  const db = database.db('media')
  const state = { isAway: true }
  const flaky = {
    ...db,
    transaction: (work: Parameters<typeof db.transaction>[0]) => {
      if (state.isAway) return Promise.reject(new Error('the database is away'))
      return db.transaction(work)
    },
  } as typeof db
  return { log: databaseRunLog(flaky, silentLogger, options), state }
}

test('a run is one row per hour, which grows and ends with its reason', async () => {
  {
    await using log = openLog()
    log.runStarted(slice(0, 1000))
    log.runGrew(slice(0, 6000))
    log.runEnded(slice(0, 30 * MINUTE), undefined)
    log.runStarted(slice(30 * MINUTE, 31 * MINUTE))
  }
  expect(await rows()).toEqual([
    [0, 30 * MINUTE, 1800, false, null],
    [30 * MINUTE, 31 * MINUTE, 60, true, null],
  ])
  {
    await using log = openLog()
    log.runEnded(slice(30 * MINUTE, 32 * MINUTE), 'cameraOffline')
  }
  expect((await rows())[1]).toEqual([30 * MINUTE, 32 * MINUTE, 120, false, 'cameraOffline'])
})

test('deleted footage is removed from the rows: whole rows, and the beginning of one that still grows', async () => {
  await using log = openLog()
  log.runEnded(slice(-10 * MINUTE, 0), undefined)
  log.runStarted(slice(0, MINUTE))
  log.runGrew(slice(0, 10 * MINUTE))
  await log.knownUntil(CAMERA)
  log.deleted(CAMERA, [
    { reason: 'retention', start: TEN_THIRTY - 10 * MINUTE, end: TEN_THIRTY + 4 * MINUTE, bytes: 840 },
  ])
  await log.knownUntil(CAMERA)
  expect((await rows()).map(([start, end]) => [start, end])).toEqual([[4 * MINUTE, 10 * MINUTE]])
  log.runGrew(slice(0, 11 * MINUTE))
  log.deleted(CAMERA, [
    { reason: 'retention', start: TEN_THIRTY + 4 * MINUTE, end: TEN_THIRTY + 5 * MINUTE, bytes: 60 },
  ])
  log.runEnded(slice(0, 12 * MINUTE), 'stopped')
  await log.knownUntil(CAMERA)
  expect((await rows()).map(([start, end, , open, why]) => [start, end, open, why])).toEqual([
    [5 * MINUTE, 12 * MINUTE, false, 'stopped'],
  ])
})

test('a range that a user deletes splits a row, also one that still grows, and the gap has its cause', async () => {
  await using log = openLog()
  const delete_ = async (from: number, till: number) => {
    log.deleted(CAMERA, [{ reason: 'user', start: TEN_THIRTY + from, end: TEN_THIRTY + till, bytes: 60 }])
    await log.knownUntil(CAMERA)
  }
  log.runEnded(slice(-10 * MINUTE, -5 * MINUTE), 'cameraOffline')
  log.runStarted(slice(0, MINUTE))
  log.runGrew(slice(0, 10 * MINUTE))
  await log.knownUntil(CAMERA)
  await delete_(3 * MINUTE, 4 * MINUTE)
  log.runGrew(slice(0, 11 * MINUTE))
  await log.knownUntil(CAMERA)
  expect(await rows()).toEqual([
    [-10 * MINUTE, -5 * MINUTE, 300, false, 'cameraOffline'],
    [0, 3 * MINUTE, 180, false, null],
    [3 * MINUTE, 3 * MINUTE, 0, false, 'deletedByUser'],
    [4 * MINUTE, 11 * MINUTE, 420, true, null],
  ])
  // The end of a run: what was missing after it was missing for its own reason.
  await delete_(-6 * MINUTE, -4 * MINUTE)
  expect((await rows()).slice(0, 3).map(([start, end, , , why]) => [start, end, why])).toEqual([
    [-10 * MINUTE, -6 * MINUTE, null],
    [-6 * MINUTE, -6 * MINUTE, 'deletedByUser'],
    [0, 3 * MINUTE, null],
  ])
})

test('deletions that follow each other have one cause row, and none is before the first footage', async () => {
  await using log = openLog()
  log.runEnded(slice(0, 10 * MINUTE), undefined)
  await log.knownUntil(CAMERA)
  for (const minute of [2, 3, 4]) {
    const start = TEN_THIRTY + minute * MINUTE
    log.deleted(CAMERA, [{ reason: 'quota', start, end: start + MINUTE, bytes: 60 }])
    await log.knownUntil(CAMERA)
  }
  expect((await rows()).map(([start, end, , , why]) => [start, end, why])).toEqual([
    [0, 2 * MINUTE, null],
    [2 * MINUTE, 2 * MINUTE, 'deletedByQuota'],
    [5 * MINUTE, 10 * MINUTE, null],
  ])
  log.deleted(CAMERA, [{ reason: 'retention', start: TEN_THIRTY, end: TEN_THIRTY + 2 * MINUTE, bytes: 120 }])
  await log.knownUntil(CAMERA)
  expect((await rows()).map(([start]) => start)).toEqual([5 * MINUTE])
})

test('a slice that is deleted as a whole before it was written has no row', async () => {
  await using log = openLog()
  log.runEnded(slice(0, MINUTE), 'stopped')
  log.deleted(CAMERA, [{ reason: 'retention', start: TEN_THIRTY - MINUTE, end: TEN_THIRTY + 2 * MINUTE, bytes: 60 }])
  await log.knownUntil(CAMERA)
  expect(await rows()).toEqual([])
})

test('the log is reliable until the beginning of open rows, or else until its last entry', async () => {
  await using log = openLog()
  expect(await log.knownUntil(CAMERA)).toBeUndefined()
  log.runEnded(slice(0, MINUTE), 'network')
  expect(await log.knownUntil(CAMERA)).toBe(TEN_THIRTY + MINUTE)
  log.runStarted(slice(2 * MINUTE, 3 * MINUTE))
  expect(await log.knownUntil(CAMERA)).toBe(TEN_THIRTY + 2 * MINUTE)
  expect(await log.knownUntil({ ...CAMERA, stream: 'sub' })).toBeUndefined()
})

test('the files replace the log from their beginning on', async () => {
  await using log = openLog()
  log.runEnded(slice(0, MINUTE), 'network')
  log.runStarted(slice(2 * MINUTE, 3 * MINUTE))
  await log.knownUntil(CAMERA)
  const found: FinishedSlice[] = [
    { ...slice(2 * MINUTE, 2.5 * MINUTE), why: 'disk' },
    { ...slice(5 * MINUTE, 6 * MINUTE), why: 'restart' },
  ]
  await log.replace(CAMERA, TEN_THIRTY + 2 * MINUTE, found)
  expect((await rows()).map(([start, , , open, why]) => [start, open, why])).toEqual([
    [0, false, 'network'],
    [2 * MINUTE, false, 'disk'],
    [5 * MINUTE, false, 'restart'],
  ])
})

test("rows that can't be written to the database wait and are written later", async () => {
  const { log, state } = awayLog({ store: '/nowhere' })
  log.runStarted(slice(0, 1000))
  await log.knownUntil(CAMERA)
  log.runGrew(slice(0, 5000))
  expect(await rows()).toEqual([])
  state.isAway = false
  await log[Symbol.asyncDispose]()
  expect(await rows()).toEqual([[0, 5000, 5, true, null]])
})

test('more rows than may wait are dropped, oldest first, and read from the files when the database is back', async () => {
  const set = await stage()
  const clips = [footage('main.h264')]
  for (const at of [0, 20, 40, 60]) {
    set.show(...playTracks(clips, { seconds: 4, wallClock: TEN_THIRTY + at * 1000 }))
    if (at < 60) set.lose('silent')
  }
  await expect.poll(() => set.runs.ended.length).toBe(3)
  // Their lines are in the manifest.
  await set.group.flush()
  await expect.poll(async () => (await readCatalogue(set.store, CAMERA, 0)).length).toBe(3)
  const { log, state } = awayLog({ store: set.store, maxWaiting: 2 })
  for (const { call, slice: recorded, why } of set.runs.calls) {
    if (call === 'ended') log.runEnded(recorded, why)
    else log.runStarted(recorded)
  }
  await log.knownUntil(CAMERA)
  expect(await rows()).toEqual([])
  state.isAway = false
  await log.knownUntil(CAMERA)
  await log[Symbol.asyncDispose]()
  const written = (await rows()).map(([start, , , open, why]) => [start, open, why])
  const ended = [0, 20_000, 40_000].map((start) => [start, false, 'cameraOffline'])
  expect(written).toEqual([...ended, [60_000, true, null]])
  await set.stop()
})

test('deletions that wait become one range for each stream', async () => {
  {
    await using log = openLog()
    log.runEnded(slice(0, 10 * MINUTE), 'stopped')
  }
  const { log, state } = awayLog({ store: '/nowhere' })
  for (let minute = 0; minute < 4; minute++) {
    const start = TEN_THIRTY + minute * MINUTE
    log.deleted(CAMERA, [{ reason: 'retention', start, end: start + MINUTE, bytes: 60 }])
    await log.knownUntil(CAMERA)
  }
  state.isAway = false
  await log[Symbol.asyncDispose]()
  expect((await rows()).map(([start, end, bytes]) => [start, end, bytes])).toEqual([[4 * MINUTE, 10 * MINUTE, 360]])
})

test('missing footage is noted at the end of the footage, also when the camera’s clock is ahead', async () => {
  await using log = openLog()
  log.notRecorded(CAMERA, TEN_THIRTY + MINUTE - 10, 'cameraOffline')
  log.runEnded(slice(0, MINUTE), 'stopped')
  await log.knownUntil(CAMERA)
  expect(await rows()).toEqual([
    [0, MINUTE, 60, false, 'stopped'],
    [MINUTE, MINUTE, 0, false, 'cameraOffline'],
  ])
})

test('the reason for missing footage stays when the log is rebuilt from the files', async () => {
  await using log = openLog()
  log.runEnded(slice(0, MINUTE), 'stopped')
  log.notRecorded(CAMERA, TEN_THIRTY + 2 * MINUTE, 'disk')
  // The log is reliable until the end of the footage, not until the time without footage.
  expect(await log.knownUntil(CAMERA)).toBe(TEN_THIRTY + MINUTE)
  await log.replace(CAMERA, TEN_THIRTY, [{ ...slice(0, MINUTE), why: 'stopped' }])
  expect(await rows()).toEqual([
    [0, MINUTE, 60, false, 'stopped'],
    [2 * MINUTE, 2 * MINUTE, 0, false, 'disk'],
  ])
})

test('what the log could not be told is read from the files once it is back and they are in order, beside what is recorded meanwhile', async () => {
  const set = await stage()
  set.show(...playTracks([footage('main.h264')], { seconds: 10, wallClock: TEN_THIRTY }))
  {
    await using log = openLog()
    // The process dies, and so does the database: this is all that it was told.
    log.runStarted(slice(0, 1000))
  }
  const { log, state } = awayLog({ store: set.store })
  const inOrder = Promise.withResolvers<void>()
  log.readLater(CAMERA, inOrder.promise)
  const own = { ...slice(3 * MINUTE, 4 * MINUTE), runId: 'b'.repeat(32) }
  log.runStarted(own)
  await log.knownUntil(CAMERA)
  state.isAway = false
  await log.knownUntil(CAMERA)
  const before = await rows()
  expect(before.map(([start, end]) => [start, end])).toEqual([
    [0, 1000],
    [3 * MINUTE, 4 * MINUTE],
  ])
  await set.stop()
  inOrder.resolve()
  await expect
    .poll(async () => (await rows()).map(([, , , isOpen, why]) => [isOpen, why]))
    .toEqual([
      [false, 'stopped'],
      [true, null],
    ])
  expect((await rows())[0]?.[1]).toBeGreaterThan(8000)
  await log[Symbol.asyncDispose]()
})
