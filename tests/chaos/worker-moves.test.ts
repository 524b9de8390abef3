/** A camera moves between two media workers: one that never comes, one that comes late, one that stops (R8). */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOwner } from '../../server/media/src/control/assignment.ts'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { findParts } from '../../server/media/src/playback/index.ts'
import { keysInFiles, type StreamKey, streamFolder, verifyManifest } from '../../server/media/src/recording/index.ts'
import { until } from './demo-cameras.ts'
import { parseFence, segmentsOnDisk } from './footage-on-disk.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const SECOND = 1000

/** That watched cameras are encrypted with. */
const KEY = new Uint8Array(32)
/** Two groups of pictures at most are recorded by both workers. */
const OVERLAP_MS = 4 * SECOND
/** A picture reaches two workers at times that differ by less. */
const SAME_PICTURE_MS = 150

let watched: WatchedCamera
const times = { came: 0, stopped: 0 }
/** The one that owns the camera while both live, and the other one. */
let owner: string
let other: string

beforeAll(async () => {
  watched = await watchedCamera()
  ;[owner = '', other = ''] = ['first', 'second'].toSorted((name) =>
    findOwner(watched.cameraId, ['first', 'second']) === name ? -1 : 1,
  )
})
afterAll(() => watched[Symbol.asyncDispose]())

const row = async () =>
  await watched.database
    .db('owner')
    .plain.selectFrom('camera_status')
    .innerJoin('camera_leases', 'camera_leases.camera_id', 'camera_status.camera_id')
    .select(['camera_status.worker_id', 'camera_status.recording', 'camera_leases.worker_id as leased_by'])
    .executeTakeFirst()

const untilRecordedBy = async (workerId: string): Promise<number> => {
  await until(`recorded by ${workerId}`, async () => {
    const found = await row()
    return found?.recording === true && found.worker_id === workerId && found.leased_by === workerId
  })
  return Date.now()
}

async function streamKey(): Promise<StreamKey> {
  const cameras = watched.database.db('owner').plain.selectFrom('cameras').select('account_id')
  const { account_id: accountId } = await cameras.executeTakeFirstOrThrow()
  return { accountId, cameraId: watched.cameraId, stream: 'main' }
}

async function loadGaps(from: number, till: number): Promise<Pick<RecordingTimeline, 'gaps'>> {
  const { api, token, cameraId } = watched
  api.now = Date.now()
  const at = (moment: number) => new Date(moment).toISOString()
  const span = `from=${at(from)}&till=${at(till)}`
  return (await api.call(token, `GET cameras/${cameraId}/recordingTimeline?${span}`)).body
}

test('a camera is taken over from a worker that does not come, moves to it when it does, and back when it stops', async ({
  annotate,
}) => {
  expect(findOwner(watched.cameraId, [owner, other])).toBe(owner)
  const startedAt = Date.now()
  await using left: MediaWorker = await watched.openWorker({ workerId: other, peers: [owner] })
  expect(left.cameraIds()).toEqual([])
  const taken = await untilRecordedBy(other)
  const cameAt = Date.now()
  const late = await watched.openWorker({ workerId: owner, peers: [other] })
  const moved = await untilRecordedBy(owner)
  // Enough to see the end of a gap.
  await sleep(3 * SECOND)
  expect(left.cameraIds()).toEqual([])
  expect(late.cameraIds()).toEqual([watched.cameraId])
  const stoppedAt = Date.now()
  await late[Symbol.asyncDispose]()
  const back = await untilRecordedBy(other)
  Object.assign(times, { came: cameAt, stopped: stoppedAt })
  expect(left.cameraIds()).toEqual([watched.cameraId])
  expect(moved - cameAt).toBeLessThan(10 * SECOND)
  expect(back - stoppedAt).toBeLessThan(10 * SECOND)
  await annotate(
    `taken over after ${taken - startedAt} ms, moved in ${moved - cameAt} ms, back in ${back - stoppedAt} ms`,
  )
})

test('nothing is missing where it moved: the next worker has pictures before the one before it stops', async ({
  annotate,
}) => {
  const { gaps } = await loadGaps(times.came - SECOND, times.stopped - SECOND)
  await annotate(JSON.stringify(gaps))
  expect(gaps).toEqual([])
})

test('played where it moved, no picture is missing, and none is repeated', async ({ annotate }) => {
  const key = await streamKey()
  const { store } = watched
  const keys = keysInFiles(KEY)
  const parts = findParts({ store, stream: key, keys, at: times.came - SECOND })
  const apart: number[] = []
  const runs = new Set<string>()
  let end: number | undefined
  for await (const { segment, part, until } of parts) {
    if (part.wallClock > times.stopped) break
    if (end !== undefined && !runs.has(segment.head.header.runId)) apart.push(part.wallClock - end)
    runs.add(segment.head.header.runId)
    end = part.wallClock + (until - part.time) / 90
  }
  await annotate(`the next run begins ${apart} ms after the one before it`)
  expect(apart.length).toBeGreaterThan(0)
  for (const each of apart) expect(Math.abs(each)).toBeLessThan(SAME_PICTURE_MS)
})

test('a camera that allows one connection moves too, with a short gap that says so', async ({ annotate }) => {
  await watched.camera.fault({ kind: 'viewer-limit', most: 1 })
  await using first: MediaWorker = await watched.openWorker({ workerId: other })
  await untilRecordedBy(other)
  await sleep(2 * SECOND)
  const cameAt = Date.now()
  await using late: MediaWorker = await watched.openWorker({ workerId: owner, peers: [other] })
  const moved = await untilRecordedBy(owner)
  await sleep(2 * SECOND)
  expect(first.cameraIds()).toEqual([])
  expect(late.cameraIds()).toEqual([watched.cameraId])
  const { gaps } = await loadGaps(cameAt, Date.now() - SECOND)
  await annotate(`moved in ${moved - cameAt} ms, ${JSON.stringify(gaps)}`)
  expect(gaps.map(({ reason }) => reason)).toEqual(['takeover'])
  const [{ start, end } = { start: '', end: '' }] = gaps
  expect(Date.parse(end) - Date.parse(start)).toBeLessThan(6 * SECOND)
})

test('both wrote one chain, the later one with a higher fence', async () => {
  const key = await streamKey()
  expect((await verifyManifest(streamFolder(watched.store, key), key)).broken).toEqual([])
  const segments = (await segmentsOnDisk(watched.store, Date.now())).toSorted((a, b) => a.start - b.start)
  expect(segments.length).toBeGreaterThanOrEqual(3)
  for (const [index, { start, path }] of segments.entries()) {
    const before = segments[index - 1]
    if (before === undefined) continue
    expect(start).toBeGreaterThanOrEqual(before.end - OVERLAP_MS)
    expect(parseFence(path)).toBeGreaterThanOrEqual(parseFence(before.path))
  }
})
