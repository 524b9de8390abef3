import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '@sightline/platform/limits'
import { silentLogger } from '@sightline/platform/log'
import { Detections } from '../../server/media/src/control/detections.ts'
import { watchMotion } from '../../server/media/src/control/motion-watch.ts'
import { RecordingSwitch } from '../../server/media/src/control/recording-switch.ts'
import { findFfmpeg, startGreyDecoder } from '../../server/media/src/decoder/index.ts'
import { createHub, type Hub } from '../../server/media/src/hub/index.ts'
import { EventTriggers } from '../../server/media/src/recording/index.ts'
import { type FootageTrack, play, readH264 } from '../../tests/fixtures/footage.ts'
import { makeMotionClip } from '../../tests/fixtures/motion-clip.ts'
import { type Bench, type BenchResult, CannotMeasure, type Figure, type Pace } from '../figure.ts'
import { processorSeconds } from '../process-cost.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

interface Plan {
  readonly cameras: number
  /** The decoders have started and know what changes all the time. */
  readonly warmUpMs: number
  readonly lengthMs: number
}

const PLANS: Readonly<Record<Pace, Plan>> = {
  full: { cameras: 10, warmUpMs: 12_000, lengthMs: 40_000 },
  short: { cameras: 2, warmUpMs: 8000, lengthMs: 4000 },
}
const CLIP_SECONDS = 20
const NOISE = 8
const FRAME_TICKS = 9000
const TARGETS = { quiet: 0.3, busy: 1.2 }

/** What looking for motion costs, beside decoding every picture. */
export const motion: Bench = {
  name: 'motion',
  title: 'Motion',
  async run(pace) {
    const ffmpeg = findFfmpeg(process.env.PATH ?? '')
    if (ffmpeg === undefined) throw new CannotMeasure('ffmpeg is not installed')
    return await inTemporaryFolder((folder) => measure({ ffmpeg, folder }, PLANS[pace]))
  },
}

async function measure(on: { readonly ffmpeg: string; readonly folder: string }, plan: Plan): Promise<BenchResult> {
  const figures: Figure[] = []
  for (const [state, clip] of [
    ['quiet', { still: CLIP_SECONDS, moving: 0 }],
    ['busy', { still: 0, moving: CLIP_SECONDS }],
  ] as const) {
    const path = join(on.folder, `${state}.h264`)
    makeMotionClip(path, { ...clip, noise: NOISE, isWhole: true })
    const footage = readH264(await readFile(path), FRAME_TICKS)
    const watched = await costOf(footage, plan, (hub) => watch(hub, on.ffmpeg))
    const decoded = await costOf(footage, plan, (hub) => decodeAll(hub, on.ffmpeg, footage))
    figures.push({
      what: `Processor time per camera, ${state === 'quiet' ? 'nothing moves' : 'something always moves'}`,
      unit: '% of a core',
      ours: watched,
      beside: { name: 'ffmpeg, every picture', value: decoded },
      target: { is: 'at most', value: TARGETS[state] },
    })
  }
  const remarks = [
    `${plan.cameras} sub-streams of 640 × 360 with 10 pictures per second, a key picture every 2 s, and noise. Decoders, detectors and the hub are counted together; the runs follow each other. Beside it is only the decoder, without a detector.`,
  ]
  return { figures, remarks }
}

type Watching = AsyncDisposable

function watch(hub: Hub, ffmpeg: string): Watching {
  const camera = { accountId: 1, cameraId: 1 }
  const plan = { mode: 'armed', recordingMode: 'continuous', recordingSpans: [], timeZone: 'UTC' } as const
  const recording = new RecordingSwitch(plan, Date.now)
  const watching = watchMotion({
    cameraId: camera.cameraId,
    hub: (stream) => (stream === 'main' ? hub : undefined),
    recording,
    detections: new Detections({
      camera,
      triggers: new EventTriggers(),
      settings: {
        video: { enabled: true, sensitivity: 50, areas: [] },
        audio: { enabled: false, sensitivity: 50 },
        pir: { enabled: false, inputs: [] },
      },
      serverDetects: true,
      note: () => undefined,
    }),
    places: createSemaphore({ overall: { concurrency: 1 } }),
    startDecoder: (options) => startGreyDecoder({ ...options, ffmpeg }),
    log: silentLogger,
    now: Date.now,
  })
  return {
    async [Symbol.asyncDispose]() {
      await watching[Symbol.asyncDispose]()
      recording[Symbol.dispose]()
    },
  }
}

function decodeAll(hub: Hub, ffmpeg: string, { track }: FootageTrack): Watching {
  if (track.kind !== 'video') throw new Error('not a video')
  const decoder = startGreyDecoder({ ffmpeg, track, onPicture: () => undefined })
  const reader = hub.join({ maxQueuedBytes: 1e9, start: 'next-key' })
  const reading = (async () => {
    for (let message = await reader.next(); message !== undefined; message = await reader.next())
      if (message.kind === 'unit') decoder.push(message.unit)
  })()
  return {
    async [Symbol.asyncDispose]() {
      reader.leave()
      await reading
      decoder[Symbol.dispose]()
      await decoder.ended
    },
  }
}

/** Percent of a core per camera, of this process and the decoders it starts. */
async function costOf(footage: FootageTrack, plan: Plan, open: (hub: Hub) => Watching): Promise<number> {
  const hubs = Array.from({ length: plan.cameras }, () => createHub())
  const watching = hubs.map(open)
  const publishing = new AbortController()
  const published = publish(hubs, footage, publishing.signal)
  await sleep(plan.warmUpMs)
  const pids = [process.pid, ...(await readChildren())]
  const before = await processorSeconds(pids)
  const began = performance.now()
  await sleep(plan.lengthMs)
  const seconds = (await processorSeconds(pids)) - before
  const percent = (seconds / (performance.now() - began)) * 1e5
  publishing.abort()
  await published
  await Promise.all(watching.map((one) => one[Symbol.asyncDispose]()))
  return percent / plan.cameras
}

async function readChildren(): Promise<readonly number[]> {
  const text = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

/** As cameras send them, each a little later than the one before. */
async function publish(hubs: readonly Hub[], footage: FootageTrack, signal: AbortSignal): Promise<void> {
  for (const hub of hubs) hub.publish({ kind: 'tracks', tracks: [footage.track] })
  const began = Date.now()
  for (const { track, unit } of play([footage], { seconds: 3600, wallClock: began })) {
    await sleep(Math.max(0, unit.wallClock - Date.now()), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    for (const hub of hubs) hub.publish({ kind: 'unit', track, unit })
  }
}
