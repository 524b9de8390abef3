import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { computeTally, describeFailures, type Tally, type VitestReport } from './tally.ts'
import type { FileTime } from './times.reporter.ts'

export interface VitestPart {
  /** Projects of vitest.config.ts that run as one queue. */
  readonly projects: readonly string[]
  /** Parts of file names; empty means all files. */
  readonly filters: readonly string[]
  /** One file after the other. */
  readonly isAlone?: boolean
  /** Folder for the report. */
  readonly scratch: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

export interface VitestResult extends Tally {
  readonly name: string
  readonly seconds: number
  readonly failures: readonly string[]
  /** Files with a failed test, or that failed before their first test. */
  readonly failedFiles: readonly string[]
  readonly files: readonly FileTime[]
}

/** Longer than the longest project takes; beyond this something is stuck. */
const PATIENCE_MS = 3_600_000
/** A process that a test left behind keeps vitest from ending after its report. */
const ENDS_WITHIN_MS = 60_000
const LAST_LINES_MS = 2000

/** Runs vitest projects, prints their output immediately, and counts their results. */
export async function runVitest(part: VitestPart): Promise<VitestResult> {
  const { projects, filters, isAlone = false, scratch, env, signal } = part
  const name = `${projects.join('+')}${isAlone ? '-again' : ''}`
  const began = performance.now()
  const file = join(scratch, `${name}.json`)
  const times = join(scratch, `${name}.times.jsonl`)
  const reporters = ['default', 'json', './tools/test/times.reporter.ts'].map((each) => `--reporter=${each}`)
  const empty = filters.length > 0 ? ['--passWithNoTests'] : []
  const argv = [
    ...['node_modules/vitest/vitest.mjs', 'run', ...projects.map((each) => `--project=${each}`)],
    ...[...reporters, `--outputFile.json=${file}`, ...empty],
    ...(isAlone ? ['--no-file-parallelism', '--maxWorkers=1'] : []),
    ...filters,
  ]
  const run = { name, env: { ...env, SIGHTLINE_TEST_TIMES: times }, report: file }
  const exitCode = await ended(argv, run, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : undefined
  const { reasons, ...tally } = computeTally({ report, exitCode, mayBeEmpty: filters.length > 0 })
  for (const reason of reasons) console.log(`FAILED ${name}: ${reason}`)
  const failures = [...reasons, ...(report === undefined ? [] : describeFailures(report))]
  const seconds = (performance.now() - began) / 1000
  const failedFiles = (report?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .map(({ name: path }) => path)
  return { name: `tests ${name}`, seconds, ...tally, failures, failedFiles, files: timesIn(times) }
}

const timesIn = (file: string): readonly FileTime[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as FileTime)
    : []

/** Prefixes each line with the name, because two queues print at the same time. */
function ended(
  argv: readonly string[],
  { name, env, report }: { readonly name: string; readonly env: NodeJS.ProcessEnv; readonly report: string },
  signal: AbortSignal,
): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'], env })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => console.log(line === '' ? '' : `${name} | ${line}`))
  const stop = (): void => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  child.once('error', (error) => {
    console.error(error)
    resolve(1)
  })
  const watch = setInterval(() => {
    if (!existsSync(report) || Date.now() - statSync(report).mtimeMs < ENDS_WITHIN_MS) return
    console.log(`${name} | Its report is there, but it does not end: a test left a process behind.`)
    child.kill('SIGKILL')
  }, 5000)
  const finish = (code: number | null): void => {
    signal.removeEventListener('abort', stop)
    clearInterval(watch)
    resolve(code ?? 1)
  }
  child.once('close', finish)
  // What a test left behind may hold the output open.
  child.once('exit', (code) => setTimeout(finish, LAST_LINES_MS, code))
  return promise
}
