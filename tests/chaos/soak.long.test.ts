/**
 * An installation with fifty cameras, with viewers that come and go, for half an hour: memory, descriptors and processes don't
 * grow, and no camera has a gap. `SIGHTLINE_SOAK_MINUTES` makes it longer.
 */
import { readdir, readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cameraMac } from '../../bench/installation.ts'
import { readMemory } from '../../bench/process-cost.ts'
import { newDataFolder } from '../data-folders.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { type ApiCaller, listCameras, loadTimeline, untilAllRecord } from './demo-cameras.ts'
import { cameraLogin, installSimulated, withoutDemonstration } from './simulated-installation.ts'
import { watchLive } from './viewer.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const MIB = 2 ** 20
const CAMERAS = 50
const VIEWERS = 5
const SOAK_MS = Number(process.env.SIGHTLINE_SOAK_MINUTES ?? 30) * MINUTE
/** Caches fill, and code is compiled. */
const WARM_UP_MS = SOAK_MS / 3
const SAMPLE_MS = 10 * SECOND
/** All processes together; a leak of a few bytes per picture would be more. */
const MAX_GROWTH_MIB_PER_HOUR = 60

const clip = { path: fileURLToPath(new URL('../fixtures/footage/main.h264', import.meta.url)), framesPerSecond: 25 }

let dataFolder: string
let simulator: SimulatorProcess
let product: RunningProduct
let caller: ApiCaller
beforeAll(async () => {
  dataFolder = await newDataFolder()
  const cameras = Array.from({ length: CAMERAS }, (_, index) => ({
    name: `Camera ${index}`,
    mac: cameraMac(index),
    ...cameraLogin,
    clips: { main: clip, sub: clip },
  }))
  simulator = await launchSimulator({ cameras })
  const ports = simulator.cameras.map(({ rtspPort }) => rtspPort)
  const { token } = await installSimulated(dataFolder, ports, { subPath: '/sub' })
  product = await startProduct({
    dataFolder,
    environment: { ...withoutDemonstration, SIGHTLINE_METRICS_PORT: String(await freePort()) },
  })
  caller = { origin: product.origin, token }
  await untilAllRecord(caller)
})
afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await simulator.stop()
  await rm(dataFolder, { recursive: true, force: true })
})

interface Sample {
  readonly at: number
  readonly mib: number
  readonly descriptors: number
  readonly processes: number
}

async function sample(): Promise<Sample> {
  // PostgreSQL's processes come and go with connections, and its memory is shared.
  const pids: number[] = []
  for (const pid of await product.processes()) {
    if ((await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'gone')).startsWith('postgres')) continue
    pids.push(pid)
  }
  const counts = await Promise.all(pids.map(async (pid) => (await readdir(`/proc/${pid}/fd`).catch(() => [])).length))
  const { rss } = await readMemory(pids)
  const descriptors = counts.reduce((sum, count) => sum + count, 0)
  return { at: Date.now(), mib: rss / MIB, descriptors, processes: pids.length }
}

/** Least squares. */
function slopePerHour(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ at }) => at)), mean(samples.map(of))]
  const shared = samples.reduce((sum, one) => sum + (one.at - x) * (of(one) - y), 0)
  const spread = samples.reduce((sum, one) => sum + (one.at - x) ** 2, 0)
  return (shared / spread) * 60 * MINUTE
}

async function watchAWhile(cameraId: number): Promise<void> {
  await using _viewer = await watchLive(caller.origin, caller.token, cameraId)
  await sleep(SAMPLE_MS / 2)
}

test('half an hour with fifty cameras: memory, descriptors and processes stay, and no camera has a gap', {
  timeout: SOAK_MS + 10 * MINUTE,
}, async () => {
  const cameraIds = (await listCameras(caller)).map(({ cameraId }) => cameraId)
  const since = Date.now()
  const samples: Sample[] = []
  for (let round = 0; Date.now() < since + SOAK_MS; round += 1) {
    const next = sleep(SAMPLE_MS)
    const watched = Array.from({ length: VIEWERS }, (_, n) => cameraIds[(round * VIEWERS + n) % CAMERAS] ?? 0)
    await Promise.all(watched.map(watchAWhile))
    await next
    if (Date.now() > since + WARM_UP_MS) samples.push(await sample())
  }
  const first = samples[0]
  const last = samples.at(-1)
  const growth = slopePerHour(samples, ({ mib }) => mib)
  const descriptors = slopePerHour(samples, (one) => one.descriptors)
  console.log('soak:', { first, last, growth, descriptors }, samples.map(({ mib }) => Math.round(mib)).join(' '))
  const gaps = []
  for (const cameraId of cameraIds) {
    const timeline = await loadTimeline(caller, { cameraId, from: since, till: Date.now() - MINUTE })
    gaps.push(...timeline.gaps)
  }
  expect(gaps).toEqual([])
  expect(growth).toBeLessThan(MAX_GROWTH_MIB_PER_HOUR)
  expect(Math.abs((last?.descriptors ?? 0) - (first?.descriptors ?? 0))).toBeLessThan(CAMERAS)
  expect(last?.processes).toBe(first?.processes)
})
