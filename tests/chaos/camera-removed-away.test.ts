/** A camera is removed while its worker can't reach the database: its recording ends when it can, and no other's does (R9). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePasswordHeader, PASSWORD_HEADER } from '@sightline/contract/credentials'
import { openDatabase } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { expect, test } from 'vitest'
import { RIGHT_PASSWORD } from '../../server/api/src/api-testing.ts'
import { breakableConnection } from './breakable-connection.ts'
import { until } from './demo-cameras.ts'
import { pictureTimes, segmentsOnDisk } from './footage-on-disk.ts'
import { watchedCamera } from './watched-camera.ts'

const SOCKET = '.s.PGSQL.5432'
/** Of the simulated camera: 25 a second. */
const TICKS_PER_PICTURE = 3600
const SOME_FOOTAGE_MS = 1500

test('a removed camera is recorded until the database is back and no longer, and the other one loses no picture', async () => {
  await using opened = new AsyncDisposableStack()
  const watched = opened.use(await watchedCamera())
  const sockets = await mkdtemp(join(tmpdir(), 'sightline-removed-'))
  opened.defer(() => rm(sockets, { recursive: true, force: true }))
  const { connection } = watched.database
  if (connection.kind !== 'socket') throw new Error('expected a database on a unix socket')
  const way = opened.use(await breakableConnection(join(sockets, SOCKET), { path: join(connection.folder, SOCKET) }))
  const reached = { connection: { ...connection, folder: sockets }, role: 'media', maxConnections: 4 } as const
  const db = opened.use(openDatabase({ ...reached, applicationName: 'worker', log: silentLogger }))
  const removed = await watched.addCamera('Back door')
  const kept = watched.cameraId
  const worker = opened.use(await watched.openWorker({ db, leaseDb: db, encryptsFootage: false }))
  const segmentsOf = async (cameraId: number) =>
    (await segmentsOnDisk(watched.store, Date.now())).filter((segment) => segment.cameraId === cameraId)
  const endOf = async (cameraId: number) => (await segmentsOf(cameraId)).at(-1)?.end ?? 0
  const untilRecorded = async () => {
    const since = Date.now() + SOME_FOOTAGE_MS
    for (const cameraId of [kept, removed])
      await until(`${cameraId} is recorded`, async () => (await endOf(cameraId)) > since)
  }

  await untilRecorded()
  way.break()
  const password = { [PASSWORD_HEADER]: encodePasswordHeader(RIGHT_PASSWORD) }
  watched.api.now = Date.now()
  const answer = await watched.api.call(watched.token, `DELETE cameras/${removed}`, undefined, password)
  expect(answer.status).toBe(204)
  await untilRecorded()
  way.mend()
  await until('the camera is let go', async () => !worker.cameraIds().includes(removed))
  const endedAt = await endOf(removed)
  const since = Date.now() + SOME_FOOTAGE_MS
  await until('the other one is recorded', async () => (await endOf(kept)) > since)
  expect(worker.cameraIds()).toEqual([kept])
  // Its last part may have been on its way to the disk.
  expect((await endOf(removed)) - endedAt).toBeLessThan(1500)
  await until('its segment is closed', async () => (await segmentsOf(removed)).every(({ why }) => why !== undefined))

  const own = await segmentsOf(kept)
  expect(new Set(own.map(({ runId }) => runId)).size).toBe(1)
  const times = (await Promise.all(own.map(({ path }) => pictureTimes(path)))).flat()
  const steps = new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))
  expect([...steps]).toEqual([TICKS_PER_PICTURE])
})
