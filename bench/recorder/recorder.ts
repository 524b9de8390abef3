import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchSimulator } from '@sightline/camera-simulator/launch'
import { type Bench, type BenchResult, CannotMeasure, digits, type Pace } from '../figure.ts'
import { addAccount, addCamera, inInstallation } from '../installation.ts'
import { median } from '../quantile.ts'
import { recordWithFfmpeg } from './ffmpeg-recorders.ts'
import { LOAD_FPS, loadClip } from './load-clip.ts'
import { type ProductCost, type RecorderCost, recordWithProduct, type Window } from './product-recorder.ts'
import { computeTotal, type Total } from './recorded.ts'

const MIB = 2 ** 20

interface Plan extends Window {
  readonly cameras: number
  readonly rounds: number
}

const PLANS: Readonly<Record<Pace, Plan>> = {
  full: { cameras: 50, rounds: 3, warmUpMs: 25_000, lengthMs: 20_000 },
  short: { cameras: 4, rounds: 1, warmUpMs: 6000, lengthMs: 5000 },
}

/** The cost of recording, compared with one `ffmpeg -c copy` per camera. */
export const recorder: Bench = {
  name: 'recorder',
  title: 'Recording',
  async run(pace) {
    if (spawnSync('ffmpeg', ['-version']).status !== 0) throw new CannotMeasure('ffmpeg, the peer, is not installed')
    const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'))
    try {
      return await measure(folder, PLANS[pace])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

const credentials = { username: 'bench', password: 'bench-only' }
const macOf = (index: number): string => `02:53:4c:01:00:${index.toString(16).padStart(2, '0')}`

async function measure(folder: string, plan: Plan): Promise<BenchResult> {
  const clip = loadClip()
  await using simulator = await launchSimulator({
    cameras: Array.from({ length: plan.cameras }, (_, index) => ({
      name: `Camera ${index}`,
      mac: macOf(index),
      ...credentials,
      clips: { main: clip, sub: clip },
    })),
  })
  const ports = simulator.cameras.map(({ rtspPort }) => rtspPort)
  const dataFolder = join(folder, 'data')
  await inInstallation(dataFolder, async (installation) => {
    const account = await addAccount(installation)
    for (const [index, rtspPort] of ports.entries())
      await addCamera(installation, {
        ...account,
        ...credentials,
        name: `Camera ${index}`,
        mac: macOf(index),
        rtspPort,
      })
  })
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
  return outcomeOf(ours, peers, plan)
}

function outcomeOf(ours: readonly ProductCost[], peers: readonly RecorderCost[], plan: Plan): BenchResult {
  const { cameras } = plan
  const name = `${cameras} × ffmpeg -c copy`
  const percent = (cost: { cores: number }) => (cost.cores * 100) / cameras
  const pair = (of: (cost: RecorderCost) => number) => ({
    ours: median(ours.map(of)),
    beside: { name, value: median(peers.map(of)) },
  })
  const [counted, peerCounted] = [countOf(ours, plan), countOf(peers, plan)]
  const spread = (costs: readonly RecorderCost[]) => costs.map((cost) => digits(percent(cost))).join(', ')
  return {
    figures: [
      { what: `Processor per camera, ${cameras} cameras`, unit: '% of a core', ...pair(percent) },
      { what: 'Memory, shared pages counted once (PSS)', unit: 'MiB', ...pair(({ memory }) => memory.pss / MIB) },
      { what: 'The same per camera', unit: 'MiB', ...pair(({ memory }) => memory.pss / MIB / cameras) },
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
    ],
    remarks: [
      `${plan.rounds} rounds of ours, then theirs, ${plan.lengthMs / 1000} s each after ${plan.warmUpMs / 1000} s to settle; medians. Processor by round: ours ${spread(ours)} %, theirs ${spread(peers)} %.`,
      `Uninterrupted recordings over the measured time: ours ${counted.whole} of ${cameras * plan.rounds}, theirs ${peerCounted.whole}.`,
      `The figure is for the media worker, which also keeps the cameras' leases and states in the database. All processes of the product, including PostgreSQL and the web server: ${digits(median(ours.map(({ coresOfAll }) => (coresOfAll * 100) / cameras)))} % of a core per camera.`,
      'Ours computes checksums and syncs everything to disk at least once a second (fdatasync); ffmpeg leaves that to the kernel.',
    ],
  }
}

function countOf(costs: readonly RecorderCost[], { lengthMs }: Plan): Total {
  return computeTotal(
    costs.flatMap(({ recorded }) => recorded),
    { fps: LOAD_FPS, seconds: lengthMs / 1000 },
  )
}
