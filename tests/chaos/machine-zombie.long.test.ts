/** A machine freezes while another takes over its cameras, then resumes where it stopped (R8, security.md §6.12). */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listStreams, streamFolder, verifyManifest } from '../../server/media/src/recording/index.ts'
import { fetchToken } from '../signed-in.ts'
import { type ApiCaller, listCameras, loadTimeline, until, untilAllRecord } from './demo-cameras.ts'
import { parseFence, type SegmentOnDisk, segmentsOfAllStreams } from './footage-on-disk.ts'
import { type Front, listProcesses, type Machine, machineThatGets, startFront } from './machines.ts'
import { requestTicket, watch } from './viewer.ts'

const SECOND = 1000
/** Longer than leases and the patience of the front. */
const STILL_MS = 25 * SECOND
/** What a picture may be apart from the end of the one before, by rounded times of arrival. */
const ROUNDED_MS = 40

let front: Front
let caller: ApiCaller
let cameraId: number
let machine: Machine
let name: string
const times = { stopped: 0, taken: 0, woken: 0, shared: 0 }

beforeAll(async () => {
  front = await startFront()
  caller = { origin: front.product.origin, token: await fetchToken(front.product.origin, 'owner@demo.example') }
  cameraId = (await listCameras(caller))[0]?.cameraId ?? 0
  await untilAllRecord(caller)
  name = machineThatGets(cameraId)
  machine = front.startMachine(await front.addMachine(name))
  await until('the machine has its camera', async () => (await lease()).workerId === `${name}-1`)
  await untilAllRecord(caller)
  await sleep(5 * SECOND)
})
afterAll(async () => {
  // A process that stands still doesn't stop.
  if (machine !== undefined) await signal('SIGCONT')
  await machine?.[Symbol.asyncDispose]()
  await front?.[Symbol.asyncDispose]()
})

async function lease(): Promise<{ readonly workerId: string; readonly fence: number }> {
  const leases = front.database.db.plain.selectFrom('camera_leases').select(['worker_id', 'fence'])
  const row = await leases.where('camera_id', '=', cameraId).executeTakeFirst()
  return { workerId: row?.worker_id ?? '', fence: row?.fence ?? 0 }
}

/** To the program and its worker; its processes are looked up each time. */
async function signal(what: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  for (const pid of await listProcesses(machine)) process.kill(pid, what)
}

const stores = () => ({ front: join(front.dataFolder, 'footage'), machine: join(machine.dataFolder, 'footage') })

async function segmentsOf(store: string): Promise<readonly SegmentOnDisk[]> {
  const all = await segmentsOfAllStreams(store, Date.now() - 2 * SECOND)
  return all
    .filter((each) => each.cameraId === cameraId && each.stream === 'main')
    .toSorted((a, b) => a.start - b.start)
}

test('another machine takes its camera, and gives it back after it has woken', async ({ annotate }) => {
  const before = await lease()
  times.stopped = Date.now()
  await signal('SIGSTOP')
  await until('the front has the camera', async () => (await lease()).workerId === 'media-1')
  await until('it is recorded there', async () => {
    const segments = await segmentsOf(stores().front)
    return (segments.at(-1)?.start ?? 0) > times.stopped
  })
  times.taken = Date.now()
  await sleep(Math.max(0, times.stopped + STILL_MS - Date.now()))
  const meanwhile = await lease()
  expect(meanwhile.fence).toBeGreaterThan(before.fence)
  times.woken = Date.now()
  await signal('SIGCONT')
  await until('it has the camera again', async () => (await lease()).workerId === `${name}-1`)
  await untilAllRecord(caller)
  times.shared = Date.now()
  expect((await lease()).fence).toBeGreaterThan(meanwhile.fence)
  // Enough for what follows to look at.
  await sleep(8 * SECOND)
  await annotate(
    `recorded elsewhere after ${times.taken - times.stopped} ms, given back ${times.shared - times.woken} ms after it woke`,
  )
})

test('no stream folder had two writers: chains are whole, and a lower fence wrote nothing once a higher one had begun', async ({
  annotate,
}) => {
  let old = 0
  for (const store of Object.values(stores())) {
    for (const key of await listStreams(store))
      expect((await verifyManifest(streamFolder(store, key), key)).broken).toEqual([])
    const segments = await segmentsOf(store)
    expect(segments.length).toBeGreaterThan(0)
    for (const [index, segment] of segments.entries()) {
      const next = segments[index + 1]
      if (next === undefined) continue
      expect(parseFence(next.path)).toBeGreaterThanOrEqual(parseFence(segment.path))
      expect(next.start).toBeGreaterThanOrEqual(segment.end - ROUNDED_MS)
    }
    const highest = parseFence((segments.at(-1) as SegmentOnDisk).path)
    for (const each of segments) if (parseFence(each.path) < highest) old = Math.max(old, each.end)
  }
  await annotate(`the last that was written with an older fence: ${old - times.woken} ms after the machine woke`)
})

test('what both have recorded is shown once', async ({ annotate }) => {
  const [from, till] = [times.stopped - 4 * SECOND, times.shared + 4 * SECOND]
  const { segments, gaps } = await loadTimeline(caller, { cameraId, from, till })
  for (const [index, { start }] of segments.entries())
    if (index > 0) expect(Date.parse(start)).toBeGreaterThanOrEqual(Date.parse(segments[index - 1]?.end ?? ''))
  // It stood still: nobody changed its clock.
  for (const { reason } of gaps) expect(['stopped', 'takeover', 'network', 'cameraOffline']).toContain(reason)
  await annotate(`gaps: ${gaps.map(({ start, end, reason }) => `${reason} ${Date.parse(end) - Date.parse(start)} ms`)}`)
  // From before the machine stood still, and from just before it woke.
  for (const start of [from, times.woken - 3 * SECOND]) {
    const ticket = await requestTicket(caller.origin, caller.token, { cameraId, use: 'playback' })
    await using viewer = watch({ origin: caller.origin, cameraId, from: start, credential: { ticket } })
    const over = viewer.ended.then(() => true)
    await until(
      'enough is played',
      async () => viewer.pictures.length > 250 || (await Promise.race([over, sleep(20, false)])),
    )
    expect(viewer.pictures.length).toBeGreaterThan(100)
    expect(new Set(viewer.pictures).size).toBe(viewer.pictures.length)
  }
})
