import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  listHours,
  listSegments,
  listStreams,
  SegmentReader,
  segmentPath,
  streamFolder,
  toHour,
} from '@sightline/media/recording'
import { type RunningProduct, startProduct } from '../../tests/running-product.ts'
import { type Memory, processorSeconds, readCommandLine, readMemory } from '../process-cost.ts'
import type { CameraRecording } from './recorded.ts'

const TICKS_PER_SECOND = 90_000

export interface Window {
  readonly warmUpMs: number
  readonly lengthMs: number
}

export interface RecorderCost {
  /** Processor time divided by wall time: 1 is a whole core. */
  readonly cores: number
  readonly memory: Memory
  readonly recorded: readonly CameraRecording[]
}

export interface ProductCost extends RecorderCost {
  /** Cores used by all processes of the product, including the database. */
  readonly coresOfAll: number
}

/** Records the cameras of a data folder with the whole product and measures its media worker. */
export async function recordWithProduct(dataFolder: string, { warmUpMs, lengthMs }: Window): Promise<ProductCost> {
  const startedAt = Date.now()
  let cost: Omit<ProductCost, 'recorded'>
  {
    await using product = await startProduct({
      dataFolder,
      environment: { SIGHTLINE_DEMO: 'off', SIGHTLINE_DEMO_PASSWORD: '', SIGHTLINE_CAMERA_NETWORKS: '127.0.0.0/8' },
    })
    const worker = await findMediaWorker(product)
    await sleep(warmUpMs)
    const began = performance.now()
    const before = { worker: await processorSeconds([worker]), all: await processorSeconds(await product.processes()) }
    await sleep(lengthMs)
    const seconds = (performance.now() - began) / 1000
    cost = {
      cores: ((await processorSeconds([worker])) - before.worker) / seconds,
      coresOfAll: ((await processorSeconds(await product.processes())) - before.all) / seconds,
      memory: await readMemory([worker]),
    }
  }
  return { ...cost, recorded: await readRecorded(join(dataFolder, 'footage'), startedAt) }
}

/** From the bundle or the sources. */
const MEDIA_WORKER = /\/media-worker\.mjs$|server\/run\/programs\/media\.ts$/

/** The process id of its media worker. */
export async function findMediaWorker(product: RunningProduct): Promise<number> {
  for (const pid of await product.processes()) {
    if ((await readCommandLine(pid)).some((word) => MEDIA_WORKER.test(word))) return pid
  }
  throw new Error(`no media worker:\n${product.output()}`)
}

/** Summarizes the segments that begin at `from` or later. */
export async function readRecorded(store: string, from: number): Promise<CameraRecording[]> {
  const streams = await listStreams(store)
  return Promise.all(streams.map((stream) => recordedOf(streamFolder(store, stream), from)))
}

async function recordedOf(folder: string, from: number): Promise<CameraRecording> {
  const runs = new Map<string, { pictures: number; first: number; end: number }>()
  let last = { pictures: 0, ticks: 0 }
  for await (const hour of listHours(folder, toHour(from))) {
    for (const name of await listSegments(folder, hour)) {
      if (name.start < from) continue
      await using segment = await SegmentReader.openWithoutKey(segmentPath(folder, name))
      const { runId, baseTime } = segment.head.header
      for (const { time, duration, pictures } of segment.parts) {
        const run = runs.get(runId) ?? { pictures: 0, first: baseTime + time, end: 0 }
        runs.set(runId, { ...run, pictures: run.pictures + pictures, end: baseTime + time + duration })
        last = { pictures, ticks: duration }
      }
    }
  }
  const each = [...runs.values()]
  // The last part does not count: the stop cut it off, so the duration of its last picture is unknown.
  const pictures = each.reduce((sum, run) => sum + run.pictures, -last.pictures)
  const ticks = each.reduce((sum, run) => sum + run.end - run.first, -last.ticks)
  return { pictures, seconds: ticks / TICKS_PER_SECOND, pieces: each.length }
}
