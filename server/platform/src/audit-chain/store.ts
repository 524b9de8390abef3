import { sql } from 'kysely'
import { type EpochMs, MS_PER_DAY } from '../clock/index.ts'
import { instant, type Tx } from '../db/index.ts'
import type { FootageHead } from './checkpoint.ts'
import { type EntryTexts, LINE_COLUMNS } from './entry.ts'

/** Any number that is otherwise unused in this database. */
const LOCK = 0x5e_a1_10_95

/**
 * Locks out every other signer until this transaction ends; false if another one is at work. Locks of a transaction
 * also work behind a pooler that shares connections.
 */
export async function lockChains(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(tx)
  return rows[0]?.locked === true
}

/** A pending entry; both fields are null if it was removed before it was signed. */
export interface WaitingEntry extends EntryTexts {
  readonly position: number
  readonly is_there: boolean
  readonly is_sealed: boolean
}

/** The next lines that wait, in the order in which they were written. */
export async function loadWaitingEntries(tx: Tx, after: number, most: number): Promise<readonly WaitingEntry[]> {
  const { rows } = await sql<WaitingEntry>`
    select u.position, l.account_id is not null as is_there, c.sequence is not null as is_sealed, ${LINE_COLUMNS}
      from (select * from audit_unsealed where position > ${after} order by position limit ${most}) u
      left join audit_log l using (account_id, audit_log_id)
      left join audit_chain c using (account_id, audit_log_id)
     order by u.position`.execute(tx)
  return rows
}

export interface ChainEnd {
  readonly account_id: string
  readonly sequence: number
  readonly hash: Buffer
}

/** The ends of these chains; a new chain has none. */
export async function chainEnds(tx: Tx, accountIds: readonly string[]): Promise<readonly ChainEnd[]> {
  const { rows } = await sql<ChainEnd>`
    select a.account_id::text as account_id, e.sequence, e.hash
      from unnest(${[...accountIds]}::bigint[]) as a(account_id)
     cross join lateral (
       select sequence, hash from audit_chain c where c.account_id = a.account_id order by sequence desc limit 1) e`.execute(
    tx,
  )
  return rows
}

export interface Link {
  readonly accountId: string
  readonly sequence: number
  readonly auditLogId: string
  readonly commitments: Buffer
  readonly lineSha256: Buffer
  readonly hash: Buffer
}

/** Appends to the chains and removes the entries from the queue. */
export async function saveLinks(
  tx: Tx,
  given: { readonly links: readonly Link[]; readonly checkpoint: number; readonly positions: readonly number[] },
): Promise<void> {
  const { links, checkpoint, positions } = given
  if (links.length > 0) {
    await sql`
      insert into audit_chain (account_id, sequence, audit_log_id, checkpoint, commitments, line_sha256, hash)
      select account_id, sequence, audit_log_id, ${checkpoint}::bigint, commitments, line_sha256, hash
        from unnest(
          ${links.map((link) => link.accountId)}::bigint[],
          ${links.map((link) => link.sequence)}::bigint[],
          ${links.map((link) => link.auditLogId)}::bigint[],
          ${links.map((link) => link.commitments)}::bytea[],
          ${links.map((link) => link.lineSha256)}::bytea[],
          ${links.map((link) => link.hash)}::bytea[]
        ) as link(account_id, sequence, audit_log_id, commitments, line_sha256, hash)`.execute(tx)
  }
  await sql`delete from audit_unsealed where position = any(${[...positions]}::bigint[])`.execute(tx)
}

/** Each list has a signed head of its own every minute; a checkpoint has it in a second place, under another key. */
const FOOTAGE_EVERY_MS = MS_PER_DAY
/** A checkpoint names each list that grew; this keeps it below about a megabyte. */
const MAX_FOOTAGE_HEADS = 10_000

/**
 * The ends of lists of footage that grew since a checkpoint had them, each once a day; from now on, the new checkpoint has them.
 * Only those of this machine's disk: beside it lies the file that `footage -- verify` compares them with.
 */
export async function takeFootageHeads(tx: Tx, now: EpochMs): Promise<readonly FootageHead[]> {
  const { rows } = await sql<{ account_id: number; camera_id: number; stream: 'main' | 'sub'; hash: string }>`
    update footage_heads h set checkpoint_hash = h.hash, checkpoint_at = ${instant(now)}
      from (select account_id, camera_id, stream from footage_heads
             where store = 'disk' and hash is distinct from checkpoint_hash
               and (checkpoint_at is null or checkpoint_at <= ${instant(now - FOOTAGE_EVERY_MS)})
             order by checkpoint_at nulls first limit ${MAX_FOOTAGE_HEADS} for update) as due
     where (h.account_id, h.camera_id, h.stream, h.store) = (due.account_id, due.camera_id, due.stream, 'disk')
    returning h.account_id, h.camera_id, h.stream, h.hash`.execute(tx)
  return rows.map((row) => [row.account_id, row.camera_id, row.stream, row.hash])
}

export interface StoredCheckpoint {
  readonly number: number
  readonly line: string
}

export const newestCheckpoint = (tx: Tx): Promise<StoredCheckpoint | undefined> =>
  tx.selectFrom('audit_checkpoints').select(['number', 'line']).orderBy('number', 'desc').limit(1).executeTakeFirst()

/** The ends of the chains that grew since that checkpoint, by account. */
export async function loadChainEnds(tx: Tx, checkpoint: number): Promise<readonly ChainEnd[]> {
  const { rows } = await sql<ChainEnd>`
    select distinct on (account_id) account_id::text as account_id, sequence, hash
      from audit_chain where checkpoint > ${checkpoint} order by account_id, sequence desc`.execute(tx)
  return rows
}
