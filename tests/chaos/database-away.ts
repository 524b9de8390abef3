import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataFolder } from '../data-folders.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { type ApiCaller, listCameras, loadTimeline, until, untilAllRecord } from './demo-cameras.ts'
import { pictureTimes, segmentsOnDisk } from './footage-on-disk.ts'
import { findPid, postgresPids } from './processes.ts'
import { watchLive } from './viewer.ts'

const SECOND = 1000
/** Of the demonstration's cameras: 25 pictures a second. */
const TICKS_PER_PICTURE = 3600

/** Whether the process is still one of the product, so that none but ours is signalled. */
async function signal(product: RunningProduct, pid: number, name: NodeJS.Signals): Promise<void> {
  if ((await product.processes()).includes(pid)) process.kill(pid, name)
}

/** PostgreSQL hangs, then is gone, then comes back: recording loses nothing, viewers are ended (R9). */
export function describeOutage({ hangingMs, stoppedMs }: { hangingMs: number; stoppedMs: number }): void {
  let dataFolder: string
  let product: RunningProduct
  let caller: ApiCaller

  beforeAll(async () => {
    dataFolder = await newDataFolder()
    product = await startProduct({ dataFolder, port: await freePort() })
    caller = { origin: product.origin, token: await fetchToken(product.origin, 'owner@demo.example') }
    await untilAllRecord(caller)
  })
  afterAll(async () => {
    await product[Symbol.asyncDispose]()
    await rm(dataFolder, { recursive: true, force: true })
  })

  test(`a database that hangs for ${hangingMs} ms and is gone for ${stoppedMs} ms costs no picture of any camera`, async ({
    annotate,
  }) => {
    const cameraIds = (await listCameras(caller)).map(({ cameraId }) => cameraId)
    await sleep(3 * SECOND)
    const viewer = await watchLive(caller.origin, caller.token, cameraIds[0] ?? 0)
    await expect.poll(() => viewer.pictures.length).toBeGreaterThan(0)
    const postmaster = await findPid(product, 'postmaster')
    const helpers = (await postgresPids(product)).filter((pid) => pid !== postmaster)
    expect(helpers.length).toBeGreaterThan(3)
    const awayAt = Date.now()
    for (const pid of [postmaster, ...helpers]) await signal(product, pid, 'SIGSTOP')
    await sleep(hangingMs)
    expect(await viewer.ended).toBe(16)
    // Connections break, and nothing answers new ones.
    for (const pid of helpers) await signal(product, pid, 'SIGKILL')
    await sleep(stoppedMs)
    await signal(product, postmaster, 'SIGCONT')
    const backAt = Date.now()
    await until('ready', async () => (await fetch(`${product.origin}/readyz`)).ok)
    await annotate(`the database was away for ${backAt - awayAt} ms, ready again after ${Date.now() - backAt} ms`)

    for (const cameraId of cameraIds) {
      const timeline = await until('the timeline catches up', async () => {
        const found = await loadTimeline(caller, { cameraId, from: awayAt - 2 * SECOND, till: Date.now() })
        return Date.parse(found.segments.at(-1)?.end ?? '') > backAt + SECOND && found
      })
      expect(timeline.gaps.filter(({ start }) => Date.parse(start) > awayAt)).toEqual([])
    }
    await untilAllRecord(caller)

    const segments = await segmentsOnDisk(join(dataFolder, 'footage'), Date.now() - 2 * SECOND)
    for (const cameraId of cameraIds) {
      const own = segments.filter((segment) => segment.cameraId === cameraId && segment.end > awayAt)
      // One run, and each picture one picture after the last, by the sender's own times.
      expect(new Set(own.map(({ runId }) => runId)).size).toBe(1)
      const times = (await Promise.all(own.map(({ path }) => pictureTimes(path)))).flat()
      expect(times.length).toBeGreaterThan(((backAt - awayAt) / SECOND) * 25)
      const steps = new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))
      expect([...steps]).toEqual([TICKS_PER_PICTURE])
    }
  })

  testKilledWorker(() => ({ product, caller, dataFolder }))
}

interface Running {
  readonly product: RunningProduct
  readonly caller: ApiCaller
  readonly dataFolder: string
}

/** The process that started the worker knows what it needs (docs/decisions/0178). */
function testKilledWorker(running: () => Running): void {
  test('a media worker that is killed while the database is gone records all its cameras again within seconds', async ({
    annotate,
  }) => {
    const { product, caller, dataFolder } = running()
    const cameraIds = (await listCameras(caller)).map(({ cameraId }) => cameraId)
    await sleep(3 * SECOND)
    const postmaster = await findPid(product, 'postmaster')
    const helpers = (await postgresPids(product)).filter((pid) => pid !== postmaster)
    await signal(product, postmaster, 'SIGSTOP')
    for (const pid of helpers) await signal(product, pid, 'SIGKILL')
    const killedAt = Date.now()
    await signal(product, await findPid(product, 'media worker'), 'SIGKILL')
    const store = join(dataFolder, 'footage')
    // Files alone say so: nothing else can be asked.
    const again = await until('every camera is recorded again', async () => {
      const segments = (await segmentsOnDisk(store, Date.now())).filter(({ start }) => start > killedAt)
      const begun = new Map(segments.map(({ cameraId, start }) => [cameraId, start]))
      return begun.size === cameraIds.length && [...begun.values()].map((start) => start - killedAt)
    })
    await annotate(`recorded again, ms after the kill: ${again.join(' ')}`)
    expect(Math.max(...again)).toBeLessThan(10 * SECOND)
    await sleep(3 * SECOND)
    await signal(product, postmaster, 'SIGCONT')
    const backAt = Date.now()
    await until('ready', async () => (await fetch(`${product.origin}/readyz`)).ok)
    for (const cameraId of cameraIds) {
      const { gaps } = await until('the timeline catches up', async () => {
        const found = await loadTimeline(caller, { cameraId, from: killedAt - 5 * SECOND, till: Date.now() })
        return Date.parse(found.segments.at(-1)?.end ?? '') > backAt + SECOND && found
      })
      // The kill's own, and nothing when the database came back.
      const own = gaps.map(({ start, end }) => [Date.parse(start), Date.parse(end)] as const)
      const inside = own.filter(([start]) => start > killedAt - 4 * SECOND)
      expect(inside).toHaveLength(1)
      expect(inside[0]?.[0]).toBeGreaterThanOrEqual(killedAt - SECOND)
      expect(inside[0]?.[1]).toBeLessThan(killedAt + 10 * SECOND)
    }
    await untilAllRecord(caller)
  })
}
