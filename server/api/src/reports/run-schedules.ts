import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { ApiError, ErrorName } from '@sightline/contract/errors'
import { addReport, type Report } from '@sightline/contract/reports'
import { denial } from '@sightline/contract/rights'
import { appendAudit } from '@sightline/platform/audit'
import { MS_PER_MINUTE, MS_PER_SECOND, repeatUntil } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { createSemaphore, limitedCall } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type MemberCaller, toCaller } from '@sightline/platform/sessions'
import { loadTimeZone } from '../accounts/index.ts'
import { type MakeParts, makeAccountReport } from './make.ts'
import { nextTime, spanOf } from './rhythm.ts'
import {
  type Claim,
  changeClaimed,
  claimSchedule,
  loadWanting,
  lockSchedule,
  removeSchedule,
  type StoredSchedule,
  type Wanting,
} from './schedules-store.ts'
import { findReport, nameSchedule } from './store.ts'

export interface ScheduleParts {
  readonly db: Db
  readonly ids: IdSource
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly auth: Pick<AuthPlane, 'tellOfReport'>
  readonly log: Logger
}

/** Longer than a report takes, so that none is made by two at once; after it whoever ended half-way is replaced. */
const CLAIM_MS = 3 * MS_PER_MINUTE
const LOOK_EVERY_MS = 15 * MS_PER_SECOND

/** Makes the reports that are due until it is disposed. Several processes may: each report is made and told of once. */
export function startReportSchedules(parts: ScheduleParts): AsyncDisposable {
  const closing = new AbortController()
  const running = repeatUntil(closing.signal, LOOK_EVERY_MS, () =>
    makeDue(parts, closing.signal).catch((err: unknown) =>
      parts.log.warn({ err }, 'reports that are due cannot be made'),
    ),
  )
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await running
    },
  }
}

/** Makes what is due, one after another. */
export async function makeDue(parts: ScheduleParts, signal?: AbortSignal): Promise<void> {
  const semaphore = createSemaphore<number>({ overall: { concurrency: 1 } })
  const printing = limitedCall(semaphore, { doing: 'having a report made', retryAfterS: 5 })
  const making = { ...parts, printing }
  while (signal?.aborted !== true) {
    const now = parts.now()
    const claim = await claimSchedule(parts.db, now, now + CLAIM_MS)
    if (claim === undefined) return
    try {
      await serveClaim(making, claim)
    } catch (err) {
      // It is tried again when the claim is over; others need not wait for it.
      parts.log.warn({ err, reportScheduleId: claim.reportScheduleId }, 'a report that is due could not be made')
    }
  }
}

type Parts = ScheduleParts & MakeParts

interface Due {
  readonly schedule: StoredSchedule
  readonly wanting: Wanting
  readonly caller: MemberCaller | undefined
  readonly timeZone: string
}

async function serveClaim(parts: Parts, claim: Claim): Promise<void> {
  const due = await parts.db.inTenant(claim, (tx) => loadDue(tx, claim, parts.now()))
  if (due === undefined) return
  const { untoldReportId } = due.schedule
  if (untoldReportId === undefined) await makeOne(parts, claim, due)
  else await tell(parts, claim, { due, reportId: untoldReportId })
}

async function loadDue(tx: Tx, claim: Claim, now: number): Promise<Due | undefined> {
  const schedule = await lockSchedule(tx, claim)
  const wanting = await loadWanting(tx, claim, now)
  if (schedule === undefined || wanting === undefined) return undefined
  const caller = toCaller(wanting, Buffer.alloc(0), now)
  const member = caller?.kind === 'member' ? caller : undefined
  return { schedule, wanting, caller: member, timeZone: await loadTimeZone(tx, claim.accountId) }
}

/** Of these another try may be better. */
const passing: ReadonlySet<ErrorName> = new Set(['timedOut', 'overloaded'])

async function makeOne(parts: Parts, claim: Claim, due: Due): Promise<void> {
  const { db, now } = parts
  const { schedule, caller, timeZone } = due
  const next = { nextMs: nextTime(schedule, timeZone, now()) }
  // Blocked or suspended: perhaps not for ever.
  if (caller === undefined) {
    await db.inTenant(claim, (tx) => changeClaimed(tx, claim, next))
    return
  }
  if (denial(addReport, caller) !== undefined) return end(parts, claim, { schedule, caller })
  const { type, format, every } = schedule
  const given = { type, format, ...spanOf(every, timeZone, schedule.nextMs) }
  const also = async (tx: Tx, kept: Report): Promise<Result<Report, ApiError>> => {
    const { reportId } = kept
    await nameSchedule(tx, { accountId: claim.accountId, reportId, reportScheduleId: claim.reportScheduleId })
    // With the report, so that neither is without the other.
    if (await changeClaimed(tx, claim, { ...next, untoldReportId: reportId })) return ok(kept)
    throw new Superseded('somebody else has the schedule by now')
  }
  const made = await makeAccountReport(parts, { caller, given, address: '', also }).catch(superseded)
  if (made.ok) return tell(parts, claim, { due, reportId: made.value.reportId })
  const { error, detail } = made.failure
  parts.log.warn({ reportScheduleId: claim.reportScheduleId, error, detail }, 'a report that is due was not made')
  if (!passing.has(error)) await db.inTenant(claim, (tx) => changeClaimed(tx, claim, next))
}

class Superseded extends Error {}

function superseded(error: unknown): Result<Report, ApiError> {
  if (error instanceof Superseded) return fail({ error: 'overloaded', detail: error.message })
  throw error
}

/** Whoever wants it may not have it any more. */
async function end(
  { db, ids }: Parts,
  claim: Claim,
  { schedule, caller }: { readonly schedule: StoredSchedule; readonly caller: MemberCaller },
): Promise<void> {
  await db.inTenant(claim, async (tx) => {
    await removeSchedule(tx, claim)
    const { type, format, every, at } = schedule
    const target = { kind: 'reportSchedule', id: claim.reportScheduleId }
    const entry = { action: 'deleteReportSchedule', target, before: { type, format, every, at } }
    await appendAudit(tx, { ids, caller, address: '', entry })
  })
}

/** The mail has the number of the report, so that there is one, however often this is tried. */
async function tell(
  parts: Parts,
  claim: Claim,
  { due, reportId }: { readonly due: Due; readonly reportId: number },
): Promise<void> {
  const { db, auth, now } = parts
  const { accountId, userId } = claim
  const { email, language, reseller_id: resellerId } = due.wanting
  const of = { of: { accountId }, accountIds: undefined }
  const report = await db.inTenant(claim, (tx) => findReport(tx, of, { reportId, now: now() }))
  if (report !== undefined && due.caller !== undefined) {
    const { type, from, till } = report
    const { host } = due.schedule
    await auth.tellOfReport({ userId, accountId, resellerId, email, language, host, reportId, type, from, till })
  }
  await db.inTenant(claim, (tx) => changeClaimed(tx, claim, {}))
}
