/**
 * Cameras that send over UDP only are recorded over a way that gets worse: what is recorded and what the timeline says is
 * compared with the cameras' own lists of what they sent (R4).
 */
import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDataFolder } from '../data-folders.ts'
import { goodWay, type LossyWay, lossyWay, type Way } from '../fixtures/lossy-way.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { type ApiCaller, loadTimeline, until, untilAllRecord } from './demo-cameras.ts'
import { dice, spread } from './everything-killed.ts'
import { segmentsOnDisk } from './footage-on-disk.ts'
import {
  type Comparison,
  compareWithSent,
  type ListingCameras,
  listingCameras,
  type UnrecordedSpan,
} from './sent-pictures.ts'
import { installSimulated, withoutDemonstration } from './simulated-installation.ts'

const SECOND = 1000
const CAMERAS = 2
/** From the last picture before a hole to the first one behind it, a hole ends the run from two seconds on; parts are one second long. */
const SURELY_A_GAP_MS = 2.5 * SECOND
const SURELY_NONE_MS = 1.5 * SECOND
const SETTLE_MS = 6 * SECOND

/** Each begins and ends on a good way. */
const PHASES = {
  /** First: what comes twice later makes up for lost packets in the reports (RFC 3550 §6.4.1). */
  someLost: { way: { lost: 0.002, late: 0.05, lateMs: 25 }, ms: 60 * SECOND },
  tooLate: { way: { late: 0.002, lateMs: 200 }, ms: 30 * SECOND },
  /** The window of 50 ms, and a machine that is late itself. */
  reordered: { way: { late: 0.3, lateMs: 25, repeated: 0.1 }, ms: 60 * SECOND },
  mostLost: { way: { lost: 0.3 }, ms: 12 * SECOND },
  allLost: { way: { lost: 1 }, ms: 4 * SECOND },
  longLost: { way: { lost: 1 }, ms: 30 * SECOND },
} as const satisfies Record<string, { way: Partial<Way>; ms: number }>
type Phase = keyof typeof PHASES

interface Span {
  readonly from: number
  readonly till: number
  readonly packets: { readonly sent: number; readonly lost: number; readonly late: number }
}

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0
const spans = new Map<Phase, Span>()
const compared: Comparison[] = []
const timelines: RecordingTimeline[] = []
/** Of each camera at the end of the phase in which some were lost: by the receiver's reports, and in fact. */
const losses: { readonly reported: number; readonly fact: number }[] = []
let dataFolder: string
let cameras: ListingCameras
let ways: readonly LossyWay[]
let product: RunningProduct
let caller: ApiCaller

const total = () => {
  const sum = (of: (way: LossyWay) => number) => ways.reduce((before, way) => before + of(way), 0)
  return {
    sent: sum(({ counted }) => counted.sent),
    lost: sum(({ counted }) => counted.lost),
    late: sum(({ counted }) => counted.late),
  }
}

async function run(phase: Phase): Promise<void> {
  const { way, ms } = PHASES[phase]
  const before = total()
  const from = Date.now()
  for (const each of ways) each.change(way)
  await sleep(ms)
  for (const each of ways) each.change(goodWay)
  const after = total()
  const packets = { sent: after.sent - before.sent, lost: after.lost - before.lost, late: after.late - before.late }
  spans.set(phase, { from, till: Date.now(), packets })
  await until('every camera is recorded', () => untilAllRecord(caller))
  await sleep(SETTLE_MS)
  if (phase === 'someLost')
    for (const { counted, reports } of ways)
      losses.push({ reported: reports.at(-1)?.lostPackets ?? 0, fact: counted.lost })
}

async function recordAndCompare(): Promise<void> {
  dataFolder = await newDataFolder()
  cameras = await listingCameras(CAMERAS, { rtspMedia: 'udp' })
  ways = await Promise.all(cameras.rtspPorts.map((port, index) => lossyWay(port, dice(index + 1))))
  const { cameraIds, token } = await installSimulated(
    dataFolder,
    ways.map(({ rtspPort }) => rtspPort),
  )
  product = await startProduct({ dataFolder, port: await freePort(), environment: withoutDemonstration })
  caller = { origin: product.origin, token }
  await untilAllRecord(caller)
  await sleep(SETTLE_MS)
  for (const phase of Object.keys(PHASES) as Phase[]) await run(phase)
  const [from, till] = [(spans.get('someLost')?.from ?? 0) - SECOND, Date.now() - 2 * SECOND]
  for (const cameraId of cameraIds) timelines.push(await loadTimeline(caller, { cameraId, from, till }))
  expect(await product.stop()).toBe(0)
  const segments = await segmentsOnDisk(join(dataFolder, 'footage'), Date.now())
  for (const [index, cameraId] of cameraIds.entries()) {
    const own = segments.filter((segment) => segment.cameraId === cameraId)
    compared.push(await compareWithSent(cameras.lists[index] ?? new Map(), own))
  }
}

