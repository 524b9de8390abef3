import { sql } from 'kysely'
import type { Tx } from '../db/index.ts'
import type { ReadCheckpoint } from './checkpoint.ts'
import type { Findings } from './findings.ts'

interface SignedHead {
  readonly accountId: number
  readonly sequence: number
  readonly hash: string
  readonly checkpoint: ReadCheckpoint
}

/** Looks up the heads of checkpoints: the end of a chain at that time must be in it, with that hash. */
export interface HeadVerifier {
  add(checkpoint: ReadCheckpoint): Promise<void>
  finish(): Promise<void>
  count(): number
}

const AT_ONCE = 2000

export function headVerifier(tx: Tx, onlyAccountId: number | undefined, findings: Findings): HeadVerifier {
  // One rewritten chain breaks every head after it, so only the first is reported.
  const broken = new Set<number>()
  let count = 0
  let open: SignedHead[] = []
  const flush = async () => {
    const heads = open
    open = []
    const stored = await hashesOf(tx, heads)
    for (const [index, head] of heads.entries()) {
      const hash = stored[index]
      if (hash === head.hash || broken.has(head.accountId)) continue
      broken.add(head.accountId)
      findings.add(await describe(tx, head, hash))
    }
  }
  return {
    count: () => count,
    async add(checkpoint) {
      for (const [accountId, sequence, hash] of checkpoint.heads) {
        if (onlyAccountId !== undefined && accountId !== onlyAccountId) continue
        count += 1
        open.push({ accountId, sequence, hash, checkpoint })
      }
      if (open.length >= AT_ONCE) await flush()
    },
    finish: flush,
  }
}

async function hashesOf(tx: Tx, heads: readonly SignedHead[]): Promise<readonly (string | undefined)[]> {
  if (heads.length === 0) return []
  const { rows } = await sql<{ n: number; hash: string }>`
    select h.n, encode(c.hash, 'hex') as hash
      from unnest(${heads.map((head) => head.accountId)}::bigint[], ${heads.map((head) => head.sequence)}::bigint[])
           with ordinality as h(account_id, sequence, n)
      join audit_chain c on c.account_id = h.account_id and c.sequence = h.sequence`.execute(tx)
  const found = new Map(rows.map(({ n, hash }) => [n - 1, hash]))
  return heads.map((_, index) => found.get(index))
}

async function describe(tx: Tx, head: SignedHead, stored: string | undefined) {
  const { accountId, sequence, checkpoint } = head
  const place = { checkpoint: checkpoint.number, accountId: String(accountId), sequence }
  const signed = `signed at ${new Date(checkpoint.at).toISOString()}`
  if (stored !== undefined) {
    return { ...place, what: `the hash differs from the one ${signed}: the chain was rewritten` }
  }
  const { rows } = await sql<{ last: number | null }>`
    select max(sequence) as last from audit_chain where account_id = ${accountId}`.execute(tx)
  const last = rows[0]?.last ?? 0
  const end = last < sequence ? `; the chain ends at ${last}` : ''
  return { ...place, what: `it is missing from the chain but was ${signed}${end}` }
}
