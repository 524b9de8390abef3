import type { Db, Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/** More are not on the sign-in page. */
const MAX_SHOWN = 5

interface Demonstration {
  /** Its owner has the same number. */
  readonly accountId: number
  readonly name: string
}

/** Undefined is of every brand, as on the provider's own hosts (decision 27). */
type OfBrand = number | undefined

const query = (db: Db, resellerId: OfBrand) =>
  db.plain
    .selectFrom('auth.demonstrations')
    .select(['account_id', 'name'])
    .$if(resellerId !== undefined, (found) => found.where('reseller_id', '=', resellerId ?? 0))

/** The demos open to guests there now, by name. */
export async function listDemonstrations(db: Db, resellerId: OfBrand): Promise<readonly Demonstration[]> {
  const rows = await query(db, resellerId).orderBy(sql`lower(name)`).orderBy('account_id').limit(MAX_SHOWN).execute()
  return rows.map((row) => ({ accountId: row.account_id, name: row.name }))
}

export async function isDemonstration(db: Db, resellerId: OfBrand, accountId: number): Promise<boolean> {
  const row = await query(db, resellerId).where('account_id', '=', accountId).executeTakeFirst()
  return row !== undefined
}

/** Whether guests may still enter; locked until the transaction ends. */
export async function holdDemonstration(tx: Tx, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select auth.hold_demonstration(${accountId}) as held`.execute(tx)
  return rows[0]?.held === true
}
