import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { ApiError, ErrorName } from '@sightline/contract/errors'
import { addReport, type Report } from '@sightline/contract/reports'
import { getDenyReason } from '@sightline/contract/rights'
import { appendAudit } from '@sightline/platform/audit'
import { MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { enqueue, type JobOutcome, type JobTasks } from '@sightline/platform/jobs'
import { createSemaphore, limitedCall } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type MemberCaller, toCaller } from '@sightline/platform/sessions'
import { loadTimeZone } from '../accounts/index.ts'
import { type MakeDeps, makeAccountReport } from './make.ts'
import { getReportSpan, nextTime } from './recurrence.ts'
import {
  dueSchedules,
  loadWanting,
  lockSchedule,
  markNotified,
  removeSchedule,
  type ScheduleKey,
  type ScheduleOwner,
  type StoredSchedule,
  setNext,
} from './schedules-store.ts'
import { findReport, nameSchedule } from './store.ts'

export interface ScheduleDeps {
  readonly db: Db
  readonly ids: IdSource
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly auth: Pick<AuthPlane, 'notifyReport'>
  readonly log: Logger
}

const LOOK_EVERY_MS = 15 * MS_PER_SECOND

/** Creates the due reports, each in its own job, and sends one email for each. */
export function reportTasks(deps: ScheduleDeps): JobTasks {
  const { db, now } = deps
  const semaphore = createSemaphore<number>({ overall: { concurrency: 1 } })
  const printing = limitedCall(semaphore, { doing: 'creating a report', retryAfterS: 5 })
  const making = { ...deps, printing }
  return {
    findDueReports: {
      everyMs: LOOK_EVERY_MS,
      async run() {
        await db.transaction(async (tx) => {
          for (const due of await dueSchedules(tx, now())) {
            await enqueue(tx, { task: 'makeReport', payload: due, jobKey: String(due.reportScheduleId) })
          }
        })
        return ok(undefined)
      },
    },
    makeReport: { run: (of) => makeDue(making, of) },
  }
}

type Deps = ScheduleDeps & MakeDeps

interface Due {
  readonly schedule: StoredSchedule
  readonly wanting: ScheduleOwner
  readonly caller: MemberCaller | undefined
  readonly timeZone: string
}

async function makeDue(deps: Deps, of: ScheduleKey): Promise<JobOutcome> {
  const due = await deps.db.inTenant(of, (tx) => loadDue(tx, of, deps.now()))
  if (due === undefined) return ok(undefined)
  const { untoldReportId, nextMs } = due.schedule
  if (untoldReportId !== undefined) return notify(deps, of, { due, reportId: untoldReportId })
  return nextMs <= deps.now() ? makeOne(deps, of, due) : ok(undefined)
}

async function loadDue(tx: Tx, of: ScheduleKey, now: number): Promise<Due | undefined> {
  const schedule = await lockSchedule(tx, of)
  const wanting = await loadWanting(tx, of, now)
  if (schedule === undefined || wanting === undefined) return undefined
  const caller = toCaller(wanting, Buffer.alloc(0), now)
  const member = caller?.kind === 'member' ? caller : undefined
  return { schedule, wanting, caller: member, timeZone: await loadTimeZone(tx, of.accountId) }
}

/** A retry may help for these. */
const passing: ReadonlySet<ErrorName> = new Set(['timedOut', 'overloaded'])

async function makeOne(deps: Deps, of: ScheduleKey, due: Due): Promise<JobOutcome> {
  const { db, now } = deps
  const { schedule, caller, timeZone } = due
  const next = { ...of, dueMs: schedule.nextMs, nextMs: nextTime(schedule, timeZone, now()) }
  // Blocked or suspended, perhaps temporarily.
  if (caller === undefined) {
    await db.inTenant(of, (tx) => setNext(tx, next))
    return ok(undefined)
  }
  if (getDenyReason(addReport, caller) !== undefined) return end(deps, of, { schedule, caller })
  const { type, format, every } = schedule
  const given = { type, format, ...getReportSpan(every, timeZone, schedule.nextMs) }
  const also = async (tx: Tx, kept: Report): Promise<Result<Report, ApiError>> => {
    const { reportId } = kept
    await nameSchedule(tx, { accountId: of.accountId, reportId, reportScheduleId: of.reportScheduleId })
    // In the same transaction as the report, so that neither exists without the other.
    if (await setNext(tx, { ...next, untoldReportId: reportId })) return ok(kept)
    throw new Superseded('another process has already created the report')
  }
  const made = await makeAccountReport(deps, { caller, given, address: '', also }).catch(superseded)
  if (made.ok) return notify(deps, of, { due, reportId: made.value.reportId })
  const { error, detail } = made.failure
  deps.log.warn({ reportScheduleId: of.reportScheduleId, error, detail }, 'a scheduled report was not created')
  if (passing.has(error)) return fail({ reason: error, retry: { kind: 'backoff' } })
  await db.inTenant(of, (tx) => setNext(tx, next))
  return ok(undefined)
}

class Superseded extends Error {}

function superseded(error: unknown): Result<Report, ApiError> {
  if (error instanceof Superseded) return fail({ error: 'overloaded', detail: error.message })
  throw error
}

/** The recipient no longer has the right to it. */
async function end(
  { db, ids }: Deps,
  of: ScheduleKey,
  { schedule, caller }: { readonly schedule: StoredSchedule; readonly caller: MemberCaller },
): Promise<JobOutcome> {
  await db.inTenant(of, async (tx) => {
    await removeSchedule(tx, of)
    const { type, format, every, at } = schedule
    const target = { kind: 'reportSchedule', id: of.reportScheduleId }
    const entry = { action: 'deleteReportSchedule', target, before: { type, format, every, at } }
    await appendAudit(tx, { ids, caller, address: '', entry })
  })
  return ok(undefined)
}

/** The email has the number of the report, so retries don't send a second one. */
async function notify(
  deps: Deps,
  key: ScheduleKey,
  { due, reportId }: { readonly due: Due; readonly reportId: number },
): Promise<JobOutcome> {
  const { db, auth, now } = deps
  const { accountId, userId } = key
  const { email, language, reseller_id: resellerId } = due.wanting
  const of = { of: { accountId }, accountIds: undefined }
  const report = await db.inTenant(key, (tx) => findReport(tx, of, { reportId, now: now() }))
  if (report !== undefined && due.caller !== undefined) {
    const { type, from, till } = report
    const { host } = due.schedule
    await auth.notifyReport({ userId, accountId, resellerId, email, language, host, reportId, type, from, till })
  }
  await db.inTenant(key, (tx) => markNotified(tx, key, reportId))
  return ok(undefined)
}
