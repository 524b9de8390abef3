import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failuresOf, type Tally, tallyOf, type VitestReport } from './tally.ts'

export interface VitestPart {
  readonly project: string
  /** Parts of file names; none means all. */
  readonly filters: readonly string[]
  /** Folder for the report. */
  readonly scratch: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** Longer than the longest project takes; beyond it something hangs. */
const PATIENCE_MS = 3_600_000

/** Runs one project of vitest, its output as it comes, and counts what it reports. */
export async function runVitest(
  part: VitestPart,
): Promise<Tally & { readonly name: string; readonly seconds: number; readonly failures: readonly string[] }> {
  const { project, filters, scratch, env, signal } = part
  console.log(`\ntests: ${project}`)
  const began = performance.now()
  const file = join(scratch, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const empty = filters.length > 0 ? ['--passWithNoTests'] : []
  const argv = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...reporters, ...empty, ...filters]
  const exitCode = await ended(argv, env, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport) : undefined
  const { reasons, ...tally } = tallyOf({ report, exitCode, mayBeEmpty: filters.length > 0 })
  for (const reason of reasons) console.log(`FAILED ${project}: ${reason}`)
  const failures = [...reasons, ...(report === undefined ? [] : failuresOf(report))]
  return { name: `tests ${project}`, seconds: (performance.now() - began) / 1000, ...tally, failures }
}

function ended(argv: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'inherit', 'inherit'], env })
  const stop = (): void => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  child.once('error', (error) => {
    console.error(error)
    resolve(1)
  })
  child.once('close', (code) => {
    signal.removeEventListener('abort', stop)
    resolve(code ?? 1)
  })
  return promise
}
