import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseConnection } from '../db/index.ts'
import { engines, type TestDatabase } from '../db-testing/index.ts'
import { createLogger, silentLogger } from '../log/index.ts'
import { fail, ok } from '../result/index.ts'
import { enqueue, type JobOutcome, type JobTasks, readJobFigures, startJobWorker } from './index.ts'
import { bringForward, listJobs, runJobs } from './testing/index.ts'

describe.each(engines)('%s: the queue of jobs', (_, open) => {
  let database: TestDatabase
  const owner = () => database.db('owner')
  const mail = (mailId: number) => ({ task: 'sendMail', payload: { accountId: 7, mailId } }) as const
  const put = (mailId: number) => database.db('app').transaction((tx) => enqueue(tx, mail(mailId)))
  const ran: number[] = []
  const sending = (outcome: (mailId: number) => JobOutcome | Promise<JobOutcome> = () => ok(undefined)): JobTasks => ({
    sendMail: {
      async run({ mailId }) {
        ran.push(mailId)
        return outcome(mailId)
      },
    },
  })
  const run = (tasks: JobTasks = sending()) => runJobs(database.connection, tasks)

  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database[Symbol.asyncDispose]())
  beforeEach(async () => {
    await sql`delete from graphile_worker._private_jobs`.execute(owner().plain)
    ran.length = 0
  })

  test('a job is created in the same transaction as its subject, or not at all', async () => {
    const failing = database.db('app').inTenant({ accountId: 7, userId: 7 }, async (tx) => {
      await enqueue(tx, mail(1))
      throw new Error('the change failed')
    })
    await expect(failing).rejects.toThrow('the change failed')
    expect(await listJobs(owner())).toEqual([])
    await database.db('app').inTenant({ accountId: 7, userId: 7 }, (tx) => enqueue(tx, mail(2)))
    await run()
    expect(ran).toEqual([2])
    expect(await listJobs(owner())).toEqual([])
  })

  test("a role can enqueue only its own tasks, and can't read or change jobs", async () => {
    const by = (role: 'app' | 'media' | 'sealer', task: string) =>
      sql`select enqueue_job(${task}, '{}'::jsonb, null, null)`.execute(database.db(role).plain)
    await expect(by('app', 'erasePerson')).rejects.toThrow(
      'the role sightline_app may not enqueue the task erasePerson',
    )
    await expect(by('app', 'unheardOf')).rejects.toThrow('may not enqueue')
    for (const role of ['media', 'sealer'] as const) await expect(by(role, 'sendMail')).rejects.toThrow('permission')
    for (const role of ['app', 'auth', 'alerts', 'eraser', 'media'] as const) {
      const { plain } = database.db(role)
      await expect(sql`select from graphile_worker._private_jobs`.execute(plain)).rejects.toThrow('permission denied')
      await expect(sql`select graphile_worker.add_job('sendMail')`.execute(plain)).rejects.toThrow('permission denied')
      await expect(sql`select from job_tasks`.execute(plain)).rejects.toThrow('permission denied')
    }
  })

  test("the role that runs jobs can't read what they are about or create tables", async () => {
    const { plain } = database.db('jobs')
    for (const table of ['mail_outbox', 'accounts', 'users', 'auth.credentials', 'job_tasks']) {
      await expect(sql`select from ${sql.table(table)}`.execute(plain)).rejects.toThrow('permission denied')
    }
    await expect(sql`create table graphile_worker.mine (n int)`.execute(plain)).rejects.toThrow('permission denied')
  })

  test.each([
    ['text', { accountId: 7, link: 'https://video.example/s3cret' }],
    ['more than ids', { accountId: 7, ids: [1, 2] }],
    ['a list', [7]],
    ['too many ids', Object.fromEntries(Array.from({ length: 40 }, (_id, n) => [`id${n}`, n]))],
  ])('a payload of %s is refused: jobs contain ids', async (_kind, payload) => {
    const given = sql`select enqueue_job('sendMail', ${JSON.stringify(payload)}::jsonb, null, null)`
    await expect(given.execute(database.db('app').plain)).rejects.toThrow('an object of ids')
  })

  test('a key allows one such job at a time, even if several are requested at once', async () => {
    const keyed = () => database.db('app').transaction((tx) => enqueue(tx, { ...mail(1), jobKey: '7' }))
    await Promise.all([keyed(), keyed(), keyed(), keyed()])
    await keyed()
    expect(await listJobs(owner())).toHaveLength(1)
    await run()
    expect(ran).toEqual([1])
    await keyed()
    expect(await listJobs(owner())).toHaveLength(1)
  })

  test('a failed job is retried after a pause, or at the time it requested', async () => {
    const at = Date.now() + 3_600_000
    for (const id of [1, 2, 3]) await put(id)
    const retries = { 1: { kind: 'backoff' }, 2: { kind: 'notBefore', at }, 3: { kind: 'postponed', at } } as const
    await run(sending((id) => fail({ reason: 'no answer', retry: retries[id as 1 | 2 | 3] })))
    const rows = await listJobs(owner())
    expect(rows.map(({ attempts, lastError }) => [attempts, lastError])).toEqual([
      [1, 'no answer'],
      [1, 'no answer'],
      [0, 'no answer'],
    ])
    expect(rows[0]?.waitS).toBeLessThan(4)
    for (const { waitS } of rows.slice(1)) expect(Math.abs(waitS - 3600)).toBeLessThan(30)
    await bringForward(owner())
    await run()
    expect(ran.slice(3).toSorted()).toEqual([1, 2, 3])
  })

  test("a permanently failed job is kept for an administrator and doesn't delay others", async () => {
    await put(1)
    await put(2)
    await run(sending((id) => (id === 1 ? fail({ reason: 'refused', retry: { kind: 'never' } }) : ok(undefined))))
    expect(await listJobs(owner())).toMatchObject([{ payload: { mailId: 1 }, attempts: 25, maxAttempts: 25 }])
    await bringForward(owner())
    await run()
    expect(ran).toEqual([1, 2])
    expect(await readJobFigures(database.db('jobs'))).toContainEqual({
      task: 'sendMail',
      waiting: 0,
      running: 0,
      failed: 1,
      longestWaitMs: 0,
    })
  })

  test('a stored failure contains no address and no row; the log has all of it', async () => {
    const lines: string[] = []
    const log = createLogger({ level: 'debug', format: 'json', name: 'jobs' }, { write: (line) => lines.push(line) })
    await put(1)
    await put(2)
    const tasks = sending((id) => {
      if (id === 1) throw new TypeError('the row of Ada Lovelace is broken')
      return fail({ reason: '550 <ada@video.example> is unknown', retry: { kind: 'backoff' } })
    })
    await runJobs(database.connection, tasks, log)
    expect((await listJobs(owner())).map(({ lastError }) => lastError)).toEqual(['TypeError', '550 … is unknown'])
    expect(lines.join('')).toContain('Ada Lovelace')
  })

  test("a recurring job is one job however many processes request it, and failures don't end it", async () => {
    let times = 0
    let isBroken = true
    const tasks: JobTasks = {
      forgetMails: {
        everyMs: 3_600_000,
        async run() {
          times += 1
          return isBroken ? fail({ reason: 'away', retry: { kind: 'never' } }) : ok(undefined)
        },
      },
    }
    await run(tasks)
    expect(await listJobs(owner())).toHaveLength(1)
    await run(tasks)
    expect(times).toBe(2)
    isBroken = false
    await run(tasks)
    expect(await listJobs(owner())).toEqual([])
  })

  test('a worker runs new jobs immediately and recurring ones on time, until it is disposed', async () => {
    let times = 0
    const count = async () => {
      times += 1
      return ok(undefined)
    }
    const recurring: JobTasks = { forgetMails: { everyMs: 10, run: count } }
    const lanes = [
      { tasks: sending(), concurrency: 1 },
      { tasks: recurring, concurrency: 1 },
    ]
    {
      await using _worker = await startJobWorker({ connection: database.connection, lanes, log: silentLogger })
      await put(1)
      await expect.poll(() => ran, { timeout: 10_000 }).toEqual([1])
      await expect.poll(() => times, { timeout: 10_000 }).toBeGreaterThan(2)
    }
    await put(2)
    await expect(sql`select from job_workers`.execute(owner().plain)).resolves.toMatchObject({ rows: [] })
    expect(ran).toEqual([1])
  })

  test('five concurrent workers run each job once', async () => {
    const lanes = [{ tasks: sending(), concurrency: 2 }]
    const start = () => startJobWorker({ connection: database.connection, lanes, log: silentLogger })
    await using workers = new AsyncDisposableStack()
    for (const worker of await Promise.all([1, 2, 3, 4, 5].map(start))) workers.use(worker)
    await Promise.all(Array.from({ length: 40 }, (_job, id) => put(id)))
    await expect.poll(() => listJobs(owner()), { timeout: 15_000 }).toEqual([])
    expect(ran.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_job, id) => id))
  })

  test('a killed process releases its jobs, and another one runs them', async () => {
    const child = workingProcess(database.connection)
    await using _killed = { [Symbol.asyncDispose]: async () => void child.kill('SIGKILL') }
    await put(1)
    await once(child.stdout ?? child, 'data')
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    expect(await listJobs(owner())).toMatchObject([{ isRunning: true }])
    const lanes = [{ tasks: sending(), concurrency: 1 }]
    const settings = { connection: database.connection, lanes, log: silentLogger, deadAfterMs: 1500 }
    await using _worker = await startJobWorker(settings)
    await expect.poll(() => ran, { timeout: 30_000 }).toEqual([1])
  })
})

function workingProcess(connection: DatabaseConnection): ChildProcess {
  const script = fileURLToPath(new URL('./testing/working-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin?.end(JSON.stringify({ connection }))
  return child
}
