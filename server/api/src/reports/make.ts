import type { ApiError } from '@sightline/contract/errors'
import type { Report, ReportInput } from '@sightline/contract/reports'
import type { BrandTheme } from '@sightline/contract/theme'
import { appendAudit } from '@sightline/platform/audit'
import { parseTheme } from '@sightline/platform/brands'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type Change, withStatementTimeout } from '@sightline/platform/http'
import type { LimitedCall } from '@sightline/platform/limits'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { Caller, MemberCaller, StaffCaller } from '@sightline/platform/sessions'
import { loadTimeZone } from '../accounts/index.ts'
import { listCameras } from '../cameras/index.ts'
import { getModuleDenyReason, inReseller } from '../resellers/index.ts'
import { listDays } from '../storage-usage/index.ts'
import { today } from '../subscriptions/index.ts'
import { type Table, writeFile } from './file.ts'
import { accountReportFault, resellerReportFault, rowsFault, spanFault } from './report-limits.ts'
import { findReport, insertReport, loadAccountReader, loadTheme, type ReportOwner } from './store.ts'
import { billing, cameraUptime, limitReportTime, storageByDay, userActivity } from './tables-store.ts'

export interface MakeDeps {
  readonly db: Db
  readonly ids: IdSource
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly printing: LimitedCall
}

/** A request for a report: by whom, and additional work in the transaction that stores it. */
export interface ReportRequest<Who extends Caller> {
  readonly caller: Who
  readonly given: Omit<ReportInput, 'schedule'> & Pick<ReportInput, 'schedule'>
  readonly address: string
  /** The call; undefined for a scheduled run. */
  readonly change?: Pick<Change<Who>, 'tx' | 'audit'>
  readonly also?: (tx: Tx, kept: Report) => Promise<Result<Report, ApiError>>
}

/** The data of a report, before it is written as a file. */
interface Found {
  readonly of: ReportOwner
  readonly table: Table
  readonly timeZone: string
  readonly organisation: string
  readonly theme: BrandTheme
}

/** Creates and stores a report of the caller's account. */
export async function makeAccountReport(
  deps: MakeDeps,
  asked: ReportRequest<MemberCaller>,
): Promise<Result<Report, ApiError>> {
  const { db, now } = deps
  const { caller, given } = asked
  const fault = accountReportFault(given)
  if (fault !== undefined) return fail(fault)
  const { accountId } = caller
  const found = await withStatementTimeout(() =>
    db.inTenant(caller, async (tx): Promise<Result<Found, ApiError>> => {
      const timeZone = await loadTimeZone(tx, accountId)
      const table = await accountTable(tx, { caller, given, timeZone, now: now() })
      if (!table.ok) return table
      const { name, theme } = await loadAccountReader(tx, accountId)
      return ok({ of: { accountId }, table: table.value, timeZone, organisation: name, theme: parseTheme({ theme }) })
    }),
  )
  if (!found.ok) return found
  const { change } = asked
  return written(deps, asked, found.value, (work) =>
    change === undefined ? db.inTenant(caller, work) : change.tx(caller, work),
  )
}

/** The same for a reseller, for its staff and staff above it. */
export async function makeResellerReport(
  deps: MakeDeps,
  resellerId: number | 'self',
  asked: ReportRequest<StaffCaller>,
): Promise<Result<Report, ApiError>> {
  const { db, now } = deps
  const { caller, given } = asked
  const found = await withStatementTimeout(() =>
    inReseller({ db, caller, resellerId }, async (tx, reseller): Promise<Result<Found, ApiError>> => {
      const { timeZone, name } = reseller
      const fault =
        getModuleDenyReason(reseller, 'reports') ??
        resellerReportFault(given) ??
        spanFault(given, today(timeZone, now()))
      if (fault !== undefined) return fail(fault)
      const of = { resellerId: reseller.resellerId }
      const days = listDays(timeZone, given.from, given.till)
      const table = await billing(tx, { ...of, accountIds: caller.accountIds, days, now: now() })
      if (!table.ok) return table
      const theme = parseTheme({ theme: await loadTheme(tx, reseller.resellerId) })
      return ok({ of, table: table.value, timeZone, organisation: name, theme })
    }),
  )
  if (!found.ok) return found
  const named = { db, change: asked.change, caller, resellerId }
  return written(deps, asked, found.value, (work) => inReseller(named, (tx) => work(tx)))
}

async function accountTable(
  tx: Tx,
  of: {
    readonly caller: MemberCaller
    readonly given: ReportRequest<MemberCaller>['given']
    readonly timeZone: string
    readonly now: number
  },
): Promise<Result<Table, ApiError>> {
  const { caller, given, timeZone, now } = of
  const fault = spanFault(given, today(timeZone, now))
  if (fault !== undefined) return fail(fault)
  const { accountId } = caller
  const days = listDays(timeZone, given.from, given.till)
  if (given.type === 'userActivity') return ok(await userActivity(tx, { accountId, days }))
  await limitReportTime(tx)
  const cameras = await listCameras(tx, caller, {})
  const tooMany = rowsFault(cameras.length * days.names.length)
  if (tooMany !== undefined) return fail(tooMany)
  const account = { accountId, cameras, days, now }
  return ok(await (given.type === 'cameraUptime' ? cameraUptime(tx, account) : storageByDay(tx, account)))
}

type InScope = (work: (tx: Tx) => Promise<Result<Report, ApiError>>) => Promise<Result<Report, ApiError>>

/** Writes the file outside any transaction, and stores it. */
async function written(
  deps: MakeDeps,
  asked: ReportRequest<Caller>,
  found: Found,
  inScope: InScope,
): Promise<Result<Report, ApiError>> {
  const { caller, given } = asked
  const { table, timeZone, organisation, theme } = found
  const fault = rowsFault(table.rows.length, given.format)
  if (fault !== undefined) return fail(fault)
  const madeAt = deps.now()
  const reader = { organisation, theme, language: caller.language }
  const write = async () => ok(await writeFile(given.format, table, { ...given, timeZone, madeAt, reader }))
  const content = given.format === 'pdf' ? await deps.printing(caller.accountId, write) : await write()
  if (!content.ok) return content
  return inScope((tx) => keep(tx, { ...asked, ids: deps.ids, found, content: content.value, madeAt }))
}

interface Made extends ReportRequest<Caller> {
  readonly ids: IdSource
  readonly found: Found
  readonly content: Buffer
  readonly madeAt: number
}

/** Stores the file and returns its description. */
async function keep(tx: Tx, made: Made): Promise<Result<Report, ApiError>> {
  const { ids, caller, address, change, given, found, content, madeAt, also } = made
  const { of, timeZone, table } = found
  const { type, from, till, format } = given
  const rows = table.rows.length
  const reportId = await ids.next()
  const accountIds = caller.kind === 'staff' ? caller.accountIds : undefined
  await insertReport(tx, of, { reportId, type, format, from, till, timeZone, rows, content, accountIds }, madeAt)
  const action = 'accountId' in of ? 'addReport' : 'addResellerReport'
  const accountId = 'accountId' in of ? of.accountId : of.resellerId
  const after = { type, from, till, format, rows }
  const entry = { action, accountId, target: { kind: 'report', id: reportId }, after }
  if (change === undefined) await appendAudit(tx, { ids, caller, address, entry })
  else await change.audit(entry)
  const kept = await findReport(tx, { of, accountIds }, { reportId, now: madeAt })
  if (kept === undefined) throw new Error(`report ${reportId} not found after it was created`)
  return also === undefined ? ok(kept) : also(tx, kept)
}
