import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { launchSimulator } from '@sightline/camera-simulator/launch'
import { type Bench, type BenchResult, CannotMeasure, digits, type Figure, type Pace } from '../figure.ts'
import { cameraMac, installCameras } from '../installation.ts'
import { median } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { recordWithFfmpeg } from './ffmpeg-recorders.ts'
import { LOAD_FPS, loadClip } from './load-clip.ts'
import { type ProductCost, type RecorderCost, recordWithProduct, type Window } from './product-recorder.ts'
import { computeTotal, type Total } from './recorded.ts'

const MIB = 2 ** 20

interface Plan extends Window {
  /** Two installations of different sizes: their difference is what one more camera costs. */
  readonly cameras: readonly [fewer: number, more: number]
  readonly rounds: number
}

const PLANS: Readonly<Record<Pace, Plan>> = {
  full: { cameras: [50, 100], rounds: 3, warmUpMs: 25_000, lengthMs: 20_000 },
  short: { cameras: [2, 4], rounds: 1, warmUpMs: 6000, lengthMs: 5000 },
}

/** Of the processor time of `ffmpeg -c copy`, for the full run's numbers of cameras. */
const TARGET_RATIOS: Readonly<Record<number, number>> = { 50: 0.65, 100: 0.45 }
const TARGET_BASE_MIB = 90
const TARGET_MIB_PER_CAMERA = 1

/** The cost of recording, compared with one `ffmpeg -c copy` per camera. */
export const recorder: Bench = {
  name: 'recorder',
  title: 'Recording',
  async run(pace) {
    if (spawnSync('ffmpeg', ['-version']).status !== 0) throw new CannotMeasure('ffmpeg, the peer, is not installed')
    const plan = PLANS[pace]
    const [fewer, more] = [await measured(plan.cameras[0], plan), await measured(plan.cameras[1], plan)]
    return resultOf([fewer, more], plan)
  },
}

const credentials = { username: 'bench', password: 'bench-only' }

interface Measured {
  readonly cameras: number
  readonly ours: readonly ProductCost[]
  readonly peers: readonly RecorderCost[]
}

/** Rounds of ours, then theirs, on the same cameras. */
const measured = (cameras: number, plan: Plan): Promise<Measured> =>
  inTemporaryFolder(async (folder) => {
    const clip = loadClip()
    await using simulator = await launchSimulator({
      cameras: Array.from({ length: cameras }, (_, index) => ({
        name: `Camera ${index}`,
        mac: cameraMac(index),
        ...credentials,
        clips: { main: clip, sub: clip },
      })),
    })
    const ports = simulator.cameras.map(({ rtspPort }) => rtspPort)
    const dataFolder = join(folder, 'data')
    await installCameras(dataFolder, ports, credentials)
    const { username, password } = credentials
    const addresses = ports.map((port) => `rtsp://${username}:${password}@127.0.0.1:${port}/main`)
    const ours: ProductCost[] = []
    const peers: RecorderCost[] = []
    for (let round = 0; round < plan.rounds; round += 1) {
      ours.push(await recordWithProduct(dataFolder, plan))
      const peerFolder = join(folder, `ffmpeg-${round}`)
      peers.push(await recordWithFfmpeg(peerFolder, addresses, plan))
      await rm(peerFolder, { recursive: true })
    }
    return { cameras, ours, peers }
  })

function resultOf([fewer, more]: readonly [Measured, Measured], plan: Plan): BenchResult {
  const perCamera = (of: (cost: RecorderCost) => number, costs: (by: Measured) => readonly RecorderCost[]) =>
    (median(costs(more).map(of)) - median(costs(fewer).map(of))) / (more.cameras - fewer.cameras)
  const rss = ({ memory }: RecorderCost) => memory.rss / MIB
  const slope = perCamera(rss, ({ ours }) => ours)
  const isFull = TARGET_RATIOS[more.cameras] !== undefined
  return {
    figures: [
      ...figuresOf(fewer, plan),
      ...figuresOf(more, plan),
      {
        what: 'Memory for one more camera (RSS)',
        unit: 'MiB',
        ours: slope,
        beside: { name: 'ffmpeg -c copy', value: perCamera(rss, ({ peers }) => peers) },
        ...(isFull ? { target: { is: 'at most', value: TARGET_MIB_PER_CAMERA } as const } : {}),
      },
      {
        what: 'Memory without cameras, by the same line',
        unit: 'MiB',
        ours: median(fewer.ours.map(rss)) - slope * fewer.cameras,
        ...(isFull ? { target: { is: 'at most', value: TARGET_BASE_MIB } as const } : {}),
      },
    ],
    remarks: [...remarksOf(fewer, plan), ...remarksOf(more, plan), ...REMARKS],
  }
}

const percentOf = (cameras: number) => (cost: { cores: number }) => (cost.cores * 100) / cameras

function figuresOf({ cameras, ours, peers }: Measured, plan: Plan): readonly Figure[] {
  const name = `${cameras} × ffmpeg -c copy`
  const pair = (of: (cost: RecorderCost) => number) => ({
    ours: median(ours.map(of)),
    beside: { name, value: median(peers.map(of)) },
  })
  const [counted, peerCounted] = [countOf(ours, plan), countOf(peers, plan)]
  const processor = pair(percentOf(cameras))
  const ratio = TARGET_RATIOS[cameras]
  return [
    {
      what: `Processor per camera, ${cameras} cameras`,
      unit: '% of a core',
      ...processor,
      ...(ratio === undefined ? {} : { target: { is: 'at most', value: ratio * processor.beside.value } as const }),
    },
    { what: 'Memory, shared pages counted once (PSS)', unit: 'MiB', ...pair(({ memory }) => memory.pss / MIB) },
    {
      what: 'Memory, shared pages counted in each process (RSS)',
      unit: 'MiB',
      ...pair(({ memory }) => memory.rss / MIB),
    },
    { what: 'Pictures recorded', unit: '', ours: counted.pictures, beside: { name, value: peerCounted.pictures } },
    {
      what: 'Missing pictures',
      unit: '',
      ours: counted.missing,
      beside: { name, value: peerCounted.missing },
      target: { is: 'at most', value: 0 },
    },
  ]
}

function remarksOf({ cameras, ours, peers }: Measured, plan: Plan): readonly string[] {
  const spread = (costs: readonly RecorderCost[]) => costs.map((cost) => digits(percentOf(cameras)(cost))).join(', ')
  const [counted, peerCounted] = [countOf(ours, plan), countOf(peers, plan)]
  const all = median(ours.map(({ coresOfAll }) => (coresOfAll * 100) / cameras))
  return [
    `${cameras} cameras: ${plan.rounds} rounds of ours, then theirs, ${plan.lengthMs / 1000} s each after ${plan.warmUpMs / 1000} s to settle; medians. Processor by round: ours ${spread(ours)} %, theirs ${spread(peers)} %. Uninterrupted recordings over the measured time: ours ${counted.whole} of ${cameras * plan.rounds}, theirs ${peerCounted.whole}. All processes of the product, including PostgreSQL and the web server: ${digits(all)} % of a core per camera.`,
  ]
}

const REMARKS = [
  "The figure is for the media worker, which also keeps the cameras' leases and states in the database.",
  'Ours encrypts, computes checksums and digests, and syncs everything to disk at least once a second (fdatasync); ffmpeg leaves syncing to the kernel.',
]

function countOf(costs: readonly RecorderCost[], { lengthMs }: Plan): Total {
  return computeTotal(
    costs.flatMap(({ recorded }) => recorded),
    { fps: LOAD_FPS, seconds: lengthMs / 1000 },
  )
}
