import { fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchSimulator } from '@sightline/camera-simulator/launch'
import { freePort, startProduct } from '../../tests/running-product.ts'
import type { Bench, BenchResult, Pace } from '../figure.ts'
import { cameraMac, installCameras } from '../installation.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { loadClip } from './load-clip.ts'
import { type LoopDelay, readIdle, readWorker, type WorkerReading } from './loop-delay.ts'

interface Plan {
  readonly cameras: number
  readonly warmUpMs: number
  readonly lengthMs: number
}

/** Long enough that every segment of a minute rotates. */
const PLANS: Readonly<Record<Pace, Plan>> = {
  full: { cameras: 400, warmUpMs: 60_000, lengthMs: 90_000 },
  short: { cameras: 4, warmUpMs: 5000, lengthMs: 5000 },
}
const TARGET_P99_MS = 20
const TARGET_WORST_MS = 100
const MS_PER_SECOND = 1000

/** How late timers are in one worker with many cameras, beside a process that does nothing. */
export const manyCameras: Bench = {
  name: 'many-cameras',
  title: 'Many cameras in one worker',
  async run(pace) {
    return await inTemporaryFolder((folder) => measure(folder, PLANS[pace]))
  },
}

const credentials = { username: 'bench', password: 'bench-only' }

async function measure(folder: string, { cameras, warmUpMs, lengthMs }: Plan): Promise<BenchResult> {
  const clip = loadClip()
  await using simulator = await launchSimulator({
    cameras: Array.from({ length: cameras }, (_, index) => ({
      name: `Camera ${index}`,
      mac: cameraMac(index),
      ...credentials,
      clips: { main: clip, sub: clip },
    })),
  })
  const dataFolder = join(folder, 'data')
  const ports = simulator.cameras.map(({ rtspPort }) => rtspPort)
  await installCameras(dataFolder, ports, credentials)
  const metricsPort = await freePort()
  await using _product = await startProduct({
    dataFolder,
    environment: {
      SIGHTLINE_DEMO: 'off',
      SIGHTLINE_DEMO_PASSWORD: '',
      SIGHTLINE_CAMERA_NETWORKS: '127.0.0.0/8',
      SIGHTLINE_METRICS_PORT: String(metricsPort),
    },
  })
  await sleep(warmUpMs)
  const idle = fork(new URL('idle-loop.mjs', import.meta.url))
  try {
    // Each reading starts the next measurement.
    await Promise.all([readWorker(metricsPort), readIdle(idle)])
    await sleep(lengthMs)
    const [worker, bare] = await Promise.all([readWorker(metricsPort), readIdle(idle)])
    return resultOf({ cameras, lengthMs }, worker, bare)
  } finally {
    idle.kill()
  }
}

function resultOf(
  { cameras, lengthMs }: { readonly cameras: number; readonly lengthMs: number },
  worker: WorkerReading,
  bare: LoopDelay,
): BenchResult {
  const beside = (value: number) => ({ name: 'an idle process', value })
  return {
    figures: [
      {
        what: `Timer delay, 99th percentile, ${cameras} cameras`,
        unit: 'ms',
        ours: worker.p99Ms,
        beside: beside(bare.p99Ms),
        target: { is: 'at most', value: bare.p99Ms + TARGET_P99_MS },
      },
      {
        what: 'Longest timer delay',
        unit: 'ms',
        ours: worker.worstMs,
        beside: beside(bare.worstMs),
        target: { is: 'at most', value: bare.worstMs + TARGET_WORST_MS },
      },
      { what: 'Cameras recorded', unit: '', ours: worker.recorded, target: { is: 'at least', value: cameras } },
    ],
    remarks: [
      `1080p, 25 pictures per second, 2 Mbit/s each, encrypted, over ${lengthMs / MS_PER_SECOND} s in which every segment rotates. The simulated cameras run on the same machine.`,
    ],
  }
}
