/** Two other machines at once; one loses the database, or its link to the front, and nothing is lost (security.md §6.12). */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOwner } from '../../server/media/src/control/assignment.ts'
import { listStreams, streamFolder, verifyManifest } from '../../server/media/src/recording/index.ts'
import { filesBelow } from '../../server/media/src/recording/recording-stage.ts'
import { freePort } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { type BreakableConnection, breakableConnection } from './breakable-connection.ts'
import { type ApiCaller, listCameras, loadTimeline, until, untilAllRecord } from './demo-cameras.ts'
import { type Front, type Machine, startFront } from './machines.ts'
import { watchLive } from './viewer.ts'

const SECOND = 1000

let front: Front
let caller: ApiCaller
let cameraIds: readonly number[]
/** `near` loses nothing; `far` reaches the database and the front over ways that the test breaks. */
let machines: Record<'near' | 'far', { readonly name: string; readonly machine: Machine }>
let database: BreakableConnection
let link: BreakableConnection
let sockets: string

beforeAll(async () => {
  front = await startFront()
  caller = { origin: front.product.origin, token: await fetchToken(front.product.origin, 'owner@demo.example') }
  cameraIds = (await listCameras(caller)).map(({ cameraId }) => cameraId)
  await untilAllRecord(caller)
  const [near, far] = namesThatShare()
  sockets = await mkdtemp(join(tmpdir(), 'sightline-cut-off-'))
  const url = new URL(front.database.url)
  const socketName = '.s.PGSQL.5432'
  database = await breakableConnection(join(sockets, socketName), {
    path: join(url.searchParams.get('host') ?? '', socketName),
  })
  url.searchParams.set('host', sockets)
  url.username = ''
  url.password = ''
  const linkPort = await freePort()
  link = await breakableConnection(linkPort, { port: front.workerPort, host: '127.0.0.1' })
  const environment = { DATABASE_URL: url.href, SIGHTLINE_FRONT: `127.0.0.1:${linkPort}` }
  machines = {
    near: { name: near, machine: front.startMachine(await front.addMachine(near)) },
    far: { name: far, machine: front.startMachine(await front.addMachine(far), { environment }) },
  }
  await untilShared()
})
afterAll(async () => {
  for (const { machine } of Object.values(machines ?? {})) await machine[Symbol.asyncDispose]()
  await front?.[Symbol.asyncDispose]()
  for (const way of [database, link]) await way?.[Symbol.asyncDispose]()
  await rm(sockets, { recursive: true, force: true })
})

/** Each of them, and the front, gets one of the cameras at least. */
function namesThatShare(): readonly [string, string] {
  for (let number = 1; ; number += 2) {
    const names = [`m${number}`, `m${number + 1}`] as const
    const workers = ['media-1', ...names.map((name) => `${name}-1`)]
    if (new Set(cameraIds.map((cameraId) => findOwner(cameraId, workers))).size === 3) return names
  }
}

interface Lease {
  readonly workerId: string
  readonly fence: number
}

async function leases(): Promise<ReadonlyMap<number, Lease>> {
  const { plain } = front.database.db
  const rows = await plain.selectFrom('camera_leases').select(['camera_id', 'worker_id', 'fence']).execute()
  return new Map(rows.map((row) => [row.camera_id, { workerId: row.worker_id, fence: row.fence }]))
}

const workerOf = (which: 'near' | 'far'): string => `${machines[which].name}-1`
const camerasOf = async (workerId: string): Promise<readonly number[]> =>
  [...(await leases())].filter(([, lease]) => lease.workerId === workerId).map(([cameraId]) => cameraId)

/** Each camera is where rendezvous hashing wants it, and recorded there. */
async function untilShared(): Promise<void> {
  const workers = ['media-1', workerOf('near'), workerOf('far')]
  await until('each has its cameras', async () => {
    const found = await leases()
    return cameraIds.every((cameraId) => found.get(cameraId)?.workerId === findOwner(cameraId, workers))
  })
  await untilAllRecord(caller)
}

