import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Clip, footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { newKey } from '../recording/footage-keys.ts'
import {
  CAMERA,
  filesBelow,
  newDayKeys,
  removeTemporaryFolders,
  stage,
  TEN_THIRTY,
} from '../recording/recording-stage.ts'
import { planSummary, readSummary, type SummaryPlan } from './index.ts'

afterAll(removeTemporaryFolders)

const HOUR = 3_600_000
const { accountId, cameraId } = CAMERA
const { stream: _stream, ...camera } = CAMERA

interface Recorded {
  readonly clip?: Clip
  /** When a stretch begins, in hours since {@link TEN_THIRTY}, and its seconds. */
  readonly stretches: readonly (readonly [hour: number, seconds: number])[]
}

/** Footage of some stretches, with gaps in between. */
async function recorded(
  { clip = 'main.h264', stretches }: Recorded,
  options: Parameters<typeof stage>[0] = {},
): Promise<string> {
  const set = await stage({ segmentMs: 20_000, ...options })
  for (const [hour, seconds] of stretches) {
    set.show(...playTracks([footage(clip)], { seconds, wallClock: TEN_THIRTY + hour * HOUR }))
    set.lose('silent')
  }
  await set.stop()
  return set.store
}

const DAY = { from: TEN_THIRTY, till: TEN_THIRTY + 24 * HOUR }

async function planned(store: string, more: Partial<Parameters<typeof planSummary>[0]> = {}): Promise<SummaryPlan> {
  const plan = await planSummary({ store, camera, ...DAY, seconds: 30, ...more })
  if (plan === undefined) throw new Error('no summary')
  return plan
}

async function bytesOf(plan: SummaryPlan, range = { from: 0, till: plan.bytes }, access = {}): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readSummary(plan, range, access)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const takenAt = ({ pieces }: SummaryPlan): number[] => pieces.map(({ part }) => part.wallClock)

/** ffmpeg decodes the whole file without a complaint. */
async function judge(store: string, bytes: Uint8Array) {
  const path = join(store, '..', 'summary.mp4')
  await writeFile(path, bytes)
  const decode = ['-v', 'warning', '-xerror', '-i', path, '-f', 'null', '-']
  expect(String(execFileSync('ffmpeg', decode, { stdio: 'pipe' }))).toBe('')
  const entries = ['-show_entries', 'format=duration:stream=codec_name:packet=pts_time,flags', '-of', 'json']
  const probed = JSON.parse(String(execFileSync('ffprobe', ['-v', 'error', ...entries, path])))
  return {
    seconds: Number(probed.format.duration),
    codec: probed.streams[0].codec_name as string,
    times: probed.packets.map((packet: { pts_time: string }) => Number(packet.pts_time)) as number[],
    areKeys: probed.packets.every(({ flags }: { flags: string }) => flags.startsWith('K')),
  }
}

test.each(['main.h264', 'h265.hevc'] as const)(
  'a summary of %s lasts 30 seconds and only has key pictures',
  async (clip) => {
    const store = await recorded({
      clip,
      stretches: [
        [0, 40],
        [3, 40],
        [9, 40],
      ],
    })
    const plan = await planned(store)
    const bytes = await bytesOf(plan)
    expect(bytes.length).toBe(plan.bytes)
    const { seconds, codec, times, areKeys } = await judge(store, bytes)
    expect(codec).toBe(clip === 'main.h264' ? 'h264' : 'hevc')
    expect(Math.abs(seconds - 30)).toBeLessThan(0.1)
    expect(times).toHaveLength(plan.pieces.length)
    expect(times.length).toBeGreaterThan(50)
    expect(areKeys).toBe(true)
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(0.001)
  },
)

test('of more footage it has pictures of each hour with footage, evenly and in order, and none of the gaps', async () => {
  const stretches = [
    [0, 60],
    [1, 60],
    [2, 4],
    [5, 60],
    [6, 60],
    [20, 4],
  ] as const
  const plan = await planned(await recorded({ stretches }), { seconds: 1 })
  const times = takenAt(plan)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.length).toBeGreaterThan(22)
  expect(times.length).toBeLessThan(32)
  const hours = times.map((time) => Math.floor((time - TEN_THIRTY) / HOUR))
  const counts = Map.groupBy(hours, (hour) => hour)
  expect([...counts.keys()]).toEqual([0, 1, 2, 5, 6, 20])
  for (const hour of [0, 1, 5, 6]) expect(counts.get(hour)?.length).toBeGreaterThanOrEqual(5)
  for (const time of times) {
    const isRecorded = stretches.some(([hour, seconds]) => {
      const since = time - TEN_THIRTY - hour * HOUR
      return since >= 0 && since < seconds * 1000
    })
    expect(isRecorded).toBe(true)
  }
})