const spanOf = (phase: Phase): Span => spans.get(phase) ?? { from: 0, till: 0, packets: { sent: 0, lost: 0, late: 0 } }
const overlaps = ({ from, till }: Pick<Span, 'from' | 'till'>, phase: Phase): boolean =>
  from < spanOf(phase).till + SECOND && till > spanOf(phase).from - SECOND
const holesIn = (phase: Phase): readonly UnrecordedSpan[] =>
  compared.flatMap(({ holes }) => holes.filter((hole) => overlaps(hole, phase)))
const gapsOf = ({ gaps }: RecordingTimeline) =>
  gaps.map(({ start, end, reason }) => ({ from: Date.parse(start), till: Date.parse(end), reason }))
const gapsIn = (phase: Phase) => timelines.flatMap((timeline) => gapsOf(timeline).filter((gap) => overlaps(gap, phase)))
const percent = (pictures: number, ms: number): string => ((100 * pictures) / ((CAMERAS * ms) / 40)).toFixed(1)

describe.skipIf(!hasFfmpeg)('cameras that send over UDP', () => {
  beforeAll(recordAndCompare, 900_000)
  afterAll(async () => {
    for (const each of [product, ...(ways ?? []), cameras]) await each?.[Symbol.asyncDispose]()
    await rm(dataFolder, { recursive: true, force: true })
  })

  test('packets that overtake each other or come twice cost no picture', async ({ annotate }) => {
    const { packets } = spanOf('reordered')
    expect(packets.late).toBeGreaterThan(0.2 * packets.sent)
    const late = ways.flatMap(({ tooLate }) => tooLate)
    const isExcused = ({ from, till }: UnrecordedSpan) => late.some((at) => at > from - SECOND && at < till + SECOND)
    expect(holesIn('reordered').filter((hole) => !isExcused(hole))).toEqual([])
    expect(gapsIn('reordered')).toEqual([])
    await annotate(`${packets.sent} packets, ${packets.late} late, ${late.length} later than meant`)
  })

  test.for(['someLost', 'tooLate'] as const)(
    '%s: pictures are missing up to the next key picture',
    async (phase, { annotate }) => {
      const holes = holesIn(phase)
      expect(holes.length).toBeGreaterThan(0)
      // The next one may be lost as well.
      for (const { pictures } of holes) expect(pictures).toBeLessThanOrEqual(40)
      const { packets } = spanOf(phase)
      const missing = holes.reduce((sum, { pictures }) => sum + pictures, 0)
      await annotate(
        `${packets.lost} of ${packets.sent} packets lost, ${packets.late} late: ${percent(missing, PHASES[phase].ms)} % missing`,
      )
      await annotate(`pictures missing at a time: ${spread(holes.map(({ pictures }) => pictures))}`)
    },
  )

  test('every recorded picture is one that the camera sent, in order and whole', () => {
    for (const { wrong, complaints } of compared) {
      expect(wrong).toEqual([])
      expect(complaints).toBe('')
    }
  })

  test('receiver reports tell the camera how many packets were lost', () => {
    expect(losses).toHaveLength(CAMERAS)
    for (const { reported, fact } of losses) {
      expect(reported).toBeGreaterThan(0)
      expect(reported).toBeLessThanOrEqual(fact)
    }
  })

  test('each long hole is a gap with its cause, and there is no gap without a hole', () => {
    for (const [index, { holes }] of compared.entries()) {
      const gaps = gapsOf(timelines[index] as RecordingTimeline)
      const length = ({ from, till }: UnrecordedSpan) => till - from
      const isTold = (hole: UnrecordedSpan) => gaps.some(({ from, till }) => from < hole.till && till > hole.from)
      expect(holes.filter((hole) => length(hole) > SURELY_A_GAP_MS && !isTold(hole))).toEqual([])
      const isTrue = (gap: Pick<Span, 'from' | 'till'>) =>
        holes.some(
          (hole) => length(hole) > SURELY_NONE_MS && gap.from < hole.till + SECOND && gap.till > hole.from - SECOND,
        )
      expect(gaps.filter((gap) => !isTrue(gap))).toEqual([])
    }
    for (const phase of ['mostLost', 'allLost', 'longLost'] as const) {
      expect(gapsIn(phase).length).toBeGreaterThanOrEqual(CAMERAS)
      for (const { reason } of gapsIn(phase)) expect(['network', 'cameraOffline']).toContain(reason)
    }
  })
})

test.runIf(!hasFfmpeg)('nothing was recorded: ffmpeg is not installed to check the footage', ({ skip }) => {
  skip('install ffmpeg')
})
