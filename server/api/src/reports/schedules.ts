import type { ApiError } from '@sightline/contract/errors'
import {
  deleteReportSchedule,
  getReportSchedules,
  MAX_REPORT_SCHEDULES,
  type Report,
  type ReportInput,
  type ReportSchedule,
} from '@sightline/contract/reports'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { loadTimeZone, lockAccount } from '../accounts/index.ts'
import { nextTime } from './recurrence.ts'
import { insertSchedule, listSchedules, lockSchedule, removeSchedule, type StoredSchedule } from './schedules-store.ts'
import { nameSchedule } from './store.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
}

const shown = ({ host: _, untoldReportId: _untold, nextMs: _next, ...schedule }: StoredSchedule): ReportSchedule =>
  schedule

export const schedules = ({ db }: Deps) => [
  serve(getReportSchedules, async (caller) =>
    ok(await db.inTenant(caller, async (tx) => (await listSchedules(tx, caller.accountId)).map(shown))),
  ),

  serveChange(deleteReportSchedule, async (change, { params }) => {
    const { caller } = change
    return change.tx(caller, async (tx) => {
      const of = { accountId: caller.accountId, ...params }
      const found = await lockSchedule(tx, of)
      if (found === undefined) return fail<ApiError>({ error: 'notFound' })
      await removeSchedule(tx, of)
      const { type, format, every, at } = found
      const target = { kind: 'reportSchedule', id: params.reportScheduleId }
      const entry = { action: 'deleteReportSchedule', target, before: { type, format, every, at } }
      await change.audit(entry)
      return ok(undefined)
    })
  }),
]

export interface ScheduleRequest {
  readonly change: Pick<Change<MemberCaller>, 'caller' | 'audit'>
  readonly given: ReportInput
  readonly host: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Creates a schedule for the new report, in the same transaction. */
export async function addSchedule(
  tx: Tx,
  kept: Report,
  ids: IdSource,
  of: ScheduleRequest,
): Promise<Result<Report, ApiError>> {
  const { change, given, host, now } = of
  const { accountId, userId } = change.caller
  if (given.schedule === undefined) return ok(kept)
  // Two concurrent calls would both find a free place.
  await lockAccount(tx, accountId)
  if ((await listSchedules(tx, accountId)).length >= MAX_REPORT_SCHEDULES) {
    return fail({
      error: 'businessRule',
      detail: `an account can have at most ${MAX_REPORT_SCHEDULES} report schedules: delete one first`,
    })
  }
  const { type, format, schedule } = given
  const reportScheduleId = await ids.next()
  const nextMs = nextTime(schedule, await loadTimeZone(tx, accountId), now)
  const added = { accountId, userId, reportScheduleId, type, format, ...schedule, host, now, nextMs }
  await insertSchedule(tx, added)
  await nameSchedule(tx, { accountId, reportId: kept.reportId, reportScheduleId })
  const target = { kind: 'reportSchedule', id: reportScheduleId }
  const entry = { action: 'addReportSchedule', target, after: { type, format, ...schedule } }
  await change.audit(entry)
  return ok({ ...kept, reportScheduleId })
}
