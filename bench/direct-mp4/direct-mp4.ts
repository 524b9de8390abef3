import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningProduct, startProduct } from '../../tests/running-product.ts'
import { callApi, fetchToken } from '../../tests/signed-in.ts'
import { type Bench, type BenchResult, CannotMeasure, digits, type Pace } from '../figure.ts'
import { processorSeconds } from '../process-cost.ts'
import { median } from '../quantile.ts'
import { findMediaWorker } from '../recorder/product-recorder.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { fillFootage } from './fill-footage.ts'

interface Plan {
  readonly minutes: number
  readonly rounds: number
}
const PLANS: Readonly<Record<Pace, Plan>> = { full: { minutes: 50, rounds: 5 }, short: { minutes: 2, rounds: 2 } }
const MINUTE_MS = 60_000
const MIB = 2 ** 20
const OWNER = 'owner@demo.example'

/** An MP4 file of encrypted footage by its address, compared with programs that copy the same without encryption. */
export const directMp4: Bench = {
  name: 'direct-mp4',
  title: 'Footage as a file',
  run: (pace) => inTemporaryFolder((folder) => measure(folder, PLANS[pace])),
}

async function measure(folder: string, plan: Plan): Promise<BenchResult> {
  const dataFolder = join(folder, 'data')
  const till = Date.now() - MINUTE_MS
  const from = till - plan.minutes * MINUTE_MS
  await fillFootage(dataFolder, { ...(await prepare(dataFolder)), from, seconds: plan.minutes * 60 })
  await using product = await startProduct({ dataFolder, cameras: false })
  const token = await fetchToken(product.origin, OWNER)
  const [camera] = (await callApi<{ cameraId: number }[]>(product.origin, token, 'GET cameras')).body
  const range = { use: 'mp4', from: new Date(from).toISOString(), till: new Date(till).toISOString() }
  const address = async () =>
    (await callApi<{ url: string }>(product.origin, token, `POST cameras/${camera?.cameraId}/streamTickets`, range))
      .body.url
  const [received, plain, copy] = ['received.mp4', 'plain.mp4', 'copy.mp4'].map((name) => join(folder, name))
  // The first download is the footage of the others, without encryption.
  download(await address(), plain ?? '')
  const processes = await readProcesses(product)
  const times = {
    ours: [] as number[],
    firstByte: [] as number[],
    worker: [] as number[],
    front: [] as number[],
    ffmpeg: [] as number[],
    cp: [] as number[],
  }
  for (let round = 0; round < plan.rounds; round += 1) {
    const url = await address()
    const before = await readProcessor(processes)
    const { total, first } = download(url, received ?? '')
    const after = await readProcessor(processes)
    times.worker.push(after.worker - before.worker)
    times.front.push(after.front - before.front)
    times.ours.push(total)
    times.firstByte.push(first)
    times.ffmpeg.push(timed(() => copyByFfmpeg(plain ?? '', copy ?? '')))
    times.cp.push(timed(() => copyFileSync(plain ?? '', copy ?? '')))
    rmSync(copy ?? '')
  }
  return resultOf({ times, plan, bytes: statSync(plain ?? '').size })
}

/** A new installation; the account and the first camera of its demonstration. */
async function prepare(dataFolder: string): Promise<{ accountId: number; cameraId: number }> {
  await using product = await startProduct({ dataFolder, cameras: false })
  const token = await fetchToken(product.origin, OWNER)
  const { body: self } = await callApi<{ accountId: number }>(product.origin, token, 'GET users/self')
  const { body: cameras } = await callApi<{ cameraId: number }[]>(product.origin, token, 'GET cameras')
  return { accountId: self.accountId, cameraId: cameras[0]?.cameraId ?? 0 }
}

interface Processes {
  readonly front: number
  readonly worker: number
}

async function readProcesses(product: RunningProduct): Promise<Processes> {
  const [front = 0] = await product.processes()
  return { front, worker: await findMediaWorker(product) }
}

const readProcessor = async ({ front, worker }: Processes) => ({
  front: await processorSeconds([front]),
  worker: await processorSeconds([worker]),
})

/** Seconds until the file is there, and until its first byte came. */
function download(url: string, path: string): { readonly total: number; readonly first: number } {
  const words = ['-s', '-f', '-o', path, '-w', '%{time_total} %{time_starttransfer}', url]
  const { status, stdout } = spawnSync('curl', words, { encoding: 'utf8' })
  const [total = Number.NaN, first = Number.NaN] = (stdout ?? '').split(' ').map(Number)
  if (status === null) throw new CannotMeasure('curl is needed to receive the file')
  if (status !== 0) throw new Error(`curl ended with ${status} for an MP4 file`)
  return { total, first }
}

function copyByFfmpeg(from: string, to: string): void {
  const words = ['-v', 'error', '-y', '-i', from, '-c', 'copy', to]
  const { status, stderr } = spawnSync('ffmpeg', words, { encoding: 'utf8' })
  if (status !== 0) throw new CannotMeasure(`ffmpeg is needed to copy the file: ${stderr ?? 'not installed'}`)
}

function timed(work: () => void): number {
  const begun = performance.now()
  work()
  return (performance.now() - begun) / 1000
}

interface Measured {
  readonly times: Readonly<Record<'ours' | 'firstByte' | 'worker' | 'front' | 'ffmpeg' | 'cp', readonly number[]>>
  readonly plan: Plan
  readonly bytes: number
}

function resultOf({ times, plan: { minutes, rounds }, bytes }: Measured): BenchResult {
  const [ours, ffmpeg] = [median(times.ours), median(times.ffmpeg)]
  return {
    figures: [
      {
        what: `${minutes} minutes of one camera`,
        unit: 's',
        ours,
        beside: { name: 'ffmpeg -c copy, without encryption', value: ffmpeg },
        target: { is: 'at most', value: ffmpeg },
      },
      { what: 'The same', unit: 's', ours, beside: { name: 'copying the file', value: median(times.cp) } },
      {
        what: 'Until the first byte, longest',
        unit: 'ms',
        ours: 1000 * Math.max(...times.firstByte),
        target: { is: 'at most', value: 300 },
      },
    ],
    remarks: [
      `${digits(bytes / MIB)} MiB, 1080p at 2 Mbit/s; medians of ${rounds} rounds in turn. curl writes to the disk that ffmpeg and the copy write to; footage and file are in the system's memory.`,
      `Processor time of one download: media worker ${digits(median(times.worker))} s, front process ${digits(median(times.front))} s.`,
      'Ours reads encrypted footage, checks each part, opens it, and sends it through the front process, over HTTP on loopback. ffmpeg reads the file that came from ours.',
    ],
  }
}
