import type { ApiError } from '@sightline/contract/errors'
import { discardJob, getJobCounts, getJobs, type Job, retryJob } from '@sightline/contract/jobs'
import type { Db, Tx } from '@sightline/platform/db'
import { type Change, serve, serveChange, toStorePage } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { countByTask, countJobs, discard, findJob, PROVIDER, pageOfJobs, retry, toJob } from './store.ts'

/** The queue of jobs, for administrators of the installation. */
export const jobs = ({ db }: { readonly db: Db }) => [
  serve(getJobs, (caller, { query, page }) =>
    db.inOrganisation(scopeOf(caller), async (tx) => {
      if (page.edge !== undefined && !Number.isSafeInteger(page.edge.value)) {
        return fail({ error: 'validation', detail: 'query: pageToken: must come from a Link header of this list' })
      }
      const found = await pageOfJobs(tx, query, page)
      const total = page.wantsCount ? await countJobs(tx, query) : undefined
      return ok(toStorePage(found, page, { item: toJob, total }))
    }),
  ),

  serve(getJobCounts, async (caller) => ok(await db.inOrganisation(scopeOf(caller), countByTask))),

  serveChange(retryJob, (change, { params: { jobId } }) =>
    withJob(change, jobId, async (tx, before) => {
      if (!(await retry(tx, jobId))) return fail(running(jobId))
      const after = await findJob(tx, jobId)
      if (after === undefined) return fail({ error: 'notFound' })
      await change.audit({ action: 'retryJob', target: { kind: 'job', id: jobId }, before, after })
      return ok(after)
    }),
  ),

  serveChange(discardJob, (change, { params: { jobId } }) =>
    withJob(change, jobId, async (tx, before) => {
      if (!(await discard(tx, jobId))) return fail(running(jobId))
      await change.audit({ action: 'discardJob', target: { kind: 'job', id: jobId }, before })
      return ok(undefined)
    }),
  ),
]

const withJob = <T>(
  change: Pick<Change<StaffCaller>, 'caller' | 'tx'>,
  jobId: number,
  work: (tx: Tx, before: Job) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> =>
  change.tx(scopeOf(change.caller), async (tx) => {
    const before = await findJob(tx, jobId)
    return before === undefined ? fail({ error: 'notFound' }) : work(tx, before)
  })

const scopeOf = ({ userId }: StaffCaller) => ({ organisationId: PROVIDER, userId, isProvider: true })

const running = (jobId: number): ApiError => ({
  error: 'businessRule',
  detail: `job ${jobId} is running: wait until it finishes`,
})
