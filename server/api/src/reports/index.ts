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
  type ReportGiven,
} from '@sightline/contract/reports'
import { toDateTime } from '@sightline/contract/wire'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { inTime, type RawReply, serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { Caller, MemberCaller, StaffCaller } from '@sightline/platform/sessions'
import { loadTimeZone } from '../accounts/index.ts'
import { listCameras } from '../cameras/index.ts'
import { inReseller, moduleRefusal } from '../resellers/index.ts'
import { daysIn } from '../storage-usage/index.ts'
import { today } from '../subscriptions/index.ts'
import { fileFormats, type Table, type WrittenFormat } from './file.ts'
import { accountReportFault, resellerReportFault, rowsFault, spanFault } from './refusals.ts'
import { findReport, insertReport, listReports, loadContent, type Organisation, type Readable } from './store.ts'
import { billing, cameraUptime, storageByDay, userActivity } from './tables-store.ts'

interface Parts {
  readonly db: Db
  readonly ids: IdSource
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const noSuchReport: ApiError = { error: 'notFound' }

export const reports = (parts: Parts) => [...ofAccounts(parts), ...ofResellers(parts)]

const ofAccounts = ({ db, ids, now }: Parts) => [
  serve(getReports, async (caller) => ok(await db.inTenant(caller, (tx) => listReports(tx, ofCaller(caller), now())))),

  serve(addReport, async (caller, { body, address }) => {
    const fault = accountReportFault(body)
    if (fault !== undefined) return fail(fault)
    return inTime(() =>
      db.inTenant(caller, async (tx) => {
        const { accountId } = caller
        const timeZone = await loadTimeZone(tx, accountId)
        const table = await accountTable(tx, { caller, given: body, timeZone, now: now() })
        if (!table.ok) return table
        return keep(tx, {
          ids,
          caller,
          address,
          of: { accountId },
          given: body,
          timeZone,
          table: table.value,
          now: now(),
        })
      }),
    )
  }),

  serve(getReport, async (caller, { params }) =>
    db.inTenant(caller, (tx) => one(tx, ofCaller(caller), { ...params, now: now() })),
  ),

  serve(getReportFile, async (caller, { params }) =>
    db.inTenant(caller, (tx) => file(tx, ofCaller(caller), { ...params, now: now() })),
  ),
]

const ofCaller = ({ accountId }: MemberCaller): Readable => ({ of: { accountId }, accountIds: undefined })

async function accountTable(
  tx: Tx,
  of: { readonly caller: MemberCaller; readonly given: ReportGiven; readonly timeZone: string; readonly now: number },
): Promise<Result<Table, ApiError>> {
  const { caller, given, timeZone, now } = of
  const fault = spanFault(given, today(timeZone, now))
  if (fault !== undefined) return fail(fault)
  const { accountId } = caller
  const days = daysIn(timeZone, given.from, given.till)
  if (given.type === 'userActivity') return ok(await userActivity(tx, { accountId, days }))
  const cameras = await listCameras(tx, caller, {})
  const tooMany = rowsFault(cameras.length * days.names.length)
  if (tooMany !== undefined) return fail(tooMany)
  const account = { accountId, cameras, days, now }
  return ok(await (given.type === 'cameraUptime' ? cameraUptime(tx, account) : storageByDay(tx, account)))
}

const ofResellers = ({ db, ids, now }: Parts) => {
  /** A report that is not there is unknown also where the brand has not got the module. */
  const reading = <T>(
    caller: StaffCaller,
    resellerId: number | 'self',
    read: (tx: Tx, whose: Readable) => Promise<Result<T, ApiError>>,
  ) =>
    inReseller({ db, caller, resellerId }, async (tx, reseller) => {
      const found = await read(tx, { of: { resellerId: reseller.resellerId }, accountIds: caller.accountIds })
      const refusal = moduleRefusal(reseller, 'reports')
      return found.ok && refusal !== undefined ? fail(refusal) : found
    })
  return [
    serve(getResellerReports, (caller, { params }) =>
      reading(caller, params.resellerId, async (tx, whose) => ok(await listReports(tx, whose, now()))),
    ),

    serve(addResellerReport, (caller, { params, body, address }) =>
      inTime(() =>
        inReseller({ db, caller, resellerId: params.resellerId }, async (tx, reseller) => {
          const { resellerId, timeZone } = reseller
          const fault =
            moduleRefusal(reseller, 'reports') ?? resellerReportFault(body) ?? spanFault(body, today(timeZone, now()))
          if (fault !== undefined) return fail(fault)
          const days = daysIn(timeZone, body.from, body.till)
          const table = await billing(tx, { resellerId, accountIds: caller.accountIds, days, now: now() })
          if (!table.ok) return table
          const of = { resellerId }
          return keep(tx, { ids, caller, address, of, given: body, timeZone, table: table.value, now: now() })
        }),
      ),
    ),

    serve(getResellerReport, (caller, { params: { resellerId, reportId } }) =>
      reading(caller, resellerId, (tx, whose) => one(tx, whose, { reportId, now: now() })),
    ),

    serve(getResellerReportFile, (caller, { params: { resellerId, reportId } }) =>
      reading(caller, resellerId, (tx, whose) => file(tx, whose, { reportId, now: now() })),
    ),
  ]
}

interface Made {
  readonly ids: IdSource
  readonly caller: Caller
  readonly address: string
  readonly of: Organisation
  readonly given: ReportGiven
  readonly timeZone: string
  readonly table: Table
  readonly now: number
}

/** Writes the file, keeps it and answers what is known of it. */
async function keep(tx: Tx, made: Made): Promise<Result<Report, ApiError>> {
  const { ids, caller, address, of, given, timeZone, table, now } = made
  const { type, from, till } = given
  const rows = table.rows.length
  const fault = rowsFault(rows)
  if (fault !== undefined) return fail(fault)
  const reportId = await ids.next()
  const format = given.format as WrittenFormat
  const content = Buffer.from(fileFormats[format].write(table, { type, from, till, timeZone, madeAt: toDateTime(now) }))
  const accountIds = caller.kind === 'staff' ? caller.accountIds : undefined
  await insertReport(tx, of, { reportId, type, format, from, till, timeZone, rows, content, accountIds }, now)
  const action = 'accountId' in of ? 'addReport' : 'addResellerReport'
  const accountId = 'accountId' in of ? of.accountId : of.resellerId
  const after = { type, from, till, format, rows }
  const entry = { action, accountId, target: { kind: 'report', id: reportId }, after }
  await appendAudit(tx, { ids, caller, address, entry })
  const kept = await findReport(tx, { of, accountIds }, { reportId, now })
  if (kept === undefined) throw new Error(`report ${reportId} is gone as soon as it was made`)
  return ok(kept)
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
  const { contentType } = fileFormats[format as WrittenFormat]
  const headers = { 'content-disposition': `attachment; filename="${type}-${from}-${till}.${format}"` }
  return ok({ contentType, bytes: await loadContent(tx, whose.of, reportId), headers })
}
