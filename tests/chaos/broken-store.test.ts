/**
 * When the footage store can't be written to, only footage is lost: live view continues, and recording resumes automatically once
 * the store is repaired (R6).
 */
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataFolder } from '../data-folders.ts'
import { longTest } from '../long-run.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { type ApiCaller, listCameras, listStatuses, loadTimeline, until, untilAllRecord } from './demo-cameras.ts'
import { findPid } from './processes.ts'
import { type SmallDisk, smallDisk } from './small-disk.ts'
import { type SocketViewer, watchLive } from './viewer.ts'

const SECOND = 1000
/** Footage before the store breaks, so that a gap has something to follow. */
const SOME_FOOTAGE_MS = 3 * SECOND
/**
 * How many pictures prove that live view continues: three seconds of a demonstration camera. The recorder writes to the store more
 * often than that, so footage recorded after this wait starts after it.
 */
const MOVING = 75

let dataFolder: string
let disk: SmallDisk | undefined
let product: RunningProduct
let caller: ApiCaller
let cameraId: number
let metricsPort: number

beforeAll(async () => {
  dataFolder = await newDataFolder()
  disk = smallDisk(join(dataFolder, 'footage'), 96)
  metricsPort = await freePort()
  product = await startProduct({ dataFolder, environment: { SIGHTLINE_METRICS_PORT: String(metricsPort) } })
  caller = { origin: product.origin, token: await fetchToken(product.origin, 'owner@demo.example') }
  cameraId = (await listCameras(caller))[0]?.cameraId ?? 0
  await untilAllRecord(caller)
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  disk?.[Symbol.dispose]()
  await rm(dataFolder, { recursive: true, force: true })
})

async function problems(): Promise<readonly string[]> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/problems`)).json()
}

/** An unrecorded camera does not take the server out of service and is not shown publicly. */
async function untoldAndReady(): Promise<void> {
  const answer = await fetch(`${product.origin}/readyz`)
  expect([answer.status, await answer.json()]).toEqual([200, { ready: true, problems: [] }])
}

/** Waits until no camera is recorded, the operator sees this problem for each, and all are online. */
async function untilNoneRecords(words: string): Promise<void> {
  await until(`no camera is recorded: ${words}`, async () => {
    const told = (await problems()).filter((problem) => problem.endsWith(`is not being recorded: ${words}`))
    const statuses = await listStatuses(caller)
    const isLive = statuses.every(({ online, recordingOnCloud }) => online && !recordingOnCloud)
    return isLive && told.length === statuses.length
  })
  await untoldAndReady()
}

/** A metric of the media worker. */
async function metric(name: string, label = ''): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const start = `sightline_media_${name}{worker="media-1"${label}} `
  const line = text.split('\n').find((each) => each.startsWith(start))
  return Number(line?.slice(start.length))
}

const moves = async (viewer: SocketViewer): Promise<void> => {
  const before = viewer.pictures.length
  await until('the picture moves', async () => viewer.pictures.length >= before + MOVING)
}

/** The reason of the gap at a moment, once footage continues after it. */
async function reasonAt(moment: number): Promise<string | undefined> {
  const timeline = await until('footage continues', async () => {
    const found = await loadTimeline(caller, { cameraId, from: moment - 60 * SECOND, till: Date.now() })
    return Date.parse(found.segments.at(-1)?.start ?? '') > moment && found
  })
  for (const { start, end } of timeline.segments) expect(Date.parse(end)).toBeGreaterThan(Date.parse(start))
  return timeline.gaps.find(({ start, end }) => Date.parse(start) <= moment && moment <= Date.parse(end))?.reason
}

test('a full disk: live view continues, the gap says why, and recording resumes when there is space', async ({
  skip,
}) => {
  if (disk === undefined) return skip('this user may not mount a small disk')
  await sleep(SOME_FOOTAGE_MS)
  await using viewer = await watchLive(caller.origin, caller.token, cameraId)
  await moves(viewer)
  await disk.fill()
  await untilNoneRecords('the disk is full')
  const broken = Date.now()
  await moves(viewer)
  await using another = await watchLive(caller.origin, caller.token, cameraId)
  await moves(another)
  const cameras = (await listStatuses(caller)).length
  expect(await metric('cameras', ',state="unrecorded"')).toBe(cameras)
  expect(await metric('viewers', ',use="live"')).toBe(2)
  const recorded = await metric('recorded_pictures_total')
  await rm(disk.filler)
  await untilAllRecord(caller)
  await until('no problem is left', async () => (await problems()).length === 0)
  expect(await reasonAt(broken)).toBe('disk')
  expect(await metric('cameras', ',state="recorded"')).toBe(cameras)
  expect(await metric('recorded_pictures_total')).toBeGreaterThan(recorded)
  expect(await metric('sync_duration_seconds_count')).toBeGreaterThan(0)
  await moves(viewer)
  expect(viewer.messages.filter(({ type }) => type === 'init' || type === 'end')).toHaveLength(1)
})

longTest('a disk that is read-only when the worker starts: live view works, and the gap says why', async ({ skip }) => {
  const small = disk
  if (small === undefined) return skip('this user may not mount a small disk')
  await untilAllRecord(caller)
  await sleep(SOME_FOOTAGE_MS)
  process.kill(await findPid(product, 'media worker'), 'SIGKILL')
  for (const deadline = Date.now() + 5 * SECOND; !small.setReadOnly(true); await sleep(5))
    if (Date.now() > deadline) throw new Error('the disk could not be made read-only')
  await untilNoneRecords('the disk is read-only')
  const broken = Date.now()
  await using viewer = await watchLive(caller.origin, caller.token, cameraId)
  await moves(viewer)
  expect(small.setReadOnly(false)).toBe(true)
  await untilAllRecord(caller)
  expect(await reasonAt(broken)).toBe('disk')
  await moves(viewer)
})

longTest('a footage folder that is missing when the worker starts: live view works, and the gap says why', async () => {
  // Not the mounted folder, which cannot be moved.
  disk?.[Symbol.dispose]()
  disk = undefined
  await untilAllRecord(caller)
  await sleep(SOME_FOOTAGE_MS)
  const store = join(dataFolder, 'footage')
  await rename(store, `${store}.gone`)
  await writeFile(store, 'not a folder')
  process.kill(await findPid(product, 'media worker'), 'SIGKILL')
  await untilNoneRecords('the footage folder is missing')
  const broken = Date.now()
  await using viewer = await watchLive(caller.origin, caller.token, cameraId)
  await moves(viewer)
  await rm(store)
  await rename(`${store}.gone`, store)
  await untilAllRecord(caller)
  expect(await reasonAt(broken)).toBe('disk')
  await moves(viewer)
})
