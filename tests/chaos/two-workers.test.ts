/** Two media workers share the cameras; one is killed or hangs, and footage and chains stay whole (R1, R8). */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOwner } from '../../server/media/src/control/assignment.ts'
import { listStreams, streamFolder, verifyManifest } from '../../server/media/src/recording/index.ts'
import { newDataFolder } from '../data-folders.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { type ApiCaller, listCameras, loadTimeline, until, untilAllRecord } from './demo-cameras.ts'
import { type SegmentOnDisk, segmentsOfAllStreams } from './footage-on-disk.ts'
import { findPids } from './processes.ts'
import { openProductDatabase } from './product-database.ts'
import { watchLive } from './viewer.ts'

const SECOND = 1000

let dataFolder: string
let product: RunningProduct
let db: Db
let caller: ApiCaller
let metricsPort: number
let cameraIds: readonly number[]

beforeAll(async () => {
  metricsPort = await freePort()
  // Of one installation in eight, one worker gets all four cameras.
  for (;;) {
    await start()
    if (new Set(cameraIds.map(workerOf)).size === 2) break
    await stop()
  }
  await until('each camera is where it belongs', async () => {
    const found = await owners()
    return cameraIds.every((cameraId) => found.get(cameraId) === workerOf(cameraId))
  })
  await untilAllRecord(caller)
})
afterAll(stop)

async function start(): Promise<void> {
  dataFolder = await newDataFolder()
  const environment = { SIGHTLINE_MEDIA_WORKERS: '2', SIGHTLINE_METRICS_PORT: String(metricsPort) }
  product = await startProduct({ dataFolder, port: await freePort(), environment })
  db = openProductDatabase(dataFolder)
  caller = { origin: product.origin, token: await fetchToken(product.origin, 'owner@demo.example') }
  cameraIds = (await listCameras(caller)).map(({ cameraId }) => cameraId)
}

async function stop(): Promise<void> {
  await db[Symbol.asyncDispose]()
  await product[Symbol.asyncDispose]()
  await rm(dataFolder, { recursive: true, force: true })
}

const workerOf = (cameraId: number): string | undefined => findOwner(cameraId, ['media-1', 'media-2'])

/** Which worker has each camera, by the leases. */
async function owners(): Promise<ReadonlyMap<number, string>> {
  const rows = await db.plain.selectFrom('camera_leases').select(['camera_id', 'worker_id']).execute()
  return new Map(rows.map((row) => [row.camera_id, row.worker_id]))
}

/** The worker that records the most cameras; its process is the one that prints its name. */
async function busiest(): Promise<{ workerId: string; own: readonly number[] }> {
  const found = await owners()
  const of = (workerId: string) => cameraIds.filter((cameraId) => found.get(cameraId) === workerId)
  const [first, second] = [of('media-1'), of('media-2')]
  return first.length >= second.length ? { workerId: 'media-1', own: first } : { workerId: 'media-2', own: second }
}

/** The process of a worker: its connections to the database bear its name. */
async function pidOf(workerId: string): Promise<number> {
  const pids = await findPids(product, 'media worker')
  expect(pids).toHaveLength(2)
  const [first, second] = pids as [number, number]
  // The first was forked before the start knew how many there are.
  return workerId === 'media-1' ? Math.min(first, second) : Math.max(first, second)
}

const recordedBy = async (): Promise<ReadonlyMap<string, number>> => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const lines = text.matchAll(/^sightline_media_cameras\{worker="([^"]+)",state="recorded"\} (\d+)$/gm)
  return new Map([...lines].map(([, worker = '', count]) => [worker, Number(count)]))
}

/** One camera's gaps since a moment, once footage continues after it. */
async function gapsSince(cameraId: number, moment: number) {
  const timeline = await until('footage continues', async () => {
    const found = await loadTimeline(caller, { cameraId, from: moment - SECOND, till: Date.now() })
    return Date.parse(found.segments.at(-1)?.end ?? '') > Date.now() - 3 * SECOND && found
  })
  return timeline.gaps
    .map(({ start, end, reason }) => ({ start: Date.parse(start), end: Date.parse(end), reason }))
    .filter(({ end }) => end > moment)
}

