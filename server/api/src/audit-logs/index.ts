import {
  type AuditLog,
  getAccountAuditLogs,
  getAuditActions,
  getAuditExport,
  getAuditLogs,
  getResellerAuditLogs,
  MAX_EXPORTED,
} from '@sightline/contract/audit-logs'
import type { ApiError } from '@sightline/contract/errors'
import { knownActions } from '@sightline/contract/routes/audit-actions'
import { toDateTime } from '@sightline/contract/wire'
import type { Db, IdSource, KeysetEdge, Tx } from '@sightline/platform/db'
import {
  type RawReply,
  type StorePage,
  type StoreQuestion,
  serve,
  serveChange,
  toStorePage,
  withStatementTimeout,
} from '@sightline/platform/http'
import { createSemaphore, type LimitedCall, limitedCall } from '@sightline/platform/limits'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { inAccount, inReseller } from '../resellers/index.ts'
import { type AuditFilter, type LogQuery, selectEntries, type VisibleTargets, visibleTargets } from './entries-store.ts'
import { type FileFormat, fileFormats } from './file.ts'
import { inSight } from './in-sight.ts'
import {
  type AuditEntryRow,
  countEntries,
  type EntryReferences,
  loadEntriesPage,
  loadEntryReferences,
  type NameVisibility,
  toEntry,
  toMetadata,
} from './store.ts'

export { toInstant, type VisibleTargets, visibleTargets } from './entries-store.ts'
export { csvRow } from './file.ts'
export { inSight } from './in-sight.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Writing a file with 100,000 entries takes some 50 MB of memory. */
const EXPORTS = { perKey: { concurrency: 1 }, overall: { concurrency: 4 } }

export const auditLogs = (deps: Deps) =>
  slice(deps, limitedCall(createSemaphore(EXPORTS), { doing: 'exporting the audit log', retryAfterS: 5 }))

const slice = ({ db, now }: Deps, exporting: LimitedCall) => [
  serve(getAuditLogs, async (caller, { query, page }) =>
    withStatementTimeout(() =>
      db.inTenant(caller, async (tx) => {
        const visible = await visibleTargets(tx, caller)
        return onePage(tx, ownLines(tx, { caller, visible, filter: query }), {
          page,
          of: { accountId: caller.accountId, names: 'all' },
          item: itemFor(visible),
        })
      }),
    ),
  ),

  serve(getAuditActions, async () => ok(knownActions)),

  serveChange(getAuditExport, async (change, { query }) =>
    withStatementTimeout(() =>
      exporting(change.caller.accountId, () =>
        change.tx(change.caller, async (tx): Promise<Result<RawReply, ApiError>> => {
          const { caller } = change
          const { format = 'csv', ...filter } = query
          const madeAt = toDateTime(now())
          const { contentType } = fileFormats[format]
          const visible = await visibleTargets(tx, caller)
          const of = { accountId: caller.accountId, format: fileFormats[format], madeAt, item: itemFor(visible) }
          const { bytes, lines, isCut } = await fileOf(tx, ownLines(tx, { caller, visible, filter }), of)
          const entry = { action: 'auditExport', after: { ...filter, format, lines } }
          await change.audit(entry)
          const headers = {
            'content-disposition': `attachment; filename="audit-log-${madeAt.slice(0, 10)}.${format}"`,
            ...(isCut ? { 'x-truncated': 'true' } : {}),
          }
          return ok({ contentType, bytes, headers })
        }),
      ),
    ),
  ),

  serve(getResellerAuditLogs, async (caller, { params, query, page }) =>
    withStatementTimeout(() =>
      inReseller({ db, caller, resellerId: params.resellerId }, (tx, { resellerId }) =>
        staffPage(tx, { accountId: resellerId, accountIds: caller.accountIds, filter: query, page }),
      ),
    ),
  ),

  serve(getAccountAuditLogs, async (caller, { params, query, page }) =>
    withStatementTimeout(() =>
      inAccount({ db, caller, ...params }, (tx) => staffPage(tx, { accountId: params.accountId, filter: query, page })),
    ),
  ),
]

const ownLines = (
  tx: Tx,
  { caller, ...of }: { caller: MemberCaller; visible: VisibleTargets | undefined; filter: AuditFilter },
): LogQuery => selectEntries(tx, { accountId: caller.accountId, ...of, searchesCameras: true })

type ToLine = (row: AuditEntryRow, surroundings: EntryReferences) => AuditLog

const itemFor =
  (visible: VisibleTargets | undefined): ToLine =>
  (row, surroundings) => {
    const line = toEntry(row, surroundings)
    return { ...line, before: inSight(line.before, visible), after: inSight(line.after, visible) }
  }

/** Staff can read who did what and when, but not the names of an account's objects. */
const staffPage = (
  tx: Tx,
  given: { accountId: number; accountIds?: ReadonlySet<number> | undefined; filter: AuditFilter; page: StoreQuestion },
): Promise<Result<StorePage<unknown>, ApiError>> =>
  onePage(tx, selectEntries(tx, { ...given, visible: undefined, searchesCameras: false }), {
    page: given.page,
    of: { accountId: given.accountId, names: 'people' },
    item: toMetadata,
  })

async function onePage(
  tx: Tx,
  lines: LogQuery,
  given: {
    readonly page: StoreQuestion
    readonly of: { readonly accountId: number; readonly names: NameVisibility }
    readonly item: (row: AuditEntryRow, surroundings: EntryReferences) => unknown
  },
): Promise<Result<StorePage<unknown>, ApiError>> {
  const { page, of, item } = given
  if (page.edge !== undefined && !isTime(page.edge)) {
    return fail({ error: 'validation', detail: 'query: pageToken: must come from a Link header of this list' })
  }
  const found = await loadEntriesPage(tx, lines, page)
  const surroundings = await loadEntryReferences(tx, found.rows, of)
  const total = page.wantsCount ? await countEntries(tx, lines) : undefined
  return ok(toStorePage(found, page, { item: (row) => item(row, surroundings), total }))
}

const isTime = ({ value }: KeysetEdge): boolean => Number.isSafeInteger(value)

const BATCH = 5000

/** The newest entries, up to the maximum of a file; written in batches, so that only their text stays in memory. */
async function fileOf(
  tx: Tx,
  query: LogQuery,
  { accountId, format, madeAt, item }: { accountId: number; format: FileFormat; madeAt: string; item: ToLine },
): Promise<{ readonly bytes: Buffer; readonly lines: number; readonly isCut: boolean }> {
  const parts = [Buffer.from(format.begin(madeAt))]
  for (let lines = 0, edge: KeysetEdge | undefined; ; ) {
    const limit = Math.min(BATCH, MAX_EXPORTED - lines)
    const { rows, hasMore } = await loadEntriesPage(tx, query, { descending: true, limit, edge })
    const surroundings = await loadEntryReferences(tx, rows, { accountId, names: 'all' })
    const portion = rows.map((row) => item(row, surroundings))
    parts.push(Buffer.from(format.portion(portion, lines === 0)))
    lines += rows.length
    const last = rows.at(-1)
    if (!hasMore || last === undefined || lines >= MAX_EXPORTED) {
      parts.push(Buffer.from(format.end(hasMore)))
      return { bytes: Buffer.concat(parts), lines, isCut: hasMore }
    }
    edge = { go: 'next', value: last.keyset_value, key: last.keyset_key }
  }
}