const seesPictures = (cameraId: number): Promise<boolean> =>
  until(`live pictures of ${cameraId}`, async () => {
    await using viewer = await watchLive(caller.origin, caller.token, cameraId)
    const over = viewer.ended.then(() => true)
    while (viewer.pictures.length <= 3) if (await Promise.race([over, sleep(20, false)])) return undefined
    return true
  })

const storeOf = (which: 'near' | 'far'): string => join(machines[which].machine.dataFolder, 'footage')
/** When something was last written to a camera's footage on a machine's disk; milliseconds since 1970. */
async function writtenOn(which: 'near' | 'far', cameraId: number): Promise<number> {
  const files = (await filesBelow(storeOf(which))).filter((path) => path.includes(`/${cameraId}/main/`))
  return Math.max(...(await Promise.all(files.map(async (path) => (await stat(path)).mtimeMs))))
}

test('two machines and the front share the cameras, and all of them are seen through the front', async () => {
  for (const cameraId of cameraIds) {
    expect(await seesPictures(cameraId)).toBe(true)
    const { status } = await callApi(caller.origin, caller.token, `GET cameras/${cameraId}/status`)
    expect(status).toBe(200)
    const picture = await fetch(`${caller.origin}/rest/v2.4/cameras/${cameraId}/snapshot`, {
      headers: { authorization: `Bearer ${caller.token}` },
    })
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  }
})

test('a machine that loses only its link records on, and nobody takes its cameras', async () => {
  const [cameraId = 0] = await camerasOf(workerOf('far'))
  const before = await leases()
  const viewer = await watchLive(caller.origin, caller.token, cameraId)
  await until('it is watched', async () => viewer.pictures.length > 3)
  const brokenAt = Date.now()
  link.break()
  await viewer.ended
  await until('the front has noticed', async () => front.product.output().includes('a machine is no longer connected'))
  await sleep(12 * SECOND)
  expect(await leases()).toEqual(before)
  link.mend()
  expect(await seesPictures(cameraId)).toBe(true)
  const timeline = await loadTimeline(caller, { cameraId, from: brokenAt - SECOND, till: Date.now() - SECOND })
  expect(timeline.gaps).toEqual([])
})

test('a machine that loses only the database records on; its viewers end, others record its cameras too, and nothing is missing', async ({
  annotate,
}) => {
  const [cameraId = 0] = await camerasOf(workerOf('far'))
  const own = await camerasOf(workerOf('far'))
  const viewer = await watchLive(caller.origin, caller.token, cameraId)
  await until('it is watched', async () => viewer.pictures.length > 3)
  const brokenAt = Date.now()
  database.break()
  await viewer.ended
  const endedAt = Date.now()
  await until('others have its cameras', async () => {
    const found = await leases()
    return own.every((one) => found.get(one)?.workerId !== workerOf('far'))
  })
  const takenAt = Date.now()
  await untilAllRecord(caller)
  expect(await seesPictures(cameraId)).toBe(true)
  await sleep(5 * SECOND)
  const mendedAt = Date.now()
  for (const one of own) expect(await writtenOn('far', one)).toBeGreaterThan(mendedAt - 3 * SECOND)
  database.mend()
  await untilShared()
  const sharedAt = Date.now()
  await sleep(3 * SECOND)
  for (const one of own) {
    const timeline = await loadTimeline(caller, { cameraId: one, from: brokenAt - SECOND, till: mendedAt })
    expect(timeline.gaps).toEqual([])
  }
  await annotate(
    `viewers ended after ${endedAt - brokenAt} ms, others had the cameras after ${takenAt - brokenAt} ms; ` +
      `the machine had them again ${sharedAt - mendedAt} ms after it was back`,
  )
})

test('no folder ever had two writers: all chains are whole', async () => {
  for (const store of [join(front.dataFolder, 'footage'), storeOf('near'), storeOf('far')])
    for (const key of await listStreams(store))
      expect((await verifyManifest(streamFolder(store, key), key)).broken).toEqual([])
})
