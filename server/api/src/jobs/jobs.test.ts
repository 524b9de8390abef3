import { type JobTaskName, jobTasks } from '@sightline/contract/jobs'
import { allPermissions } from '@sightline/contract/rights'
import { PROVIDER_ID } from '@sightline/platform/db'
import { engines, type TestDatabase } from '@sightline/platform/db-testing'
import { enqueue, type JobOutcome, type TaskName } from '@sightline/platform/jobs'
import { bringForward, listJobs, runJobs } from '@sightline/platform/jobs/testing'
import { fail, ok } from '@sightline/platform/result'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { jobs } from './index.ts'

test('every task of the queue has a name for administrators', () => {
  expectTypeOf<TaskName>().toEqualTypeOf<JobTaskName>()
  expect(new Set(jobTasks).size).toBe(jobTasks.length)
})

describe.each(engines)('jobs for administrators on %s', (_engine, open) => {
  let database: TestDatabase
  let api: TestApi
  let admin: { userId: number; token: string }
  const ran: number[] = []
  beforeAll(async () => {
    database = await open()
    api = await testApi({ open: async () => database, slices: [jobs] })
    admin = await api.addStaff({ level: 'admin', permissions: [] })
  })
  afterAll(() => api[Symbol.asyncDispose]())
  beforeEach(async () => {
    await sql`delete from graphile_worker._private_jobs`.execute(api.owner.plain)
    ran.length = 0
  })

  const put = (mailId: number) =>
    api.app.transaction((tx) => enqueue(tx, { task: 'sendMail', payload: { accountId: 7, mailId } }))
  const run = (outcome: (mailId: number) => JobOutcome = () => ok(undefined)) =>
    runJobs(database.connection, {
      sendMail: {
        async run({ mailId }) {
          ran.push(mailId)
          return outcome(mailId)
        },
      },
    })
  const refused = (): JobOutcome => fail({ reason: '550 <ada@video.example> is unknown', retry: { kind: 'never' } })
  const noAnswer = (): JobOutcome => fail({ reason: 'no answer', retry: { kind: 'backoff' } })
  const list = async (query = '') => (await api.call(admin.token, `GET jobs${query}`)).body
  const lock = (jobId: number) =>
    sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker' where id = ${jobId}`.execute(
      api.owner.plain,
    )
  const auditLines = () =>
    api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'account_id', 'user_id', 'target_kind', 'target_id', 'before', 'after'])
      .where('target_kind', '=', 'job')
      .orderBy('at')
      .execute()

  test('each job is listed with its state, attempts, next try and last error, without addresses', async () => {
    await put(1)
    await run(refused)
    await put(2)
    await run(noAnswer)
    await put(3)
    const found = await list()
    expect(found).toMatchObject([
      { task: 'sendMail', state: 'waiting', payload: { accountId: 7, mailId: 3 }, attempts: 0, maxAttempts: 25 },
      { state: 'retrying', payload: { mailId: 2 }, attempts: 1, lastError: 'no answer', recurring: false },
      { state: 'failed', attempts: 25, nextRunAt: null, lastError: '550 … is unknown' },
    ])
    expect(Date.parse(found[1].nextRunAt)).toBeGreaterThan(Date.parse(found[1].createdAt))
    await lock(found[0].jobId)
    expect((await list())[0]).toMatchObject({ state: 'running', nextRunAt: null })
    expect((await api.call(admin.token, 'GET jobs/counts')).body).toEqual([
      { task: 'sendMail', waiting: 0, running: 1, retrying: 1, failed: 1 },
    ])
  })

  test('the list can be filtered by state and task, counted and paged', async () => {
    for (const mailId of [1, 2, 3, 4, 5]) await put(mailId)
    await run((mailId) => (mailId === 2 ? refused() : ok(undefined)))
    for (const mailId of [6, 7, 8]) await put(mailId)
    expect(await list('?state=failed')).toMatchObject([{ payload: { mailId: 2 } }])
    expect(await list('?task=sendPush')).toEqual([])
    expect((await api.call(admin.token, 'GET jobs?state=broken')).status).toBe(400)
    const seen: number[] = []
    let next: string | undefined = 'jobs?limit=2&count=true'
    while (next !== undefined) {
      const page = await api.call(admin.token, `GET ${next}`)
      if (seen.length === 0) expect(page.headers.get('x-total-count')).toBe('4')
      seen.push(...page.body.map(({ payload }: { payload: { mailId: number } }) => payload.mailId))
      next = /<[^>]*\/rest\/v2\.4\/([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual([8, 7, 6, 2])
  })

  test('a failed job runs again when an administrator retries it, and the audit log names the administrator', async () => {
    await put(1)
    await run(refused)
    await bringForward(api.owner)
    await run()
    expect(ran).toEqual([1])
    const [{ jobId }] = await list('?state=failed')
    const answer = await api.call(admin.token, `POST jobs/${jobId}/retry`)
    expect(answer).toMatchObject({ status: 200, body: { jobId, state: 'waiting', attempts: 0 } })
    await run()
    expect(ran).toEqual([1, 1])
    expect(await list()).toEqual([])
    expect(await auditLines()).toMatchObject([
      {
        action: 'retryJob',
        account_id: PROVIDER_ID,
        user_id: admin.userId,
        target_id: jobId,
        before: { task: 'sendMail', state: 'failed', attempts: 25 },
        after: { state: 'waiting', attempts: 0 },
      },
    ])
  })

  test('a discarded job doesn’t run, and the audit log keeps what it was for', async () => {
    await put(41)
    const [{ jobId }] = await list()
    expect((await api.call(admin.token, `DELETE jobs/${jobId}`)).status).toBe(204)
    await run()
    expect(ran).toEqual([])
    expect(await listJobs(api.owner)).toEqual([])
    expect((await auditLines()).at(-1)).toMatchObject({
      action: 'discardJob',
      account_id: PROVIDER_ID,
      before: { task: 'sendMail', payload: { accountId: 7, mailId: 41 } },
    })
    for (const request of [`DELETE jobs/${jobId}`, `POST jobs/${jobId}/retry`]) {
      expect(await api.call(admin.token, request)).toMatchObject({ status: 404, body: { code: 4 } })
    }
  })

  test('a running job can’t be retried or discarded', async () => {
    await put(1)
    const [{ jobId }] = await list()
    await lock(jobId)
    const before = await auditLines()
    for (const request of [`DELETE jobs/${jobId}`, `POST jobs/${jobId}/retry`]) {
      expect(await api.call(admin.token, request)).toMatchObject({ status: 409, body: { code: 6 } })
    }
    expect(await listJobs(api.owner)).toMatchObject([{ isRunning: true }])
    expect(await auditLines()).toEqual(before)
  })

  test('only the provider’s staff can use it, whatever permissions other staff and users have', async () => {
    await put(1)
    const [{ jobId }] = await list()
    const { token } = await api.addAccount()
    const others = [
      token,
      (await api.addStaff({ permissions: allPermissions })).token,
      (await api.addStaff({ level: 'distributor', permissions: allPermissions })).token,
    ]
    for (const request of ['GET jobs', 'GET jobs/counts', `POST jobs/${jobId}/retry`, `DELETE jobs/${jobId}`]) {
      for (const other of others) {
        expect(await api.call(other, request)).toMatchObject({ status: 403, body: { code: 9 } })
      }
      expect((await api.call(undefined, request)).status).toBe(401)
    }
    expect(await listJobs(api.owner)).toHaveLength(1)
  })

  test('outside the provider’s scope the database shows and changes no job', async () => {
    await put(1)
    const [{ jobId }] = await list()
    const count = sql<{ jobs: number }>`select count(*)::int as jobs from administered_jobs`
    const attempts = sql<{ done: boolean }>`select retry_job(${jobId}) or discard_job(${jobId}) as done`
    const scopes = [
      { organisationId: 1, userId: 9, distributorId: 1 },
      { organisationId: 255, userId: 9, resellerId: 255 },
    ]
    for (const scope of scopes) {
      expect((await api.app.inOrganisation(scope, (tx) => count.execute(tx))).rows).toEqual([{ jobs: 0 }])
      expect((await api.app.inOrganisation(scope, (tx) => attempts.execute(tx))).rows).toEqual([{ done: false }])
    }
    const inTenant = await api.app.inTenant({ accountId: 7, userId: 7 }, (tx) => attempts.execute(tx))
    expect(inTenant.rows).toEqual([{ done: false }])
    for (const role of ['auth', 'media', 'alerts', 'sealer'] as const) {
      await expect(count.execute(database.db(role).plain)).rejects.toThrow('permission denied')
      await expect(attempts.execute(database.db(role).plain)).rejects.toThrow('permission denied')
    }
    expect(await listJobs(api.owner)).toHaveLength(1)
  })
})
