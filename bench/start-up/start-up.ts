import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, startProduct } from '../../tests/running-product.ts'
import { type Bench, type BenchResult, digits, type Pace } from '../figure.ts'
import { processorSeconds } from '../process-cost.ts'
import { median } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { type BarePostgres, barePostgres } from './bare-postgres.ts'
import { readStartSteps, type StartStep } from './steps.ts'

const ROUNDS: Readonly<Record<Pace, number>> = { full: 5, short: 1 }
/** How long the demonstration runs before it is stopped. */
const RUN_MS = 3000

/** Time from process start until ready, and from SIGTERM until it has ended. */
export const startUpBench: Bench = {
  name: 'start-up',
  title: 'Start and stop',
  async run(pace) {
    return await inTemporaryFolder((folder) => measure(folder, ROUNDS[pace]))
  },
}

interface Life {
  /** Milliseconds. */
  readonly start: number
  readonly stop: number
  /** Seconds of processor time of all processes until ready. */
  readonly processor: number
  readonly steps: readonly StartStep[]
}

async function measure(folder: string, rounds: number): Promise<BenchResult> {
  const [empty, existing]: [Life[], Life[]] = [[], []]
  const bare = { create: [] as number[], start: [] as number[], stop: [] as number[] }
  let postgres: BarePostgres | undefined
  for (let round = 0; round < rounds; round += 1) {
    const dataFolder = join(folder, `data-${round}`)
    empty.push(await oneLife(dataFolder))
    existing.push(await oneLife(dataFolder))
    postgres ??= await barePostgres(join(folder, 'bare'), dataFolder)
    bare.create.push(await postgres.create())
    const { start, stop } = await postgres.startAndStop()
    bare.start.push(start)
    bare.stop.push(stop)
  }
  const processor = (lives: readonly Life[]) => digits(median(lives.map((life) => life.processor)))
  const seconds = (lives: readonly Life[], of: 'start' | 'stop') => median(lives.map((life) => life[of])) / 1000
  const floor = (values: readonly number[], name: string) => ({ name, value: median(values) / 1000 })
  const created = bare.create.map((ms, index) => ms + (bare.start[index] ?? 0))
  return {
    figures: [
      {
        what: 'Start on an empty data folder, until ready',
        unit: 's',
        ours: seconds(empty, 'start'),
        beside: floor(created, 'PostgreSQL alone: initdb, start'),
        target: { is: 'at most', value: 2 },
      },
      {
        what: 'Start on an existing data folder, until ready',
        unit: 's',
        ours: seconds(existing, 'start'),
        beside: floor(bare.start, 'PostgreSQL alone: start'),
        target: { is: 'at most', value: 1.5 },
      },
      {
        what: 'Stop, with four cameras being recorded',
        unit: 's',
        ours: seconds(existing, 'stop'),
        beside: floor(bare.stop, 'PostgreSQL alone: stop'),
        target: { is: 'at most', value: 10 },
      },
    ],
    remarks: [
      `The demonstration, installed and built; from process start to status 200 of /readyz; medians of ${rounds}. Other load on the machine makes it slower but does not change the processor time of all processes until ready: ${processor(empty)} s on an empty folder, ${processor(existing)} s on an existing one.`,
      `Steps of a start on an empty folder: ${describe(empty)}.`,
      `Steps of a start on an existing one: ${describe(existing)}.`,
    ],
  }
}

async function oneLife(dataFolder: string): Promise<Life> {
  const port = await freePort()
  const began = { wall: Date.now(), at: performance.now() }
  await using product = await startProduct({ dataFolder, port, environment: { SIGHTLINE_LOG: 'info,json' } })
  const start = performance.now() - began.at
  const processor = await processorSeconds(await product.processes())
  await sleep(RUN_MS)
  const asked = performance.now()
  const code = await product.stop()
  if (code !== 0) throw new Error(`the product ended with ${code}:\n${product.output()}`)
  return { start, stop: performance.now() - asked, processor, steps: readStartSteps(product.output(), began.wall) }
}

/** Median of each step over all runs, in order. */
function describe(lives: readonly Life[]): string {
  const names = lives[0]?.steps.map(({ name }) => name) ?? []
  return names
    .map((name) => {
      const times = lives.flatMap(({ steps }) => steps.filter((step) => step.name === name).map(({ ms }) => ms))
      return `${name} ${Math.round(median(times))} ms`
    })
    .join(', ')
}
