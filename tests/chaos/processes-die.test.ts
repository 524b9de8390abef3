/** One part of the running product is killed or frozen; the others continue and it restarts automatically (R1, R4, R9, R18). */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionResult } from '@sightline/contract/cameras'
import type { Db } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataFolder } from '../data-folders.ts'
import { longTest } from '../long-run.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { currentValue, keepChanging } from './acknowledged-changes.ts'
import { type ApiCaller, listCameras, listStatuses, loadTimeline, until, untilAllRecord } from './demo-cameras.ts'
import { picturesInSegment, segmentsOnDisk } from './footage-on-disk.ts'
import { findPid, findProcesses, listRunning } from './processes.ts'
import { auditedValues, openProductDatabase, storedRuns } from './product-database.ts'
import { type SocketViewer, watchLive } from './viewer.ts'

let dataFolder: string
let port: number
let product: RunningProduct
let db: Db
let caller: ApiCaller
let cameraIds: readonly number[]

beforeAll(async () => {
  dataFolder = await newDataFolder()
  port = await freePort()
  product = await startProduct({ dataFolder, port })
  db = openProductDatabase(dataFolder)
  caller = { origin: product.origin, token: await fetchToken(product.origin, 'owner@demo.example') }
  cameraIds = (await listCameras(caller)).map(({ cameraId }) => cameraId)
  await untilAllRecord(caller)
})

afterAll(async () => {
  await db[Symbol.asyncDispose]()
  await product[Symbol.asyncDispose]()
  await rm(dataFolder, { recursive: true, force: true })
})

const SECOND = 1000
/** Footage before the fault, so that a gap has something to follow. */
const SOME_FOOTAGE_MS = 3 * SECOND

interface Gap {
  readonly start: number
  readonly end: number
  readonly reason: string
}

/** One camera's gaps that overlap the span, once footage continues after it. */
async function gapsOf(cameraId: number, { from, till }: { from: number; till: number }): Promise<readonly Gap[]> {
  const timeline = await until('footage continues', async () => {
    const found = await loadTimeline(caller, { cameraId, from, till: Date.now() })
    return Date.parse(found.segments.at(-1)?.end ?? '') > till && found
  })
  return timeline.gaps
    .map(({ start, end, reason }) => ({ start: Date.parse(start), end: Date.parse(end), reason }))
    .filter(({ start, end }) => start < till && end > from)
}

/** A live viewer that has received pictures. */
const seeing = (cameraId: number): Promise<SocketViewer> =>
  until('live pictures', async () => {
    const viewer = await watchLive(caller.origin, caller.token, cameraId)
    const over = viewer.ended.then(() => true)
    while (viewer.pictures.length === 0) if (await Promise.race([over, sleep(20, false)])) return undefined
    return viewer
  })

const annotated = (numbers: readonly number[]): string => numbers.map((number) => Math.round(number)).join(' ')

test('a killed media worker restarts: recording resumes after a gap, and viewers can reconnect', async ({
  annotate,
}) => {
  await sleep(SOME_FOOTAGE_MS)
  const [first = 0] = cameraIds
  const viewer = await seeing(first)
  const victim = await findPid(product, 'media worker')
  const killedAt = Date.now()
  process.kill(victim, 'SIGKILL')
  // The connection breaks without an `end` message: its sender is dead.
  expect(await viewer.ended).toBeUndefined()
  await using again = await seeing(first)
  expect(again.pictures.length).toBeGreaterThan(0)
  const backAt = Date.now()
  await untilAllRecord(caller)
  const recordingAt = Date.now()
  expect(await findPid(product, 'media worker')).not.toBe(victim)
  const gaps: Gap[] = []
  for (const cameraId of cameraIds) {
    const [gap, ...more] = await gapsOf(cameraId, { from: killedAt - SECOND, till: killedAt + SECOND })
    expect(more).toEqual([])
    expect(gap).toMatchObject({ reason: 'restart' })
    if (gap !== undefined) gaps.push(gap)
  }
  for (const gap of gaps) {
    expect(gap.start).toBeGreaterThanOrEqual(killedAt - SECOND)
    expect(gap.end).toBeGreaterThan(killedAt)
    expect(gap.end).toBeLessThanOrEqual(recordingAt)
  }
  await annotate(`live again after ${backAt - killedAt} ms`)
  await annotate(`lost before the kill, ms: ${annotated(gaps.map(({ start }) => killedAt - start))}`)
  await annotate(`recording again, ms after the kill: ${annotated(gaps.map(({ end }) => end - killedAt))}`)
})

