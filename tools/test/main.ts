// `npm test [-- filter …]`, `npm run check [-- name … | changed]` and `npm run test:long`: prepares, runs and counts
// everything, and reports where the time went. Ends with the line `N passed, N failed, N skipped`, and a nonzero exit code
// if anything failed. `--record` writes a named proof (`mutate-rules`, `tests/tenancy/mutants`,
// `tests/e2e/kit`) to proven.json.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Check, checks } from '../checks/list.ts'
import { changedFiles, selectChecks } from './changed.ts'
import { setUpTools } from './debian-tools.ts'
import { startExternalPostgres } from './external-postgres.ts'
import { type CheckJob, type JobResult, runJobs } from './jobs.ts'
import { keepTemporaryFilesInMemory } from './memory-folder.ts'
import { presentProof } from './proven.ts'
import { describeLanes, describeTimes, type SummaryRow, toTable } from './summary.ts'
import { add, nothing, type Tally } from './tally.ts'
import { runVitest, type VitestResult } from './vitest.ts'

const words = process.argv.slice(2)
const filters = words.filter((word) => !word.startsWith('--'))
const onlyChecks = words.includes('--checks')
const onlyLong = words.includes('--long')
const isWhole = !onlyChecks && !onlyLong && filters.length === 0
/** With more failed files than this, a busy machine is not the cause, so they are not run again. */
const MAX_FILES_AGAIN = 30

/** Projects that depend on few files, and what is tested by each. */
const proven = {
  planted: { proof: 'planted-holes', files: 'tests/tenancy/mutants' },
  kit: { proof: 'kit-in-browsers', files: 'tests/e2e/kit' },
} as const

/** Counts as a check, because nothing that needs the built apps can run without it. */
const webBuild: CheckJob = { name: 'web-build', argv: ['tools/test/build.mjs'] }

const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort())

