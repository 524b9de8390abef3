import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../db/index.ts'
import { readBatches } from './cursor.ts'
import type { Findings } from './findings.ts'

/** A line that is in no chain. */
interface UnsignedEntry {
  readonly account_id: string
  readonly audit_log_id: string
  /** Whether a signer will process it. */
  readonly waits: boolean
  readonly is_late: boolean
}

export interface UnsignedCounts {
  readonly waiting: number
  /** Entries pending for more than a minute; the first of them. */
  readonly late: readonly UnsignedEntry[]
}

const MAX_LATE = 1000

const ofAccount = (table: string, accountId: number | undefined) =>
  accountId === undefined ? sql`` : sql`and ${sql.ref(`${table}.account_id`)} = ${sql.lit(accountId)}::bigint`

const selectUnsigned = (accountId: number | undefined): RawBuilder<UnsignedEntry> => sql<UnsignedEntry>`
  select l.account_id::text as account_id, l.audit_log_id::text as audit_log_id, u.position is not null as waits,
         l.at < now() - interval '1 minute' as is_late
    from audit_log l
    left join audit_unsealed u on u.account_id = l.account_id and u.audit_log_id = l.audit_log_id
   where not exists (select from audit_chain c where c.account_id = l.account_id and c.audit_log_id = l.audit_log_id)
     ${ofAccount('l', accountId)}`

const removed = (accountId: number | undefined): RawBuilder<UnsignedEntry> => sql<UnsignedEntry>`
  select u.account_id::text as account_id, u.audit_log_id::text as audit_log_id, false as waits, false as is_late
    from audit_unsealed u
   where not exists (select from audit_log l where l.account_id = u.account_id and l.audit_log_id = u.audit_log_id)
     ${ofAccount('u', accountId)}`

/** Finds entries outside the chains, and entries that were removed before they were signed. */
export async function verifyUnsigned(
  tx: Tx,
  accountId: number | undefined,
  findings: Findings,
): Promise<UnsignedCounts> {
  const place = ({ account_id, audit_log_id }: UnsignedEntry) => ({ accountId: account_id, auditLogId: audit_log_id })
  let waiting = 0
  const late: UnsignedEntry[] = []
  for await (const rows of readBatches(tx, 'audit_beside', selectUnsigned(accountId))) {
    for (const row of rows) {
      if (row.waits) waiting += 1
      else
        findings.add({
          ...place(row),
          what: 'the entry was inserted: it is neither in a chain nor waiting for one',
        })
      if (row.waits && row.is_late && late.length < MAX_LATE) late.push(row)
    }
  }
  for await (const rows of readBatches(tx, 'audit_removed', removed(accountId))) {
    for (const row of rows)
      findings.add({ ...place(row), what: 'the entry was removed before it was added to the chain' })
  }
  return { waiting, late }
}

const POLL_MS = 250
const PATIENCE_MS = 5000

/**
 * Entries that are still unsigned after some seconds while a signer runs. A long transaction can have old entries that
 * a signer couldn't see before.
 */
export async function reportLate(db: Db, late: readonly UnsignedEntry[], findings: Findings): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  for (let left = late; left.length > 0; await sleep(POLL_MS)) {
    left = await stillWaiting(db, left)
    if (Date.now() < until) continue
    for (const { account_id: accountId, audit_log_id: auditLogId } of left) {
      findings.add({ accountId, auditLogId, what: 'the entry is more than a minute old and not in the chain' })
    }
    return
  }
}

async function stillWaiting(db: Db, lines: readonly UnsignedEntry[]): Promise<readonly UnsignedEntry[]> {
  const { rows } = await sql<{ account_id: string; audit_log_id: string }>`
    select u.account_id::text as account_id, u.audit_log_id::text as audit_log_id from audit_unsealed u
     where u.account_id = any(${lines.map((line) => line.account_id)}::bigint[])
       and u.audit_log_id = any(${lines.map((line) => line.audit_log_id)}::bigint[])`.execute(db.plain)
  const waiting = new Set(rows.map((row) => `${row.account_id} ${row.audit_log_id}`))
  return lines.filter((line) => waiting.has(`${line.account_id} ${line.audit_log_id}`))
}
