/** All processes are killed while a gap of a recorder's input is being filled: nothing is duplicated or lost, and filling continues. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import type { SyncJob } from '@sightline/contract/cloud-sync'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listStreams, streamFolder, verifyManifest } from '../../server/media/src/recording/index.ts'
import { newDataFolder } from '../data-folders.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { segmentsOnDisk } from './footage-on-disk.ts'

const MAC = '02:00:00:00:00:52'
/** Two connections to the card, a minute of footage each, and a part of a third. */
const CUT_MS = 140_000
/** Footage begins with a keyframe, so up to a group of pictures is missing at the begin of each run. */
const GROUP_MS = 5000

let dataFolder: string
let port: number
let product: RunningProduct
let simulator: SimulatorProcess
let token: string
let cameraId = 0

const start = async () => {
  const environment = { SIGHTLINE_CAMERA_NETWORKS: '127.0.0.0/8' }
  product = await startProduct({ dataFolder, port, cameras: false, environment, readyWithinMs: 180_000 })
  token = await fetchToken(product.origin, 'owner@demo.example')
}
beforeAll(async () => {
  dataFolder = await newDataFolder()
  port = await freePort()
  const who = { username: 'viewer', password: 'right one' }
  const clips = await sceneClips('car-park')
  const recorder = { name: 'Cellar', mac: MAC, inputs: 2, card: { formatMs: 2500 } }
  simulator = await launchSimulator({ cameras: [{ ...recorder, ...who, clips }] })
  await start()
  const [zone] = await ask<{ zoneId: number }[]>('GET zones')
  const address = { address: '127.0.0.1', port: simulator.cameras[0]?.onvifPort, channel: 2, ...who }
  cameraId = (await ask<Camera>('POST cameras', { name: 'Yard', zoneId: zone?.zoneId, ...address })).cameraId
  await untilTrue(isRecorded, 90_000)
  await ask(`PATCH cameras/${cameraId}/cloudSync`, { enabled: true })
})
afterAll(async () => {
  await product?.[Symbol.asyncDispose]()
  await simulator?.stop()
  if (dataFolder !== undefined) await rm(dataFolder, { recursive: true, force: true })
})

async function ask<T>(request: string, body?: unknown): Promise<T> {
  const reply = await callApi<T>(product.origin, token, request, body)
  if (reply.status >= 300) throw new Error(`${request} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}
const isRecorded = async () => (await ask<CameraStatus>(`GET cameras/${cameraId}/status`)).recordingOnCloud
const jobs = () => ask<SyncJob[]>(`GET cameras/${cameraId}/cloudSync/jobs`)
async function untilTrue(holds: () => Promise<boolean>, withinMs: number, everyMs = 500): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(everyMs)) if (await holds()) return
  throw new Error(`not within ${withinMs} ms: ${holds}`)
}

/** Card footage of the timeline, as `[start, end]`. */
async function cardFootage(from: number, till: number): Promise<(readonly [number, number])[]> {
  const query = `from=${new Date(from).toISOString()}&till=${new Date(till).toISOString()}`
  const { segments } = await ask<RecordingTimeline>(`GET cameras/${cameraId}/recordingTimeline?${query}`)
  const times = segments.map(({ start, end, origin }) => [Date.parse(start), Date.parse(end), origin] as const)
  for (const [index, [begin]] of times.entries())
    expect(begin).toBeGreaterThanOrEqual(times[index - 1]?.[1] ?? Number.NEGATIVE_INFINITY)
  return times.flatMap(([begin, end, origin]) => (origin === 'card' ? [[begin, end] as const] : []))
}

test('kill -9 of everything in the middle of a sync, twice', async ({ annotate }) => {
  await sleep(5000)
  const cutAt = Date.now()
  await simulator.fault(MAC, { kind: 'refuse' })
  await sleep(CUT_MS)
  await simulator.heal(MAC)
  await untilTrue(isRecorded, 60_000)
  const backAt = Date.now()

  const isFilling = async () => (await jobs()).some(({ status }) => status === 'Running')
  await untilTrue(isFilling, 150_000, 50)
  // Before the first minute is on the disk.
  await sleep(300)
  await product.killAll()
  await start()
  const hasFirst = async () => (await jobs()).some(({ syncedDuration }) => syncedDuration > 0)
  await untilTrue(hasFirst, 150_000, 50)
  const [before] = await jobs()
  // After it, and before the others.
  await product.killAll()
  await start()
  await untilTrue(async () => !(await isFilling()) && (await jobs()).length > 0, 180_000)

  const found = await jobs()
  const syncedMs = Math.max(...found.map(({ syncedDuration }) => syncedDuration)) * 1000
  const sumOf = (spans: readonly (readonly [number, number])[]) =>
    spans.reduce((sum, [begin, end]) => sum + end - begin, 0)
  // The log of runs is written about a second after the files.
  const isLogged = async () => sumOf(await cardFootage(cutAt - 10_000, backAt + 10_000)) > syncedMs - 1000
  await untilTrue(isLogged, 30_000)
  const filled = await cardFootage(cutAt - 10_000, backAt + 10_000)
  const filledMs = sumOf(filled)
  const notes = found.map(
    ({ status, duration, syncedDuration, note }) => `${status} ${syncedDuration}/${duration} ${note}`,
  )
  const gapMs = Math.max(...found.map(({ duration }) => duration)) * 1000
  await annotate(
    `gap ${gapMs} ms, filled ${filledMs} ms in ${filled.length} runs; at the second kill ${before?.syncedDuration} s; ${notes.join('; ')}`,
  )
  expect(gapMs).toBeGreaterThan(CUT_MS - 10_000)
  expect(filledMs).toBeGreaterThan(gapMs - GROUP_MS * (filled.length + 1))
  expect(filledMs).toBeLessThanOrEqual(gapMs)
  expect(found.filter(({ status }) => status === 'Running')).toEqual([])

  // The same from the files alone: no segment overlaps another, none is half written, and the lists are whole.
  const store = join(dataFolder, 'footage')
  const segments = (await segmentsOnDisk(store, backAt)).filter((segment) => segment.cameraId === cameraId)
  const times = segments.toSorted((a, b) => a.start - b.start)
  for (const [index, { start: begin }] of times.entries())
    expect(begin).toBeGreaterThanOrEqual((times[index - 1]?.end ?? Number.NEGATIVE_INFINITY) - 1)
  const files = await readdir(store, { recursive: true })
  expect(files.filter((file) => file.endsWith('.import'))).toEqual([])
  for (const key of await listStreams(store))
    expect((await verifyManifest(streamFolder(store, key), key)).broken).toEqual([])
}, 900_000)
