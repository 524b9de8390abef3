import { expect, test } from 'vitest'
import { type CheckJob, type JobResult, runJobs } from './jobs.ts'

const script = (name: string, source: string, needs: readonly string[] = []): CheckJob => ({
  name,
  argv: ['--input-type=module', '--eval', source],
  needs,
})
const { signal } = new AbortController()

async function outcomes(jobs: readonly CheckJob[]): Promise<Readonly<Record<string, JobResult['outcome']>>> {
  const done = await runJobs(jobs, { atOnce: 2, onDone: () => undefined, signal })
  return Object.fromEntries(done.map(({ name, outcome }) => [name, outcome]))
}

test('exit code 0 is passed, 77 is skipped, anything else is failed', async () => {
  const jobs = [0, 77, 1, 3].map((code) => script(`exits with ${code}`, `process.exit(${code})`))
  expect(await outcomes(jobs)).toEqual({
    'exits with 0': 'passed',
    'exits with 77': 'skipped',
    'exits with 1': 'failed',
    'exits with 3': 'failed',
  })
})

test('a job that ends by a signal is failed', async () => {
  expect(await outcomes([script('killed', "process.kill(process.pid, 'SIGKILL')")])).toEqual({ killed: 'failed' })
})

test('a job waits for the jobs it needs, and fails if one of them failed', async () => {
  const order: string[] = []
  await runJobs([script('second', '', ['first']), script('first', '')], {
    atOnce: 2,
    onDone: ({ name }) => order.push(name),
    signal,
  })
  expect(order).toEqual(['first', 'second'])
  expect(await outcomes([script('needy', '', ['broken']), script('broken', 'process.exit(1)')])).toEqual({
    needy: 'failed',
    broken: 'failed',
  })
})

test('a failed job’s whole output is kept', async () => {
  const [done] = await runJobs(
    [script('talks', "console.log('a'.repeat(300000)); console.error('end'); process.exitCode = 1")],
    {
      atOnce: 1,
      onDone: () => undefined,
      signal,
    },
  )
  expect(done?.output.length).toBeGreaterThan(300_000)
  expect(done?.output).toContain('end')
})

test('an interrupted run ends its jobs', async () => {
  const interrupted = new AbortController()
  const began = runJobs([script('forever', 'setInterval(() => undefined, 1000)')], {
    atOnce: 1,
    onDone: () => undefined,
    signal: interrupted.signal,
  })
  interrupted.abort()
  expect((await began)[0]?.outcome).toBe('failed')
})
