import type { ApiError } from '@sightline/contract/errors'
import {
  addReport,
  addResellerReport,
  getReport,
  getReportFile,
  getReports,
  getResellerReport,
  getResellerReportFile,
  getResellerReports,
  type Report,
} from '@sightline/contract/reports'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type RawReply, serve, serveChange } from '@sightline/platform/http'
import { createSemaphore, limitedCall } from '@sightline/platform/limits'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller, StaffCaller } from '@sightline/platform/sessions'
import { getModuleDenyReason, inReseller } from '../resellers/index.ts'
import { getContentType } from './file.ts'
import { type MakeDeps, makeAccountReport, makeResellerReport } from './make.ts'
import { addSchedule, schedules } from './schedules.ts'
import { findReport, listReports, loadContent, type Readable } from './store.ts'

export { reportTasks } from './run-schedules.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** A thread lays out a PDF, which takes a core for a second or two. */
const PRINTING = { perKey: { concurrency: 1 }, overall: { concurrency: 2 } }

const noSuchReport: ApiError = { error: 'notFound' }

export function reports(deps: Deps) {
  const printing = limitedCall(createSemaphore(PRINTING), { doing: 'creating a report', retryAfterS: 5 })
  const making = { ...deps, printing }
  return [...ofAccounts(making), ...schedules(deps), ...ofResellers(making)]
}

const ofAccounts = (deps: MakeDeps) => {
  const { db, now } = deps
  return [
    serve(getReports, async (caller) =>
      ok(await db.inTenant(caller, (tx) => listReports(tx, ofCaller(caller), now()))),
    ),

    serveChange(addReport, (change, { body, address, host }) => {
      const { caller } = change
      return makeAccountReport(deps, {
        caller,
        given: body,
        address,
        change,
        also: (tx, kept) => addSchedule(tx, kept, deps.ids, { change, given: body, host, now: now() }),
      })
    }),

    serve(getReport, async (caller, { params }) =>
      db.inTenant(caller, (tx) => one(tx, ofCaller(caller), { ...params, now: now() })),
    ),

    serve(getReportFile, async (caller, { params }) =>
      db.inTenant(caller, (tx) => file(tx, ofCaller(caller), { ...params, now: now() })),
    ),
  ]
}

const ofCaller = ({ accountId }: MemberCaller): Readable => ({ of: { accountId }, accountIds: undefined })

const ofResellers = (deps: MakeDeps) => {
  const { db, now } = deps
  /** An unknown report is "not found" even if the brand doesn't have the module. */
  const reading = <T>(
    caller: StaffCaller,
    resellerId: number | 'self',
    read: (tx: Tx, whose: Readable) => Promise<Result<T, ApiError>>,
  ) =>
    inReseller({ db, caller, resellerId }, async (tx, reseller) => {
      const found = await read(tx, { of: { resellerId: reseller.resellerId }, accountIds: caller.accountIds })
      const refusal = getModuleDenyReason(reseller, 'reports')
      return found.ok && refusal !== undefined ? fail(refusal) : found
    })
  return [
    serve(getResellerReports, (caller, { params }) =>
      reading(caller, params.resellerId, async (tx, whose) => ok(await listReports(tx, whose, now()))),
    ),

    serveChange(addResellerReport, (change, { params, body, address }) => {
      const { caller } = change
      return makeResellerReport(deps, params.resellerId, { caller, given: body, address, change })
    }),

    serve(getResellerReport, (caller, { params: { resellerId, reportId } }) =>
      reading(caller, resellerId, (tx, whose) => one(tx, whose, { reportId, now: now() })),
    ),

    serve(getResellerReportFile, (caller, { params: { resellerId, reportId } }) =>
      reading(caller, resellerId, (tx, whose) => file(tx, whose, { reportId, now: now() })),
    ),
  ]
}

interface Named {
  readonly reportId: number
  readonly now: number
}

async function one(tx: Tx, whose: Readable, named: Named): Promise<Result<Report, ApiError>> {
  const found = await findReport(tx, whose, named)
  return found === undefined ? fail(noSuchReport) : ok(found)
}

async function file(tx: Tx, whose: Readable, named: Named): Promise<Result<RawReply, ApiError>> {
  const found = await findReport(tx, whose, named)
  if (found === undefined) return fail(noSuchReport)
  const { reportId, type, format, from, till } = found
  const contentType = getContentType(format)
  const headers = { 'content-disposition': `attachment; filename="${type}-${from}-${till}.${format}"` }
  return ok({ contentType, bytes: await loadContent(tx, whose.of, reportId), headers })
}