test('it has no picture from before its time', async () => {
  const store = await recorded({ stretches: [[0, 40]] })
  const times = takenAt(await planned(store, { from: TEN_THIRTY + 11_000, till: TEN_THIRTY + 30_000 }))
  expect(times[0]).toBe(TEN_THIRTY + 12_000)
  expect(times.at(-1)).toBe(TEN_THIRTY + 28_000)
})

test('it is the same in ranges of any size as in one', async () => {
  const plan = await planned(await recorded({ stretches: [[0, 30]] }))
  const pieces: Buffer[] = []
  for (let from = 0; from < plan.bytes; from += 9973)
    pieces.push(await bytesOf(plan, { from, till: Math.min(plan.bytes, from + 9973) }))
  expect(Buffer.concat(pieces).equals(await bytesOf(plan))).toBe(true)
})

test('it spans a change of the camera’s format', async () => {
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks([footage('main.h264')], { seconds: 10, wallClock: TEN_THIRTY }))
  set.lose('silent')
  set.show(...playTracks([footage('high.h264')], { seconds: 10, wallClock: TEN_THIRTY + 11_000 }))
  await set.stop()
  const plan = await planned(set.store)
  expect(new Set(plan.pieces.map(({ placed }) => placed.format)).size).toBe(2)
  const { times } = await judge(set.store, await bytesOf(plan))
  expect(times).toHaveLength(plan.pieces.length)
})

test('it is made from the sub-stream if that was recorded as long, else from the main stream', async () => {
  const store = await recorded({
    stretches: [
      [0, 40],
      [1, 40],
    ],
  })
  const sub = { ...CAMERA, stream: 'sub' } as const
  await recorded({ clip: 'high.h264', stretches: [[0, 20]] }, { store, stream: sub })
  const streams = async () => new Set((await planned(store)).pieces.map(({ path }) => path.includes('/sub/')))
  expect(await streams()).toEqual(new Set([false]))
  await recorded(
    {
      clip: 'high.h264',
      stretches: [
        [0.1, 20],
        [1, 40],
      ],
    },
    { store, stream: sub, fence: 2 },
  )
  expect(await streams()).toEqual(new Set([true]))
})

test('encrypted footage is opened, and what was deleted since is skipped without a change of length', async () => {
  const dayKey = newDayKeys(newKey())
  const store = await recorded(
    {
      stretches: [
        [0, 40],
        [1, 40],
      ],
    },
    { dayKey },
  )
  const keys = { find: async ({ start }: { start: number }) => dayKey(start).key }
  const plan = await planned(store, { keys })
  const whole = await bytesOf(plan, undefined, { keys })
  await judge(store, whole)
  const [first] = await filesBelow(join(store, String(accountId), String(cameraId)))
  await rm(first ?? '')
  const rest = await bytesOf(plan, undefined, { keys })
  expect(rest.length).toBe(whole.length)
  const left = plan.pieces.filter(({ path }) => path !== first)
  expect(left.length).toBeLessThan(plan.pieces.length)
  expect((await judge(store, rest)).times).toHaveLength(left.length)
  await expect(planSummary({ store, camera, ...DAY, seconds: 30 })).resolves.toBeUndefined()
})

test('there is none without footage, and none where pictures only refresh gradually', async () => {
  const store = await recorded({ stretches: [[0, 20]] })
  expect(await planSummary({ store, camera, from: 0, till: HOUR, seconds: 30 })).toBeUndefined()
  const gradual = await recorded({ clip: 'gradual.h264', stretches: [[0, 20]] })
  const plan = await planSummary({ store: gradual, camera, ...DAY, seconds: 30 })
  if (plan !== undefined) for (const { part } of plan.pieces) expect(part.recovery).toBe(0)
})
