import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchSimulator } from '@sightline/camera-simulator/launch'
import { listStatuses, untilAllRecord } from '../../tests/chaos/demo-cameras.ts'
import { cameraLogin, installSimulated, withoutDemonstration } from '../../tests/chaos/simulated-installation.ts'
import { startProduct } from '../../tests/running-product.ts'
import { type Bench, type BenchResult, CannotMeasure, digits, type Figure, type Pace } from '../figure.ts'
import { cameraMac } from '../installation.ts'
import { median } from '../quantile.ts'
import { loadClip } from '../recorder/load-clip.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { lostByFfmpeg, lostByOurs } from './killed-recorders.ts'

interface Plan {
  readonly kills: number
  readonly stalls: number
}

const PLANS: Readonly<Record<Pace, Plan>> = { full: { kills: 12, stalls: 5 }, short: { kills: 2, stalls: 1 } }
const SYNC_MS = [0, 50, 300, 600]
const AT_ONCE = 2
const TARGET_LOST_MS = 1000
const TARGET_NOTICED_MS = 6500
const RECORD_MS = 4000
const POLL_MS = 50
/** ffmpeg's own limit, the same as ours. */
const FFMPEG_SILENCE_MICROSECONDS = 5_000_000

/** What a kill costs, and how soon a camera is called not recording. */
export const faults: Bench = {
  name: 'faults',
  title: 'Kills and silence',
  async run(pace) {
    if (spawnSync('ffmpeg', ['-version']).status !== 0) throw new CannotMeasure('ffmpeg, the peer, is not installed')
    const plan = PLANS[pace]
    return await inTemporaryFolder(async (folder) => {
      const lost = await loseByKills(folder, plan)
      const silence = await silentCameras(folder, plan)
      return resultOf(plan, lost, silence)
    })
  },
}

/** The milliseconds lost at each kill. */
interface Lost {
  readonly ours: ReadonlyMap<number, readonly number[]>
  readonly peer: readonly number[]
}

async function loseByKills(folder: string, { kills }: Plan): Promise<Lost> {
  const repeat = async (lose: (folder: string) => Promise<number>, name: string): Promise<readonly number[]> => {
    const lost: number[] = []
    for (let kill = 0; kill < kills; kill += AT_ONCE) {
      const folders = Array.from({ length: AT_ONCE }, (_, at) => join(folder, `${name}-${kill + at}`))
      lost.push(...(await Promise.all(folders.map(lose))))
    }
    return lost
  }
  const ours = new Map<number, readonly number[]>()
  for (const syncMs of SYNC_MS) ours.set(syncMs, await repeat((store) => lostByOurs(store, syncMs), `ours-${syncMs}`))
  const clip = loadClip().path
  return { ours, peer: await repeat((each) => lostByFfmpeg(each, clip), 'ffmpeg') }
}

/** From the last picture of a camera until it is noticed that none comes, in milliseconds. */
interface Silence {
  readonly ours: readonly number[]
  readonly peer: readonly number[]
}

async function silentCameras(folder: string, { stalls }: Plan): Promise<Silence> {
  const dataFolder = join(folder, 'data')
  const [clip, mac] = [loadClip(), cameraMac(0)]
  const camera = { name: 'Camera', mac, ...cameraLogin, clips: { main: clip, sub: clip } }
  await using simulator = await launchSimulator({ cameras: [camera] })
  const ports = simulator.cameras.map(({ rtspPort }) => rtspPort)
  const { token } = await installSimulated(dataFolder, ports)
  await using product = await startProduct({ dataFolder, environment: withoutDemonstration })
  const caller = { origin: product.origin, token }
  const { username, password } = cameraLogin
  const address = `rtsp://${username}:${password}@127.0.0.1:${ports[0]}/main`
  const [ours, peer]: [number[], number[]] = [[], []]
  for (let stall = 0; stall < stalls; stall++) {
    await untilAllRecord(caller)
    const input = ['-nostdin', '-v', 'quiet', '-rtsp_transport', 'tcp', '-timeout', String(FFMPEG_SILENCE_MICROSECONDS)]
    const ffmpeg = spawn('ffmpeg', [...input, '-i', address, '-c', 'copy', '-f', 'null', '-'], { stdio: 'ignore' })
    const ended = once(ffmpeg, 'exit').then(() => performance.now())
    await sleep(RECORD_MS)
    await simulator.fault(mac, { kind: 'stall' })
    const stalledAt = performance.now()
    while ((await listStatuses(caller)).some(({ recordingOnCloud }) => recordingOnCloud)) await sleep(POLL_MS)
    ours.push(performance.now() - stalledAt)
    peer.push((await ended) - stalledAt)
    await simulator.heal(mac)
  }
  return { ours, peer }
}

function resultOf({ kills, stalls }: Plan, lost: Lost, silence: Silence): BenchResult {
  const worst = (values: readonly number[]) => Math.max(...values)
  const peer = { name: 'ffmpeg -c copy', value: worst(lost.peer) }
  const target = (value: number) => ({ is: 'at most', value }) as const
  const rows = [...lost.ours].map(
    ([syncMs, each]): Figure => ({
      what: `Lost at kill -9, each sync takes ${syncMs} ms longer, worst`,
      unit: 'ms',
      ours: worst(each),
      beside: peer,
      target: target(TARGET_LOST_MS),
    }),
  )
  const noticed: Figure = {
    what: 'From the last picture to the status “not recording”, worst',
    unit: 'ms',
    ours: worst(silence.ours),
    beside: { name: 'ffmpeg -timeout 5 s ends', value: worst(silence.peer) },
    target: target(TARGET_NOTICED_MS),
  }
  const medians = [...lost.ours].map(([syncMs, each]) => `${digits(median(each))} ms (${syncMs})`).join(', ')
  return {
    figures: [...rows, noticed],
    remarks: [
      `${kills} kills each at random moments, of a recorder that begins a new segment every second; what it had received and what is there after recovery. Medians by sync: ${medians}; ffmpeg ${digits(median(lost.peer))} ms.`,
      'ffmpeg writes fragmented MP4, a fragment for each group of pictures (2 s), and leaves syncing to the kernel.',
      `${stalls} times, a camera with a key picture every 2 s stops sending while its connection stays open. Median: ours ${digits(median(silence.ours))} ms, ffmpeg ${digits(median(silence.peer))} ms.`,
    ],
  }
}
