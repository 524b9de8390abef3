import { spawn } from 'node:child_process'
import { SKIPPED } from '../checks/verdict.ts'

/** A command with an exit code as in verdict.ts. */
export interface CheckJob {
  readonly name: string
  /** Arguments for Node, from the root of the repository. */
  readonly argv: readonly string[]
  /** Names of jobs that must pass first; if one fails, this one fails without starting. */
  readonly needs?: readonly string[]
}

export interface JobResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly seconds: number
  /** The whole output. */
  readonly output: string
}

/** A check that takes longer is stuck. */
const PATIENCE_MS = 600_000

/** Runs one job to its end, or until the run is interrupted. */
async function runJob(job: CheckJob, signal: AbortSignal): Promise<JobResult> {
  const began = performance.now()
  const { promise, resolve } = Promise.withResolvers<number>()
  let output = ''
  const child = spawn(process.execPath, job.argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  child.once('error', (error) => {
    output += `${job.name} could not run: ${error.message}\n`
    resolve(1)
  })
  child.once('close', (code) => resolve(code ?? 1))
  const code = await promise
  const outcomes: Readonly<Record<number, JobResult['outcome']>> = { 0: 'passed', [SKIPPED]: 'skipped' }
  return { name: job.name, outcome: outcomes[code] ?? 'failed', seconds: (performance.now() - began) / 1000, output }
}

/** Runs jobs in order, `atOnce` at a time, as far as their needs allow. Reports each job when it ends. */
export async function runJobs(
  jobs: readonly CheckJob[],
  how: { readonly atOnce: number; readonly onDone: (done: JobResult) => void; readonly signal: AbortSignal },
): Promise<readonly JobResult[]> {
  const waiting = [...jobs]
  const done = new Map<string, JobResult>()
  const running = new Set<Promise<void>>()
  const finish = (result: JobResult): void => {
    done.set(result.name, result)
    how.onDone(result)
  }
  const isReady = ({ needs = [] }: CheckJob): boolean =>
    needs.every((name) => done.has(name) || !jobs.some((job) => job.name === name))
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < how.atOnce ? waiting.findIndex(isReady) : -1
    const [job] = next < 0 ? [] : waiting.splice(next, 1)
    if (job === undefined) {
      if (running.size === 0) throw new Error(`jobs wait for each other: ${waiting.map(({ name }) => name).join(', ')}`)
      await Promise.race(running)
      continue
    }
    const broken = job.needs?.find((name) => done.get(name)?.outcome === 'failed')
    if (broken !== undefined) {
      finish({ name: job.name, outcome: 'failed', seconds: 0, output: `not run, because ${broken} failed\n` })
      continue
    }
    const run: Promise<void> = runJob(job, how.signal)
      .then(finish)
      .finally(() => running.delete(run))
    running.add(run)
  }
  return [...done.values()]
}
