// `npm test [-- filter …]`, `npm run check [-- name …]` and `npm run test:long`: prepares, runs, and counts everything.
// Ends with one line, `N passed, N failed, N skipped`, and an exit code other than 0 if anything failed.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checks } from '../checks/list.ts'
import { setUpTools } from './debian-tools.ts'
import { startExternalPostgres } from './external-postgres.ts'
import { type Done, type Job, runJobs } from './jobs.ts'
import { add, nothing, type Tally } from './tally.ts'
import { runVitest } from './vitest.ts'

interface Part extends Tally {
  readonly name: string
  readonly seconds: number
  /** Repeated at the end, because of a long output often only that is kept. */
  readonly failures?: readonly string[]
}

const words = process.argv.slice(2)
const filters = words.filter((word) => !word.startsWith('--'))
const onlyChecks = words.includes('--checks')
const onlyLong = words.includes('--long')
const isWhole = !onlyChecks && !onlyLong && filters.length === 0

/** Counts as a check, because without it nothing that needs the built apps can be judged. */
const webBuild: Job = { name: 'web-build', argv: ['tools/test/build.mjs'] }

const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort())

const scratch = mkdtempSync(join(tmpdir(), 'sightline-tests-'))
const parts: Part[] = []
try {
  await runEverything()
} catch (error) {
  console.error(error)
  parts.push({ name: 'the run itself', seconds: 0, ...nothing, failed: 1 })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
finish()

async function runEverything(): Promise<void> {
  if (onlyChecks) return runChecks(filters)
  missingTools()
  await using postgres = await startExternalPostgres()
  // Kept after a whole run: the ledger of tools/checks/error-coverage.ts is written from it.
  const replies = isWhole ? resolve('node_modules/.cache/sightline/replies') : join(scratch, 'replies')
  rmSync(replies, { recursive: true, force: true })
  mkdirSync(replies, { recursive: true })
  const env = testEnvironment(replies, postgres?.url)
  if (isWhole) await runChecks([])
  else await runAll([webBuild])
  for (const project of onlyLong ? ['long'] : ['unit', 'browser', 'cross']) {
    if (interrupted.signal.aborted) break
    parts.push(await runVitest({ project, filters, scratch, env, signal: interrupted.signal }))
  }
  if (isWhole) {
    process.env.SIGHTLINE_TEST_REPLIES = replies
    await runAll(checks.filter((check) => check.after === 'tests'))
  }
}

/** Says loudly what cannot be tested here; each missing tool counts as one skipped test. */
function missingTools(): void {
  for (const { name, forWhat, packages } of setUpTools()) {
    console.log(
      `SKIPPED ${name}: not on this machine, so not tested: ${forWhat} (apt-get install ${packages.join(' ')})`,
    )
    parts.push({ name: `tool ${name}`, seconds: 0, ...nothing, skipped: 1 })
  }
}

function testEnvironment(replies: string, databaseUrl: string | undefined): NodeJS.ProcessEnv {
  const recorder = pathToFileURL(resolve('tools/test/record-replies.mjs')).href
  return {
    ...process.env,
    PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${recorder}`.trim(),
    SIGHTLINE_TEST_REPLIES: replies,
    ...(databaseUrl === undefined ? {} : { SIGHTLINE_TEST_DATABASE_URL: databaseUrl }),
  }
}

async function runChecks(names: readonly string[]): Promise<void> {
  const wanted = checks.filter(({ name, after }) =>
    names.length === 0 ? after !== 'tests' : names.some((part) => name.includes(part)),
  )
  if (wanted.length === 0)
    throw new Error(`no check is called ${names.join(' or ')}; there are ${checks.map(({ name }) => name).join(', ')}`)
  const jobs = wanted.map(
    ({ name, argv, after }): Job => ({ name, argv, needs: after === 'web-build' ? ['web-build'] : [] }),
  )
  await runAll(
    jobs.some(({ needs = [] }) => needs.length > 0) ? [...jobs.slice(0, 1), webBuild, ...jobs.slice(1)] : jobs,
  )
}

async function runAll(jobs: readonly Job[]): Promise<void> {
  const how = { atOnce: Math.max(2, availableParallelism()), onDone: tell, signal: interrupted.signal }
  for (const { name, outcome, seconds } of await runJobs(jobs, how)) {
    const failures = outcome === 'failed' ? [`${name}: said above`] : []
    parts.push({ name, seconds, ...nothing, [outcome]: 1, failures })
  }
}

function tell({ name, outcome, seconds, output }: Done): void {
  const text = output.trim()
  if (outcome === 'failed') console.log(`\nFAILED ${name} (${seconds.toFixed(1)} s)\n${text}\n`)
  else if (outcome === 'skipped') console.log(`SKIPPED ${name}: ${text.split('\n').at(-1)}`)
  else console.log(`passed  ${name} (${seconds.toFixed(1)} s)${text === '' ? '' : `: ${text.split('\n').at(-1)}`}`)
}

function finish(): void {
  const total = parts.reduce<Tally>(add, nothing)
  for (const failure of parts.flatMap(({ failures = [] }) => failures)) console.log(`\nFAILED ${failure}`)
  console.log('\n  seconds  passed  failed  skipped')
  for (const { name, seconds, passed, failed, skipped } of parts) {
    const numbers = [
      seconds.toFixed(1).padStart(9),
      String(passed).padStart(7),
      String(failed).padStart(7),
      String(skipped).padStart(8),
    ]
    console.log(`${numbers.join(' ')}  ${name}`)
  }
  const isGood = total.failed === 0 && total.passed > 0 && !interrupted.signal.aborted
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  process.exitCode = isGood ? 0 : 1
}
