/** What gst-rtsp-server sends, written by others, is recorded to the last picture, and ffmpeg, written by others, plays it. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccessUnit } from '../../server/media/src/frame/index.ts'
import { createHub, type HubReader } from '../../server/media/src/hub/index.ts'
import { openPlayback } from '../../server/media/src/playback/index.ts'
import { Manifest, type RecordingHealth, record, SyncGroup } from '../../server/media/src/recording/index.ts'
import { CAMERA, filesBelow, MemoryRunLog, temporaryFolder } from '../../server/media/src/recording/recording-stage.ts'
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
const RECORD_MS = 8000
const PATIENCE_MS = 20_000

const run = promisify(execFile)

interface Arrived {
  readonly video: readonly string[]
  readonly audio: readonly string[]
}

interface Recorded {
  readonly store: string
  /** What came out of the hub beside the recorder, a hash for each unit. */
  readonly arrived: Arrived
  readonly counters: StreamCounters
  readonly health: readonly RecordingHealth[]
  readonly runs: MemoryRunLog
}

function hashOf({ units }: AccessUnit): string {
  const hash = createHash('sha256')
  for (const piece of units) hash.update(String(piece.length)).update(piece)
  return hash.digest('base64')
}

/** Takes all there is to take; to be called when nothing comes any more. */
function arrivedAt(reader: HubReader): Arrived {
  const arrived: { video: string[]; audio: string[] } = { video: [], audio: [] }
  for (let message = reader.take(); message !== undefined; message = reader.take()) {
    if (message.kind === 'unit') arrived[message.unit.kind].push(hashOf(message.unit))
    expect(message.kind).not.toBe('skipped')
  }
  return arrived
}

/** Camera, hub and recorder, put together as the control of the media plane does it. */
async function recordFrom(url: string): Promise<Recorded> {
  const address = parseRtspAddress(url)
  if (!address.ok) throw new Error(address.failure.detail)
  const store = await temporaryFolder()
  const hub = createHub()
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
      lease: { fence: 1, isHeld: () => true },
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

/** How many packets and pictures ffprobe finds in a stream of a file. */
async function countIn(path: string, stream: 'v' | 'a'): Promise<{ packets: number; frames: number; codec: string }> {
  const what = ['-count_packets', '-count_frames', '-select_streams', `${stream}:0`]
  const entries = ['-show_entries', 'stream=codec_name,nb_read_packets,nb_read_frames', '-of', 'json']
  const { stdout } = await run('ffprobe', ['-v', 'error', ...what, ...entries, path])
  const [found] = JSON.parse(stdout).streams
  return { packets: Number(found.nb_read_packets), frames: Number(found.nb_read_frames), codec: found.codec_name }
}

async function playedBack(store: string): Promise<Arrived> {
  const played: { video: string[]; audio: string[] } = { video: [], audio: [] }
  for await (const message of openPlayback({ store, stream: CAMERA, at: 0 })) {
    expect(message.kind).not.toBe('damaged')
    if (message.kind === 'part') for (const { unit } of message.samples) played[unit.kind].push(hashOf(unit))
  }
  return played
}

const isReady = hasGst && hasFfmpeg

describe.runIf(isReady).each([
  ['/h264pcma', 'pcm_alaw'],
  ['/h264aac', 'aac'],
] as const)('recorded from gst-rtsp-server, %s', (path, audioCodec) => {
  let server: ChildProcess
  let recorded: Recorded
  let files: readonly string[]

  beforeAll(async () => {
    const script = new URL('../fixtures/gst-camera.py', import.meta.url).pathname
    const started = spawn(python, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    server = started
    const port = await new Promise<string>((told, failed) => {
      createInterface({ input: started.stdout }).once('line', told)
      started.once('exit', (code) => failed(new Error(`gst-camera.py ended with ${code}`)))
    })
    recorded = await recordFrom(`rtsp://127.0.0.1:${port}${path}`)
    files = await filesBelow(recorded.store)
  })

  afterAll(async () => {
    server.kill()
    await rm(recorded.store, { recursive: true, force: true })
  })

  test('the camera was heard without a fault, and so was the disk', ({ expect: expecting }) => {
    expecting(recorded.counters).toMatchObject({ lostPackets: 0, badPackets: 0, droppedPictures: 0 })
    expecting(recorded.health).toEqual([{ kind: 'ok' }])
    expecting(recorded.runs.ended.map(([, , why]) => why)).toEqual(['stopped'])
    // At 15 pictures a second, half of the time at least.
    expecting(recorded.arrived.video.length).toBeGreaterThan((RECORD_MS / 1000) * 7)
    expecting(recorded.arrived.audio.length).toBeGreaterThan(10)
  })

  test('ffmpeg decodes every file to its end without an error', async () => {
    for (const file of files) {
      const strict = ['-v', 'error', '-xerror', '-err_detect', 'explode']
      const { stderr } = await run('ffmpeg', [...strict, '-i', file, '-f', 'null', '-'])
      expect(stderr).toBe('')
    }
    expect(files.length).toBeGreaterThan(0)
  })

  test('every picture and every sound that arrived is in the files, and nothing else', async ({ annotate }) => {
    const video = await Promise.all(files.map((file) => countIn(file, 'v')))
    const audio = await Promise.all(files.map((file) => countIn(file, 'a')))
    const sum = (counts: readonly { packets: number }[]) => counts.reduce((total, { packets }) => total + packets, 0)
    expect(sum(video)).toBe(recorded.arrived.video.length)
    expect(sum(audio)).toBe(recorded.arrived.audio.length)
    for (const { packets, frames, codec } of video) expect([codec, frames]).toEqual(['h264', packets])
    for (const { codec } of audio) expect(codec).toBe(audioCodec)
    await annotate(`${sum(video)} pictures, ${sum(audio)} sounds`)
  })

  test('playback gives back the same bytes', async () => {
    expect(await playedBack(recorded.store)).toEqual(recorded.arrived)
  })
})

test.runIf(!isReady)('nothing was recorded: gst-rtsp-server or ffmpeg is not installed', ({ skip }) => {
  skip('install ffmpeg, gir1.2-gst-rtsp-server-1.0, python3-gi, gstreamer1.0-plugins-{base,good,bad,ugly}, -libav')
})