test('a media worker that hangs is reported, ended and started again', async ({ annotate }) => {
  await untilAllRecord(caller)
  await sleep(SOME_FOOTAGE_MS)
  const victim = await findPid(product, 'media worker')
  const hungAt = Date.now()
  process.kill(victim, 'SIGSTOP')
  const waiting = await watchLive(caller.origin, caller.token, cameraIds[0] ?? 0)
  const problems = await until('it is reported', async () => {
    const answer = await fetch(`${product.origin}/readyz`)
    return answer.ok ? undefined : answer.text()
  })
  const reportedAt = Date.now()
  expect(problems).toContain('the media worker is not responding')
  expect(reportedAt - hungAt).toBeLessThan(5 * SECOND)
  await until('ready', async () => (await fetch(`${product.origin}/readyz`)).ok)
  const readyAt = Date.now()
  expect(readyAt - hungAt).toBeLessThan(10 * SECOND)
  // A viewer who came meanwhile isn't left waiting.
  expect(await waiting.ended).toBeUndefined()
  await using again = await seeing(cameraIds[0] ?? 0)
  expect(again.pictures.length).toBeGreaterThan(0)
  expect(await findPid(product, 'media worker')).not.toBe(victim)
  for (const cameraId of cameraIds) {
    const gaps = await gapsOf(cameraId, { from: hungAt - SECOND, till: hungAt + SECOND })
    expect(gaps.map(({ reason }) => reason)).toEqual(['restart'])
  }
  await annotate(`reported after ${reportedAt - hungAt} ms, ready again after ${readyAt - hungAt} ms`)
})

/** Waits until every camera is in that state and returns the time. */
const untilCameras = async (online: boolean, result: ConnectionResult): Promise<number> => {
  await until(`cameras are ${online ? 'online' : 'offline'}, ${result}`, async () => {
    const statuses = await listStatuses(caller)
    return statuses.every((each) => each.online === online && each.lastConnectionResult === result)
  })
  return Date.now()
}

longTest(
  'cameras that stop sending, then vanish, show as offline with the reason and recover automatically',
  async ({ annotate }) => {
    await sleep(SOME_FOOTAGE_MS)
    const victim = await findPid(product, 'simulator')
    const frozenAt = Date.now()
    process.kill(victim, 'SIGSTOP')
    const silentAt = await untilCameras(false, 'timeout')
    const killedAt = Date.now()
    process.kill(victim, 'SIGKILL')
    const goneAt = await untilCameras(false, 'unreachable')
    const backAt = await untilCameras(true, 'ok')
    await annotate(`silent: offline after ${silentAt - frozenAt} ms; gone: unreachable after ${goneAt - killedAt} ms`)
    await annotate(`online again ${backAt - killedAt} ms after the kill`)
    for (const cameraId of cameraIds) {
      const gaps = await gapsOf(cameraId, { from: frozenAt, till: killedAt })
      expect(gaps).toHaveLength(1)
      expect(gaps[0]?.reason).toBe('cameraOffline')
      // R4: exact to a second.
      expect(Math.abs((gaps[0]?.start ?? 0) - frozenAt)).toBeLessThan(SECOND)
      expect(gaps[0]?.end).toBeGreaterThan(killedAt)
      expect(gaps[0]?.end).toBeLessThan(backAt + SECOND)
    }
  },
)

test('a killed PostgreSQL restarts: no acknowledged change is lost, and recording never stops', async ({
  annotate,
}) => {
  await untilAllRecord(caller)
  await sleep(SOME_FOOTAGE_MS)
  const since = Date.now()
  const field = { ...caller, path: 'users/self/details', field: 'companyName', value: (n: number) => `Number ${n}` }
  const changes = keepChanging(field)
  await until('some changes', async () => changes.acknowledged() > 20)
  const victim = await findPid(product, 'postmaster')
  const killedAt = Date.now()
  process.kill(victim, 'SIGKILL')
  const before = changes.acknowledged()
  await until('changes continue', async () => changes.acknowledged() > before + 20)
  const backAt = Date.now()
  await changes.stop()
  await until('ready', async () => (await fetch(`${product.origin}/readyz`)).ok)

  const audited = await auditedValues(db, { action: 'patchUserDetails', field: 'companyName', since })
  const asked = Array.from({ length: changes.acknowledged() }, (_, index) => field.value(index + 1))
  expect(audited.toSorted()).toEqual(asked.toSorted())
  expect(await currentValue(field, product.origin)).toBe(asked.at(-1))
  // Calls in the meantime were told to retry; they got no internal error.
  for (const refusal of changes.refusals) expect(refusal).toMatch(/^503 .*"code":16/)

  for (const cameraId of cameraIds)
    expect(await gapsOf(cameraId, { from: killedAt - SECOND, till: backAt })).toEqual([])
  await annotate(
    `changes continued ${backAt - killedAt} ms after the kill, ${changes.refusals.length} refused meanwhile`,
  )
})

