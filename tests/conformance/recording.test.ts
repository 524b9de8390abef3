/** From the camera's socket to the disk: every picture that the simulated camera sends over RTSP is recorded. */
import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, expect, test } from 'vitest'
import { readFrameCounter, type Simulator, startCameras } from '../../camera-simulator/src/index.ts'
import { createHub } from '../../server/media/src/hub/index.ts'
import { openPlayback, type PlaybackMessage } from '../../server/media/src/playback/index.ts'
import { Manifest, record, SyncGroup } from '../../server/media/src/recording/index.ts'
import {
  CAMERA,
  filesBelow,
  heldLease,
  MemoryRunLog,
  removeTemporaryFolders,
  temporaryFolder,
} from '../../server/media/src/recording/recording-stage.ts'
import { scanSegment } from '../../server/media/src/recording/segment-scan.ts'
import { checkedConnect, newCounters, playRtsp } from '../../server/media/src/source/index.ts'

afterAll(removeTemporaryFolders)

const clip = (name: string): string => new URL(`../../camera-simulator/test-clips/${name}`, import.meta.url).pathname
const hasFfmpeg = spawnSync('ffprobe', ['-version']).status === 0
const account = { username: 'admin', password: 'secret' }

let simulator: Simulator | undefined
afterEach(() => simulator?.[Symbol.asyncDispose]())

async function recordCamera(seconds: number): Promise<{ store: string; runs: MemoryRunLog }> {
  const clips = {
    main: { path: clip('main.h264'), framesPerSecond: 25 },
    sub: { path: clip('sub.h264'), framesPerSecond: 10 },
    audio: clip('audio.aac'),
  }
  simulator = await startCameras({ cameras: [{ name: 'Yard', mac: '00:1b:44:11:3a:b7', ...account, clips }] })
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('no camera')
  const store = await temporaryFolder()
  const group = new SyncGroup()
  const runs = new MemoryRunLog()
  const hub = createHub()
  await using manifest = await Manifest.open({ store, stream: CAMERA, group, failed: () => undefined })
  const stopping = new AbortController()
  const recording = record(
    {
      reader: hub.join({ start: 'now', maxQueuedBytes: 1e8 }),
      store,
      stream: CAMERA,
      kind: 'continuous',
      lease: heldLease(1),
      manifest,
      group,
      runs,
      health: () => undefined,
    },
    stopping.signal,
  )
  await playRtsp({
    address: { host: '127.0.0.1', port: camera.address.rtspPort, path: '/main' },
    credentials: account,
    connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
    signal: AbortSignal.timeout(seconds * 1000),
    publish: (message) => hub.publish(message),
    counters: newCounters(),
  }).catch(() => undefined)
  stopping.abort('stopped')
  await recording
  return { store, runs }
}

/** The counters burned into a segment's pictures, as ffmpeg decodes them. */
function counters(path: string, { width, height }: { width: number; height: number }): readonly (number | undefined)[] {
  const options = ['-v', 'error', '-xerror', '-i', path, '-an', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-']
  const { stdout, stderr, status } = spawnSync('ffmpeg', options, { maxBuffer: 1e9 })
  expect([stderr.toString(), status]).toEqual(['', 0])
  const bytes = (width * height * 3) / 2
  return Array.from({ length: stdout.length / bytes }, (_, at) =>
    readFrameCounter(stdout.subarray(at * bytes, at * bytes + width * height), width, height),
  )
}

test.skipIf(!hasFfmpeg)('the file contains every picture from the camera once and in order', async () => {
  const { store } = await recordCamera(6)
  const found: (number | undefined)[] = []
  for (const path of await filesBelow(store)) {
    const [video] = (await scanSegment(path)).head.tracks
    if (video?.kind === 'video') found.push(...counters(path, video))
  }
  expect(found.length).toBeGreaterThan(100)
  expect(found).toEqual(found.map((_, index) => (found[0] ?? Number.NaN) + index))
})

test('playback has the camera’s times and tracks, without a gap', async () => {
  const { store, runs } = await recordCamera(4)
  const messages: PlaybackMessage[] = []
  const at = runs.ended[0]?.[0] ?? 0
  for await (const message of openPlayback({ store, stream: CAMERA, at })) messages.push(message)
  expect(messages[0]).toMatchObject({ kind: 'tracks', tracks: [{ kind: 'video' }, { kind: 'audio' }] })
  const parts = messages.slice(1).filter((message) => message.kind === 'part')
  expect(parts).toHaveLength(messages.length - 1)
  const samples = parts.flatMap((part) => part.samples)
  const times = samples.filter(({ track }) => track === 0).map(({ unit }) => unit.time)
  expect(times.length).toBeGreaterThan(60)
  expect(times).toEqual(times.map((_, index) => (times[0] ?? 0) + index * 3600))
  expect(samples.filter(({ track }) => track === 1).length).toBeGreaterThan(30)
  expect(runs.ended.map(([, , why]) => why)).toEqual(['stopped'])
})