test('each camera is recorded by one worker, and each worker has its metrics', async () => {
  expect([...(await owners()).keys()].toSorted()).toEqual(cameraIds.toSorted())
  const recorded = await until('both workers tell', async () => {
    const found = await recordedBy()
    return found.size === 2 && found
  })
  expect([...recorded.keys()]).toEqual(['media-1', 'media-2'])
  expect([...recorded.values()].reduce((sum, count) => sum + count, 0)).toBe(cameraIds.length)
})

test('HLS and pictures as JPEG come from the worker of the camera, whichever that is', async () => {
  const found = await owners()
  expect(new Set(found.values()).size).toBe(2)
  const ofEach = [...new Map([...found].map(([cameraId, workerId]) => [workerId, cameraId])).entries()]
  for (const [workerId, cameraId] of ofEach) {
    const address = (path: string) => `${caller.origin}${path}?camera_id=${cameraId}&access_token=${caller.token}`
    const next = async (url: string): Promise<string> => {
      const reply = await fetch(url)
      const line = (await reply.text()).split('\n').find((each) => each !== '' && !each.startsWith('#'))
      return new URL(line ?? '', url).href
    }
    const media = await next(address('/stream/hls/getPlaylist'))
    expect(new URL(media).searchParams.get('session')).toMatch(new RegExp(`^${workerId}\\.`))
    const segment = await fetch(await next(media))
    expect(segment.status).toBe(200)
    expect((await segment.bytes()).length).toBeGreaterThan(1000)
    const leaving = new AbortController()
    const pictures = await fetch(address('/stream/multipart/open'), { signal: leaving.signal })
    expect(pictures.status).toBe(200)
    const reader = pictures.body?.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(100)
    leaving.abort()
  }
})

test('one worker is killed: its cameras are recorded again within 5 s, viewers reconnect, the others lose nothing', async ({
  annotate,
}) => {
  await sleep(3 * SECOND)
  const { workerId, own } = await busiest()
  const others = cameraIds.filter((cameraId) => !own.includes(cameraId))
  const viewer = await watchLive(caller.origin, caller.token, own[0] ?? 0)
  await expect.poll(() => viewer.pictures.length).toBeGreaterThan(0)
  const victim = await pidOf(workerId)
  const killedAt = Date.now()
  process.kill(victim, 'SIGKILL')
  expect(await viewer.ended).toBeUndefined()
  const again = await until('live pictures', async () => {
    const next = await watchLive(caller.origin, caller.token, own[0] ?? 0)
    const over = next.ended.then(() => true)
    while (next.pictures.length === 0) if (await Promise.race([over, sleep(20, false)])) return undefined
    return next
  })
  await again[Symbol.asyncDispose]()
  const ends: number[] = []
  for (const cameraId of own) {
    const [gap, ...more] = await gapsSince(cameraId, killedAt)
    expect(more).toEqual([])
    expect(gap?.start).toBeGreaterThanOrEqual(killedAt - SECOND)
    ends.push((gap?.end ?? Number.NaN) - killedAt)
  }
  for (const after of ends) expect(after).toBeLessThan(5 * SECOND)
  for (const cameraId of others) expect(await gapsSince(cameraId, killedAt)).toEqual([])
  await annotate(`recorded again, ms after the kill: ${ends.join(' ')}; ${others.length} other cameras lost nothing`)
})

test('no stream folder ever had two writers: chains are whole, and footage does not overlap', async () => {
  await untilAllRecord(caller)
  const store = join(dataFolder, 'footage')
  for (const key of await listStreams(store)) {
    expect((await verifyManifest(streamFolder(store, key), key)).broken).toEqual([])
  }
  const segments = await segmentsOfAllStreams(store, Date.now() - 2 * SECOND)
  for (const key of await listStreams(store)) {
    const isOwn = ({ cameraId, stream }: SegmentOnDisk) => cameraId === key.cameraId && stream === key.stream
    const own = segments.filter(isOwn).toSorted((a, b) => a.start - b.start)
    expect(own.length).toBeGreaterThan(0)
    for (const [index, { start }] of own.entries()) {
      // Arrival times of two pictures, a frame apart, are rounded.
      if (index > 0) expect(start).toBeGreaterThanOrEqual((own[index - 1]?.end ?? 0) - 40)
    }
  }
})
