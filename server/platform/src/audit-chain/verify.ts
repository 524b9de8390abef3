import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { EpochMs } from '../clock/index.ts'
import { type Db, instant, type Tx } from '../db/index.ts'
import { getFileSize } from './checkpoint-file.ts'
import { type Finding, type Findings, findings } from './findings.ts'
import { type ChainCounts, verifyChains } from './verify-chains.ts'
import { type CheckpointCounts, verifyCheckpoints } from './verify-checkpoints.ts'
import { reportLate, type UnsignedCounts, verifyUnsigned } from './verify-unsigned.ts'

export interface VerifySettings {
  /** Of the key that signed the checkpoints. */
  readonly publicKey: KeyObject
  /** The checkpoint file. */
  readonly file: string
  /** A copy of the file ends when it was made; the file itself must have all checkpoints. */
  readonly isCopy: boolean
  /** One organisation only. */
  readonly accountId: number | undefined
  /** Checks only entries signed after the last checkpoint before that time. */
  readonly since: EpochMs | undefined
  /** Whether a signer runs; without one, entries may wait for the next start however old they are. */
  readonly isSealing: boolean
  readonly now: EpochMs
}

export interface AuditReport {
  readonly chains: ChainCounts
  readonly checkpoints: CheckpointCounts
  readonly unsealed: UnsignedCounts
  /** The first thousand. */
  readonly findings: readonly Finding[]
  readonly findingCount: number
}

/**
 * Verifies the audit log, its chains and their checkpoints in one snapshot, under the role `owner`, without writing.
 * Memory doesn't grow with the log.
 */
export async function verifyAudit(db: Db, settings: VerifySettings): Promise<AuditReport> {
  const { accountId } = settings
  // Read before the database, which gets each checkpoint first and so knows all that are in the file by now.
  const file = { path: settings.file, size: await getFileSize(settings.file) }
  const { found, ...counts } = await db.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    // A log of years exceeds the time limit of requests.
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    const found: Findings = findings()
    const fromCheckpoint = await firstCheckpointSince(tx, settings.since)
    const part = { accountId, fromCheckpoint }
    const checkpoints = await verifyCheckpoints(tx, { ...settings, file, fromCheckpoint }, found)
    const newestCheckpoint = checkpoints.newest?.number ?? fromCheckpoint - 1
    const chains = await verifyChains(tx, { part, newestCheckpoint, findings: found })
    return { checkpoints, chains, unsealed: await verifyUnsigned(tx, accountId, found), found }
  })
  if (settings.isSealing) await reportLate(db, counts.unsealed.late, found)
  return { ...counts, findings: found.kept, findingCount: found.count() }
}

/** Whether a signer is connected to this database. */
export async function isSignerConnected(db: Db): Promise<boolean> {
  const { rows } = await sql<{ sealed: boolean }>`
    select exists (
      select from pg_stat_activity where usename = 'sightline_sealer' and datname = current_database()) as sealed`.execute(
    db.plain,
  )
  return rows[0]?.sealed === true
}

async function firstCheckpointSince(tx: Tx, since: EpochMs | undefined): Promise<number> {
  if (since === undefined) return 1
  const { rows } = await sql<{ before: number | null }>`
    select max(number) as before from audit_checkpoints where at < ${instant(since)}`.execute(tx)
  return (rows[0]?.before ?? 0) + 1
}
