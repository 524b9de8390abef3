/** Runs gst-rtsp-server and records its stream with hub and recorder, connected like in the media worker. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type AccessUnit, getPresentationTime } from '../../server/media/src/frame/index.ts'
import { createHub, type Hub, type HubReader } from '../../server/media/src/hub/index.ts'
import { Manifest, type RecordingHealth, record, SyncGroup } from '../../server/media/src/recording/index.ts'
import { CAMERA, heldLease, MemoryRunLog, temporaryFolder } from '../../server/media/src/recording/recording-stage.ts'
import {
  checkedConnect,
  keepCameraConnected,
  newCounters,
  parseRtspAddress,
  playRtsp,
  type StreamCounters,
} from '../../server/media/src/source/index.ts'

const python = '/usr/bin/python3'
const importGst = 'import gi; gi.require_version("GstRtspServer", "1.0"); from gi.repository import GstRtspServer'
const hasGst = spawnSync(python, ['-c', importGst]).status === 0
const hasFfmpeg = spawnSync('ffprobe', ['-version']).status === 0
/** Whether both third-party programs are installed. */
export const isReady = hasGst && hasFfmpeg
export const RECORD_MS = 8000
const PATIENCE_MS = 20_000

export async function startGst(): Promise<{ server: ChildProcess; origin: string }> {
  const script = new URL('../fixtures/gst-camera.py', import.meta.url).pathname
  const server = spawn(python, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>((told, failed) => {
    createInterface({ input: server.stdout }).once('line', told)
    server.once('exit', (code) => failed(new Error(`gst-camera.py ended with ${code}`)))
  })
  return { server, origin: `rtsp://127.0.0.1:${port}` }
}

export interface ReceivedUnits {
  readonly video: readonly string[]
  readonly audio: readonly string[]
  /** Presentation time of each picture in ticks of the run, in decoding order. */
  readonly shown: readonly number[]
}

export interface HubRecording {
  readonly store: string
  /** The units that the hub delivered, as hashes. */
  readonly arrived: ReceivedUnits
  readonly counters: StreamCounters
  readonly health: readonly RecordingHealth[]
  readonly runs: MemoryRunLog
}

export function hashUnit({ units }: AccessUnit): string {
  const hash = createHash('sha256')
  for (const piece of units) hash.update(String(piece.length)).update(piece)
  return hash.digest('base64')
}

/** Takes all units from the hub; call it after the stream has ended. */
function arrivedAt(reader: HubReader): ReceivedUnits {
  const arrived = { video: [] as string[], audio: [] as string[], shown: [] as number[] }
  for (let message = reader.take(); message !== undefined; message = reader.take()) {
    if (message.kind === 'unit') {
      arrived[message.unit.kind].push(hashUnit(message.unit))
      if (message.unit.kind === 'video') arrived.shown.push(getPresentationTime(message.unit))
    }
    expect(message.kind).not.toBe('skipped')
  }
  return arrived
}

/** Connects camera, hub and recorder like the media worker does; `watch` can add a reader. */
export async function recordCamera(url: string, watch: (hub: Hub) => void = () => undefined): Promise<HubRecording> {
  const address = parseRtspAddress(url)
  if (!address.ok) throw new Error(address.failure.detail)
  const store = await temporaryFolder()
  const hub = createHub()
  watch(hub)
  const beside = hub.join({ maxQueuedBytes: 1e9, start: 'now' })
  const counters = newCounters()
  const runs = new MemoryRunLog()
  const health: RecordingHealth[] = []
  await using group = new SyncGroup()
  await using manifest = await Manifest.open({
    store,
    stream: CAMERA,
    group,
    failed: (cause) => expect.fail(`${cause}`),
  })
  const recorderStops = new AbortController()
  const recording = record(
    {
      reader: hub.join({ maxQueuedBytes: 32 * 1024 * 1024, start: 'now' }),
      store,
      stream: CAMERA,
      kind: 'continuous',
      lease: heldLease(1),
      manifest,
      group,
      runs,
      health: (state) => health.push(state),
    },
    recorderStops.signal,
  )
  const cameraStops = new AbortController()
  const online = Promise.withResolvers<void>()
  const connected = keepCameraConnected({
    play: (publish, signal) =>
      playRtsp({
        address: address.value,
        connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
        signal,
        publish,
        counters,
      }),
    publish: (message) => hub.publish(message),
    onState: (state) => state.kind === 'online' && online.resolve(),
    signal: cameraStops.signal,
  })
  await Promise.race([online.promise, sleep(PATIENCE_MS)])
  await sleep(RECORD_MS)
  cameraStops.abort('stopped')
  await connected
  recorderStops.abort('stopped')
  await recording
  return { store, arrived: arrivedAt(beside), counters, health, runs }
}