test('a clean stop loses nothing, and the next start shows the gap as stopped', async ({ annotate }) => {
  await untilAllRecord(caller)
  const viewers = await Promise.all(cameraIds.map(seeing))
  await sleep(SOME_FOOTAGE_MS)
  const pids = await product.processes()
  const askedAt = Date.now()
  expect(await product.stop()).toBe(0)
  const endedAt = Date.now()
  expect(endedAt - askedAt).toBeLessThan(10 * SECOND)
  expect(await listRunning(pids)).toEqual([])
  await until('nothing works in the data folder', async () => (await findProcesses(dataFolder)).length === 0)

  const segments = await segmentsOnDisk(join(dataFolder, 'footage'), endedAt)
  for (const [index, cameraId] of cameraIds.entries()) {
    const viewer = viewers[index]
    expect(await viewer?.ended).toBe(16)
    const own = segments.filter((segment) => segment.cameraId === cameraId)
    expect(own.at(-1)?.why).toBe('stopped')
    const recorded = new Set((await Promise.all(own.map(({ path }) => picturesInSegment(path)))).flat())
    expect(viewer?.pictures.filter((picture) => !recorded.has(picture))).toEqual([])
  }
  await annotate(`stopped after ${endedAt - askedAt} ms`)

  product = await startProduct({ dataFolder, port })
  await untilAllRecord(caller)
  for (const cameraId of cameraIds) {
    const gaps = await gapsOf(cameraId, { from: endedAt, till: endedAt + 1 })
    expect(gaps.map(({ reason }) => reason)).toEqual(['stopped'])
  }
  const whys = [...(await storedRuns(db)).values()].filter(({ start }) => start < askedAt).map(({ why }) => why)
  expect(whys).not.toContain(null)
})

test('a PostgreSQL that cannot be started is tried until it can, and recording never stops', async ({ annotate }) => {
  await untilAllRecord(caller)
  await sleep(SOME_FOOTAGE_MS)
  const control = join(dataFolder, 'postgres/cluster/global/pg_control')
  await rename(control, `${control}.gone`)
  const killedAt = Date.now()
  process.kill(await findPid(product, 'postmaster'), 'SIGKILL')
  await until('the log says why', async () => /PostgreSQL could not be started.*/.test(product.output()))
  expect(product.output()).toMatch(/PostgreSQL did not start in .*pg_control/)
  // Three starts have failed by then.
  await sleep(4 * SECOND)
  const readiness = await fetch(`${product.origin}/readyz`)
  expect(readiness.status).toBe(503)
  expect(await readiness.json()).toMatchObject({ problems: expect.arrayContaining(['the database is not responding']) })
  await rename(`${control}.gone`, control)
  const mendedAt = Date.now()
  await until('ready', async () => (await fetch(`${product.origin}/readyz`)).ok)
  const backAt = Date.now()
  await untilAllRecord(caller)
  for (const cameraId of cameraIds)
    expect(await gapsOf(cameraId, { from: killedAt - SECOND, till: backAt })).toEqual([])
  await annotate(`ready ${backAt - mendedAt} ms after the cause was gone`)
})

test('a stop while PostgreSQL cannot be started ends every process within ten seconds', async ({ annotate }) => {
  const pids = await product.processes()
  const control = join(dataFolder, 'postgres/cluster/global/pg_control')
  await rename(control, `${control}.gone`)
  process.kill(await findPid(product, 'postmaster'), 'SIGKILL')
  await until('not ready', async () => !(await fetch(`${product.origin}/readyz`)).ok)
  await sleep(2 * SECOND)
  const askedAt = Date.now()
  expect(await product.stop()).toBe(0)
  const tookMs = Date.now() - askedAt
  expect(tookMs).toBeLessThan(10 * SECOND)
  expect(await listRunning(pids)).toEqual([])
  await until('nothing works in the data folder', async () => (await findProcesses(dataFolder)).length === 0)
  await annotate(`stopped after ${tookMs} ms`)
})

test('a start with a damaged database is refused with an explanation, and no process is left', async () => {
  await expect(startProduct({ dataFolder, port })).rejects.toThrow(
    /PostgreSQL did not start in .*pg_control.* restore .*\./,
  )
  await until('nothing works in the data folder', async () => (await findProcesses(dataFolder)).length === 0)
})
