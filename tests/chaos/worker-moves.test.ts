/** A camera moves between two media workers: one that never comes, one that comes late, one that stops (R8). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOwner } from '../../server/media/src/control/assignment.ts'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { streamFolder, verifyManifest } from '../../server/media/src/recording/index.ts'
import { until } from './demo-cameras.ts'
import { segmentsOnDisk } from './footage-on-disk.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const SECOND = 1000

let watched: WatchedCamera
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
  expect(left.cameraIds()).toEqual([])
  expect(late.cameraIds()).toEqual([watched.cameraId])
  const stoppedAt = Date.now()
  await late[Symbol.asyncDispose]()
  const back = await untilRecordedBy(other)
  expect(left.cameraIds()).toEqual([watched.cameraId])
  expect(moved - cameAt).toBeLessThan(10 * SECOND)
  expect(back - stoppedAt).toBeLessThan(10 * SECOND)
  await annotate(
    `taken over after ${taken - startedAt} ms, moved in ${moved - cameAt} ms, back in ${back - stoppedAt} ms`,
  )
})

test('both wrote one chain, one after the other', async () => {
  const { accountId } = await watched.database
    .db('owner')
    .plain.selectFrom('cameras')
    .select('account_id as accountId')
    .executeTakeFirstOrThrow()
  const key = { accountId, cameraId: watched.cameraId, stream: 'main' as const }
  expect((await verifyManifest(streamFolder(watched.store, key), key)).broken).toEqual([])
  const segments = (await segmentsOnDisk(watched.store, Date.now())).toSorted((a, b) => a.start - b.start)
  expect(segments.length).toBeGreaterThanOrEqual(3)
  for (const [index, { start }] of segments.entries()) {
    if (index > 0) expect(start).toBeGreaterThanOrEqual((segments[index - 1]?.end ?? 0) - 40)
  }
})
