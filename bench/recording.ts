/**
 * The cost of recording: many 2 Mbit/s cameras through real hubs and recorders to one disk, in one process.
 *   node bench/recording.ts [cameras=50] [seconds=20] [encrypted|plain] [folder]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccessUnit, TrackConfig } from '../server/media/src/frame/index.ts'
import { createHub } from '../server/media/src/hub/index.ts'
import { Manifest, record, type StreamKey, SyncGroup } from '../server/media/src/recording/index.ts'
import { filesBelow, heldLease, MemoryRunLog, newDayKeys } from '../server/media/src/recording/recording-stage.ts'
import { scanSegment } from '../server/media/src/recording/segment-scan.ts'
import { footage } from '../tests/fixtures/footage.ts'

const [cameras = 50, seconds = 20] = process.argv.slice(2, 4).map(Number)
const isEncrypted = process.argv[4] !== 'plain'
const folder = process.argv[5] ?? (await mkdtemp(join(tmpdir(), 'sightline-bench-')))

const PICTURES_PER_SECOND = 25
const GOP = 50
const BITS_PER_SECOND = 2_000_000
const pictureBytes = BITS_PER_SECOND / 8 / PICTURES_PER_SECOND

const track: TrackConfig = footage('main.h264').track
const random = new Uint8Array(1_000_000)
for (let at = 0; at < random.length; at += 65_536) crypto.getRandomValues(random.subarray(at, at + 65_536))

/** A key picture is eight times as large as the others, as in a typical stream; its NAL units are pieces of 1,400 bytes. */
function picture(number: number, wallClock: number): AccessUnit {
  const isKey = number % GOP === 0
  const plain = (pictureBytes * GOP) / (GOP - 1 + 8)
  const size = Math.round(isKey ? plain * 8 : plain)
  const at = (number * 7919) % (random.length - size)
  return { kind: 'video', time: number * 3600, wallClock, isKey, units: [random.subarray(at, at + size)] }
}

const kek = new Uint8Array(32)
const group = new SyncGroup()
const runs = new MemoryRunLog()
const stopping = new AbortController()
const all = await Promise.all(
  Array.from({ length: cameras }, async (_, index) => {
    const stream: StreamKey = { accountId: 1, cameraId: index + 1, stream: 'main' }
    const manifest = await Manifest.open({ store: folder, stream, group, failed: console.error })
    const hub = createHub()
    const recording = record(
      {
        reader: hub.join({ start: 'next-key', maxQueuedBytes: 32e6 }),
        store: folder,
        stream,
        kind: 'continuous',
        lease: heldLease(1),
        manifest,
        group,
        runs,
        health: console.error,
        ...(isEncrypted && { dayKey: newDayKeys(kek) }),
      },
      stopping.signal,
    )
    return { hub, recording, manifest }
  }),
)
for (const { hub } of all) hub.publish({ kind: 'tracks', tracks: [track] })

const lag = monitorEventLoopDelay({ resolution: 10 })
lag.enable()
const before = process.cpuUsage()
const started = performance.now()
const numbers = new Float64Array(cameras)
while (performance.now() - started < seconds * 1000) {
  const elapsed = performance.now() - started
  for (const [index, { hub }] of all.entries()) {
    // Cameras are not synchronized: each has its own picture times.
    const due = Math.floor(((elapsed + (index * 2000) / cameras) * PICTURES_PER_SECOND) / 1000)
    for (let number = numbers[index] ?? 0; number < due; number++) {
      hub.publish({ kind: 'unit', track: 0, unit: picture(number, Date.now()) })
    }
    numbers[index] = due
  }
  await sleep(10)
}
const cpu = process.cpuUsage(before)
const wall = (performance.now() - started) / 1000
lag.disable()
stopping.abort('stopped')
await Promise.all(all.map(({ recording }) => recording))
await Promise.all(all.map(({ manifest }) => manifest[Symbol.asyncDispose]()))

const scans = await Promise.all((await filesBelow(folder)).map((path) => scanSegment(path)))
const parts = scans.reduce((sum, scan) => sum + scan.parts.length, 0)
const bytes = scans.reduce((sum, scan) => sum + scan.fileBytes, 0)
const pictures = scans.reduce((sum, scan) => sum + scan.parts.reduce((all_, part) => all_ + part.pictures, 0), 0)
const cpuSeconds = (cpu.user + cpu.system) / 1e6
console.log(
  JSON.stringify({
    cameras,
    isEncrypted,
    seconds: Number(wall.toFixed(1)),
    megabytesPerSecond: Number((bytes / wall / 1e6).toFixed(1)),
    parts,
    lostPictures: numbers.reduce((a, b) => a + b, 0) - pictures,
    cpuPercentOfOneCore: Number(((cpuSeconds / wall) * 100).toFixed(1)),
    cpuPercentPerCamera: Number(((cpuSeconds / wall / cameras) * 100).toFixed(3)),
    microsecondsOfCpuPerPart: Math.round((cpuSeconds / parts) * 1e6),
    loopLagP99Ms: Number((lag.percentile(99) / 1e6).toFixed(1)),
    loopLagMaxMs: Number((lag.max / 1e6).toFixed(1)),
    rssMegabytes: Math.round(process.memoryUsage().rss / 1e6),
  }),
)
if (process.argv[5] === undefined) await rm(folder, { recursive: true })