keepTemporaryFilesInMemory()
const began = performance.now()
const scratch = mkdtempSync(join(tmpdir(), 'sightline-tests-'))
const parts: SummaryRow[] = []
const notes: string[] = []
try {
  await (onlyChecks ? runNamedChecks() : runTests())
} catch (error) {
  console.error(error)
  parts.push({ name: 'test runner', seconds: 0, ...nothing, failed: 1 })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
finish()

async function runNamedChecks(): Promise<void> {
  if (filters.length === 0) return runChecks(checks.filter(({ after }) => after !== 'tests'))
  if (filters[0] === 'changed') return runChecks(selectChecks(checks, changedFiles()))
  const named = checks.filter(({ name }) => filters.some((part) => name.includes(part)))
  const names = checks.map(({ name }) => name).join(', ')
  if (named.length === 0) throw new Error(`Unknown check ${filters.join(' or ')}. Checks: changed, ${names}`)
  return runChecks(named, { again: true, forAll: words.includes('--record') })
}

async function runTests(): Promise<void> {
  missingTools()
  await using postgres = await startExternalPostgres()
  // Kept after a whole run, so that the ledger of tools/checks/error-coverage.ts can be written from it.
  const replies = isWhole ? resolve('node_modules/.cache/sightline/replies') : join(scratch, 'replies')
  rmSync(replies, { recursive: true, force: true })
  mkdirSync(replies, { recursive: true })
  const env = testEnvironment(replies, postgres?.url)
  await runAll([webBuild])
  await (onlyLong ? runLong(env) : runShort(env))
  if (!isWhole) return
  process.env.SIGHTLINE_TEST_REPLIES = replies
  await runAll(checks.filter((check) => check.after === 'tests'))
}

/**
 * Two lanes, because more of them slow two cores down by a fifth: one starts products and waits half of its time, the other
 * uses the processor. Tests that are sensitive to load run afterwards, alone.
 */
async function runShort(env: NodeJS.ProcessEnv): Promise<void> {
  // A lane that has finished takes the next of these, so that all end at about the same time.
  const shared = [
    // The longest file first, and many short ones last.
    () => runProjects(env, ['whole-api', 'tenancy']),
    () => runProjects(env, ['pure', 'sharing', 'unit']),
    () => runProjects(env, ['slices']),
    () => runProven(env, 'planted', { again: filters.length > 0, forAll: words.includes('--record') }),
    () => runProven(env, 'kit', { again: filters.length > 0, forAll: words.includes('--record') }),
  ]
  const lane = (name: string, own: () => Promise<unknown>) =>
    timed(name, async () => {
      await own()
      for (let next = shared.shift(); next !== undefined; next = shared.shift()) await next()
    })
  const lanes = await Promise.all([
    lane('code', async () => {
      if (isWhole) await runChecks(checks.filter(({ after }) => after !== 'tests'))
    }),
    lane('products', async () => {
      await runProjects(env, ['cross'])
      await runProjects(env, ['browser'])
    }),
  ])
  notes.push(describeLanes(lanes))
  await runProjects(env, ['alone'])
  await runFailedAlone(env)
}

/**
 * Distinguishes real failures from an overloaded machine: failed files run once more, one at a time with no other load. Those
 * that pass then count as passed and are listed at the end, so that they are fixed or moved to `alone`.
 */
async function runFailedAlone(env: NodeJS.ProcessEnv): Promise<void> {
  const failed = parts.filter((part): part is SummaryRow & VitestResult => 'failedFiles' in part && part.failed > 0)
  const isFew = failed.reduce((sum, { failedFiles }) => sum + failedFiles.length, 0) <= MAX_FILES_AGAIN
  if (!isFew || filters.length > 0) return
  for (const part of failed) if (part.failedFiles.length > 0 && !interrupted.signal.aborted) await runAgain(part, env)
}

async function runAgain(part: SummaryRow & VitestResult, env: NodeJS.ProcessEnv): Promise<void> {
  const again = await runVitest({
    projects: part.name.replace('tests ', '').split('+'),
    filters: part.failedFiles.map((file) => relative('.', file)),
    isAlone: true,
    ...{ scratch, env, signal: interrupted.signal },
  })
  const isGood = again.failed === 0 && again.passed > 0
  if (isGood) parts[parts.indexOf(part)] = { ...part, passed: part.passed + part.failed, failed: 0, failures: [] }
  // Files that pass now are named as such, although the part fails for the sake of another one.
  const { failedFiles } = again
  const failsAgain = (failure: string): boolean =>
    !isGood && (failedFiles.length === 0 || failedFiles.some((file) => failure.startsWith(file)))
  for (const failure of part.failures)
    notes.push(`${failsAgain(failure) ? 'FAILED TWICE' : 'PASSED ONLY ALONE'} ${failure}`)
  // Already counted above; this line shows the duration.
  parts.push({ ...again, ...nothing, failures: isGood ? [] : again.failures })
}

async function timed(name: string, work: () => Promise<unknown>): Promise<{ name: string; seconds: number }> {
  const start = performance.now()
  await work()
  return { name, seconds: (performance.now() - start) / 1000 }
}

/** All proofs, both database engines, and the tests that take minutes. */
async function runLong(env: NodeJS.ProcessEnv): Promise<void> {
  if (filters.length === 0) {
    await runChecks(
      checks.filter(({ proof }) => proof !== undefined),
      { again: true, forAll: true },
    )
    await runProven(env, 'planted', { again: true, forAll: true })
    await runProven({ ...env, SIGHTLINE_TEST_LONG: '1' }, 'kit', { again: true, forAll: true })
    await runProjects({ ...env, SIGHTLINE_TEST_EVERY_ENGINE: '1' }, ['engines'])
    await runProjects({ ...env, SIGHTLINE_TEST_LONG: '1' }, ['browser'])
    await runProjects({ ...env, SIGHTLINE_TEST_LONG: '1' }, ['cross'])
    await runProjects({ ...env, SIGHTLINE_TEST_LONG: '1' }, ['alone'])
  }
  await runProjects(env, ['long'])
}

interface Proving {
  /** Also runs proofs whose inputs have not changed. */
  readonly again?: boolean
  /** Records proofs in the committed ledger. */
  readonly forAll?: boolean
}

async function runProven(
  env: NodeJS.ProcessEnv,
  project: keyof typeof proven,
  { again = false, forAll = false }: Proving,
): Promise<void> {
  const { proof: name, files } = proven[project]
  const proof = presentProof(name)
  if (isProven(name, proof.provenOn, again)) return
  const done = await runProjects(env, [project])
  const isComplete = filters.length === 0 || filters.includes(files)
  if (done?.failed === 0 && done.passed > 0 && isComplete) proof.record(forAll)
}

function isProven(name: string, provenOn: string | undefined, again: boolean): boolean {
  if (again || provenOn === undefined) return false
  notes.push(`${name}: skipped, because they passed on ${provenOn} and nothing they depend on has changed`)
  return true
}

async function runProjects(env: NodeJS.ProcessEnv, projects: readonly string[]): Promise<SummaryRow | undefined> {
  const { signal } = interrupted
  if (signal.aborted) return undefined
  const part = await runVitest({ projects, filters, scratch, env, signal })
  parts.push(part)
  return part
}

/** Reports prominently what can't be tested here; each missing tool counts as one skipped test. */
function missingTools(): void {
  for (const { name, forWhat, packages } of setUpTools()) {
    console.log(`SKIPPED ${name}: not installed, needed for ${forWhat} (apt-get install ${packages.join(' ')})`)
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

async function runChecks(wanted: readonly Check[], { again = false, forAll = false }: Proving = {}): Promise<void> {
  mkdirSync('node_modules/.cache/sightline', { recursive: true })
  const due = wanted.flatMap((check) => {
    const proof = check.proof === undefined ? undefined : presentProof(check.proof)
    return isProven(check.name, proof?.provenOn, again) ? [] : [{ ...check, record: proof?.record }]
  })
  const jobs = due.map(
    ({ name, argv, after }): CheckJob => ({ name, argv, needs: after === 'web-build' ? ['web-build'] : [] }),
  )
  const isBuilt = parts.some(({ name }) => name === webBuild.name)
  const needsBuild = !isBuilt && jobs.some(({ needs = [] }) => needs.length > 0)
  const done = await runAll(needsBuild ? [...jobs.slice(0, 1), webBuild, ...jobs.slice(1)] : jobs)
  for (const { name, record } of due)
    if (done.some((one) => one.name === name && one.outcome === 'passed')) record?.(forAll)
}

async function runAll(jobs: readonly CheckJob[]): Promise<readonly JobResult[]> {
  const how = { atOnce: Math.max(2, availableParallelism()), onDone: tell, signal: interrupted.signal }
  const done = await runJobs(jobs, how)
  for (const { name, outcome, seconds } of done) {
    const failures = outcome === 'failed' ? [`${name}: see above`] : []
    parts.push({ name, seconds, ...nothing, [outcome]: 1, failures })
  }
  return done
}

function tell({ name, outcome, seconds, output }: JobResult): void {
  const text = output.trim()
  if (outcome === 'failed') console.log(`\nFAILED ${name} (${seconds.toFixed(1)} s)\n${text}\n`)
  else if (outcome === 'skipped') console.log(`SKIPPED ${name}: ${text.split('\n').at(-1)}`)
  else console.log(`passed  ${name} (${seconds.toFixed(1)} s)${text === '' ? '' : `: ${text.split('\n').at(-1)}`}`)
}

function finish(): void {
  const total = parts.reduce<Tally>(add, nothing)
  for (const failure of parts.flatMap(({ failures = [] }) => failures)) console.log(`\nFAILED ${failure}`)
  const seconds = (performance.now() - began) / 1000
  const times = describeTimes(parts.flatMap(({ files = [] }) => files))
  for (const text of [toTable(parts), times, ...notes].filter((each) => each !== '')) console.log(`\n${text}`)
  console.log(`\n${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`)
  const isGood = total.failed === 0 && total.passed > 0 && !interrupted.signal.aborted
  if (onlyLong && filters.length === 0) console.log(`\nfor docs/benchmarks.md:\n${rowOfLongRun(total, seconds)}`)
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  process.exitCode = isGood ? 0 : 1
}

/** A row of the table of long runs: date, commit and result. */
function rowOfLongRun({ passed, failed, skipped }: Tally, seconds: number): string {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  return `| ${day} | all of it, on ${commit}, in ${Math.round(seconds / 60)} min | ${passed} passed, ${failed} failed, ${skipped} skipped |`
}
