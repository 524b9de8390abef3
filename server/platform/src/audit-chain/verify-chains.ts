import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/index.ts'
import { readBatches } from './cursor.ts'
import {
  chainStart,
  changedPersonalFields,
  type EntryTexts,
  entrySha256,
  isErased,
  LINE_COLUMNS,
  linkHash,
} from './entry.ts'
import type { Findings } from './findings.ts'

/** Which part of the log is verified. */
export interface VerifiedPart {
  /** One organisation only. */
  readonly accountId: number | undefined
  /** From the lines on that this checkpoint was the first to cover; 1 is all of them. */
  readonly fromCheckpoint: number
}

export interface ChainCounts {
  readonly chains: number
  readonly lines: number
  /** Entries without their personal values; everything else about them is verified. */
  readonly erased: number
  /** Sealed since the newest checkpoint, which therefore does not vouch for them yet. */
  readonly uncovered: number
}

interface LinkRow extends EntryTexts {
  readonly chain: string
  readonly sequence: number
  readonly link_audit_log_id: string
  readonly checkpoint: number
  readonly commitments: Buffer
  readonly line_sha256: Buffer
  readonly hash: Buffer
}

const links = ({ accountId, fromCheckpoint }: VerifiedPart): RawBuilder<LinkRow> => sql<LinkRow>`
  select c.account_id::text as chain, c.sequence, c.audit_log_id::text as link_audit_log_id, c.checkpoint, c.commitments,
         c.line_sha256, c.hash, ${LINE_COLUMNS}
    from audit_chain c
    left join audit_log l on l.account_id = c.account_id and l.audit_log_id = c.audit_log_id
   where true
     ${accountId === undefined ? sql`` : sql`and c.account_id = ${sql.lit(accountId)}::bigint`}
     ${fromCheckpoint === 1 ? sql`` : sql`and c.checkpoint >= ${sql.lit(fromCheckpoint)}::bigint`}
   order by c.account_id, c.sequence`

/** The position of the walk in one chain. */
interface Position {
  readonly chain: string
  readonly sequence: number
  /** The allowed predecessors of the next hash: as stored, and as computed. Empty after a gap. */
  readonly hashes: readonly Buffer[]
}

/** Walks every chain from its beginning: each line against its hash, each hash against the one before. */
export async function verifyChains(
  tx: Tx,
  given: { readonly part: VerifiedPart; readonly newestCheckpoint: number; readonly findings: Findings },
): Promise<ChainCounts> {
  const { part, newestCheckpoint, findings } = given
  let [chains, lines, erased, uncovered, lastCheckpoint] = [0, 0, 0, 0, 0]
  let position: Position | undefined
  for await (const rows of readBatches(tx, 'audit_links', links(part))) {
    for (const row of rows) {
      if (position?.chain !== row.chain) {
        chains += 1
        position = await beginningOf(tx, row, part)
      }
      position = verifyLink(row, position, findings)
      verifyLine(row, findings)
      lines += 1
      if (row.account_id !== null && isErased(row)) erased += 1
      if (row.checkpoint > newestCheckpoint) uncovered += 1
      lastCheckpoint = Math.max(lastCheckpoint, row.checkpoint)
    }
  }
  if (lastCheckpoint > newestCheckpoint + 1) {
    findings.add({
      checkpoint: newestCheckpoint + 1,
      what: `this checkpoint and all others up to ${lastCheckpoint - 1} are missing`,
    })
  }
  return { chains, lines, erased, uncovered }
}

const toPosition = (row: LinkRow) => ({
  accountId: row.chain,
  sequence: row.sequence,
  auditLogId: row.link_audit_log_id,
})

async function beginningOf(tx: Tx, row: LinkRow, part: VerifiedPart): Promise<Position> {
  const start: Position = { chain: row.chain, sequence: 0, hashes: [chainStart(row.chain)] }
  if (part.fromCheckpoint === 1 || row.sequence === 1) return start
  // A partial check trusts the entries before its start.
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from audit_chain where account_id = ${row.chain}::bigint and sequence = ${row.sequence - 1}`.execute(tx)
  return { chain: row.chain, sequence: row.sequence - 1, hashes: rows.map(({ hash }) => hash) }
}

function verifyLink(row: LinkRow, before: Position, findings: Findings): Position {
  const { chain, sequence, hash, line_sha256 } = row
  const first = before.sequence + 1
  if (sequence !== first) {
    const gone = sequence - 1 === first ? `sequence ${first} is` : `sequences ${first} to ${sequence - 1} are`
    findings.add({ ...toPosition(row), what: `${gone} missing from the chain before it` })
    return { chain, sequence, hashes: [hash] }
  }
  const expected = before.hashes.map((previous) => linkHash(previous, sequence, line_sha256))
  if (expected.length > 0 && !expected.some((one) => one.equals(hash))) {
    findings.add({ ...toPosition(row), what: 'the hash does not match the previous entry: the chain was changed here' })
  }
  return { chain, sequence, hashes: [hash, ...expected.slice(0, 1)] }
}

function verifyLine(row: LinkRow, findings: Findings): void {
  if (row.account_id === null) {
    findings.add({ ...toPosition(row), what: 'the entry is missing' })
    return
  }
  const changed = isErased(row) ? [] : changedPersonalFields(row, row.commitments)
  if (changed.length > 0) findings.add({ ...toPosition(row), what: `${changed.join(', ')} was changed` })
  if (entrySha256(row, row.commitments).equals(row.line_sha256)) return
  findings.add({ ...toPosition(row), what: 'the entry was changed' })
}
