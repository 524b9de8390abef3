/** A worker that starts while the database is away records what the process before it recorded (docs/decisions/0178). */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { type Db, instant, openDatabase } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MediaWorker, WorkerMemory } from '../../server/media/src/control/index.ts'
import { claimFence, SyncGroup, streamFolder } from '../../server/media/src/recording/index.ts'
import { type BreakableConnection, breakableConnection } from './breakable-connection.ts'
import { segmentsOnDisk } from './footage-on-disk.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const SOCKET = '.s.PGSQL.5432'
const WORKER = 'worker'

let watched: WatchedCamera
let sockets: string
let way: BreakableConnection
let db: Db
let accountId: number
/** As the process that starts workers keeps it. */
let kept: WorkerMemory | undefined

beforeAll(async () => {
  watched = await watchedCamera()
  sockets = await mkdtemp(join(tmpdir(), 'sightline-away-'))
  const { connection } = watched.database
  if (connection.kind !== 'socket') throw new Error('expected a database on a unix socket')
  way = await breakableConnection(join(sockets, SOCKET), { path: join(connection.folder, SOCKET) })
  db = openDatabase({
    connection: { ...connection, folder: sockets },
    role: 'media',
    maxConnections: 4,
    applicationName: 'worker',
    log: silentLogger,
  })
  const row = await owner().selectFrom('cameras').select('account_id').executeTakeFirstOrThrow()
  accountId = row.account_id
})
afterAll(async () => {
  way?.mend()
  await db?.[Symbol.asyncDispose]()
  await way?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
  await rm(sockets, { recursive: true, force: true })
})

const owner = () => watched.database.db('owner').plain
const change = (set: { mode?: 'armed' | 'private'; username?: string; address?: string }) =>
  owner().updateTable('cameras').set(set).where('camera_id', '=', watched.cameraId).execute()

/** Messages to another process are copied like this. */
const copied = <T>(value: T): T => deserialize(serialize(value))

const open = (): Promise<MediaWorker> =>
  watched.openWorker({
    workerId: WORKER,
    db,
    leaseDb: db,
    remember: (memory) => {
      kept = copied(memory)
    },
    recalled: kept,
  })

const folder = () => streamFolder(watched.store, { accountId, cameraId: watched.cameraId, stream: 'main' })
const fences = async () => (await readdir(folder())).filter((name) => name.endsWith('.fence'))
/** The end of all that lies on the disk, milliseconds since 1970. */
const recordedUntil = async () => (await segmentsOnDisk(watched.store, Date.now())).at(-1)?.end ?? 0
const untilRecorded = async () => {
  const since = Date.now()
  await expect.poll(recordedUntil).toBeGreaterThan(since + 500)
}
const status = () =>
  owner().selectFrom('camera_status').selectAll().where('camera_id', '=', watched.cameraId).executeTakeFirst()
const lease = () => owner().selectFrom('camera_leases').selectAll().executeTakeFirstOrThrow()

/** The worker's cameras as the database says; undefined while it is away. */
const listed = (worker: MediaWorker) =>
  worker.camerasChanged().then(
    () => worker.cameraIds(),
    () => undefined,
  )

/** A worker records; the database goes away, and with it that worker. */
async function orphaned(): Promise<void> {
  way.mend()
  kept = undefined
  await change({ mode: 'armed', username: 'admin' })
  const before = await open()
  await untilRecorded()
  await expect.poll(async () => (await status())?.recording).toBe(true)
  way.break()
  await before[Symbol.asyncDispose]()
  expect(kept).toBeDefined()
}

beforeEach(orphaned)

test('it records within seconds, keeps the fence, and continues in the same run when the database is back', async () => {
  const { fence } = await lease()
  const restartedAt = Date.now()
  await using worker = await open()
  expect(worker.cameraIds()).toEqual([watched.cameraId])
  await untilRecorded()
  expect(await fences()).toEqual([`${fence}.fence`])
  way.mend()
  await expect.poll(async () => (await lease()).expires_at).toBeGreaterThan(Date.now())
  await untilRecorded()
  expect(await lease()).toMatchObject({ worker_id: WORKER, fence })
  await expect.poll(async () => (await status())?.recording).toBe(true)
  const runs = () =>
    owner().selectFrom('recording_runs').selectAll().where('bytes', '>', 0).orderBy('started_at').execute()
  // What was recorded meanwhile, in one row, which is still open; the one before has ended.
  await expect.poll(async () => (await runs()).filter(({ is_open: isOpen }) => isOpen).length).toBe(1)
  await expect.poll(async () => (await runs()).at(-1)?.ended_at).toBeGreaterThan(Date.now() - 8000)
  const since = (await runs()).filter(({ started_at: start }) => start > restartedAt)
  expect(since).toHaveLength(1)
})

test('a camera that was made private is let go as soon as the database says so, and stays so for the next one', async () => {
  await change({ mode: 'private' })
  await using worker = await open()
  await untilRecorded()
  way.mend()
  await expect.poll(() => listed(worker)).toEqual([])
  way.break()
  await worker[Symbol.asyncDispose]()
  await using next = await open()
  expect(next.cameraIds()).toEqual([])
})

test('a camera whose sign-in changed is connected with the new one', async () => {
  await change({ username: 'other' })
  await using worker = await open()
  await untilRecorded()
  way.mend()
  await expect.poll(() => listed(worker)).toEqual([watched.cameraId])
  await expect.poll(async () => (await status())?.last_connection_result).toBe('credentialsIncorrect')
})

describe('another worker has taken the camera meanwhile', () => {
  test('as the folder says: nothing is written, with or without the database', async () => {
    const { fence } = await lease()
    await using group = new SyncGroup()
    await claimFence(folder(), fence + 1, { group, failed: () => undefined })
    const restartedAt = Date.now()
    await using _worker = await open()
    // Until the database is back, it can't get a newer lease than the folder has.
    await sleep(1000)
    way.mend()
    await untilRecorded()
    expect(await fences()).toEqual([`${fence + 2}.fence`])
    const written = (await segmentsOnDisk(watched.store, Date.now())).filter(({ start }) => start > restartedAt)
    expect(written.length).toBeGreaterThan(0)
    for (const { path } of written) expect(path).toContain(`-${fence + 2}-`)
  })

  test('as the database says once it is back: it stops', async () => {
    const { fence } = await lease()
    await using worker = await open()
    await untilRecorded()
    await owner()
      .updateTable('camera_leases')
      .set({ worker_id: 'another', fence: fence + 1, expires_at: instant(Date.now() + 3_600_000) })
      .execute()
    way.mend()
    await expect.poll(async () => (await recordedUntil()) < Date.now() - 3000).toBe(true)
    expect(worker.problems()).toEqual([expect.stringContaining('another worker has taken over')])
    await owner().deleteFrom('camera_leases').execute()
  })
})
