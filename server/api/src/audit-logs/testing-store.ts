import { type Db, instant } from '@sightline/platform/db'

export interface EntryInput {
  readonly at?: number
  readonly action?: string
  readonly userId?: number
  readonly name?: string | null
  readonly camera?: number
  readonly zone?: number
  readonly staffId?: number
  readonly address?: string
  readonly after?: unknown
}

export const NOON = Date.parse('2026-11-20T12:00:00Z')
let nextLine = 1_000_000

const targetOf = ({ camera, zone }: EntryInput) => {
  if (camera !== undefined) return { target_kind: 'camera', target_id: camera }
  return zone === undefined ? {} : { target_kind: 'zone', target_id: zone }
}

/** Appends entries, a minute apart unless they have a time; returns their ids. For tests. */
export async function writeEntries(owner: Db, accountId: number, lines: readonly EntryInput[]): Promise<number[]> {
  const usual = { action: 'login', userId: accountId, name: 'Ada Byron', address: '192.0.2.9', staffId: null }
  const rows = lines.map((given, at) => {
    const line = { ...usual, at: NOON + at * 60_000, ...given }
    return {
      account_id: accountId,
      audit_log_id: nextLine++,
      at: instant(line.at),
      user_id: line.userId,
      actor_name: line.name,
      staff_id: line.staffId,
      client_id: 'account.v2',
      action: line.action,
      ...targetOf(given),
      address: line.address,
      after: line.after === undefined ? null : JSON.stringify(line.after),
    }
  })
  await owner.plain.insertInto('audit_log').values(rows).execute()
  return rows.map((row) => row.audit_log_id)
}
