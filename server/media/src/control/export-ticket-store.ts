import { type DerivedOrder, derivedOrder, type ExportOrder, exportOrder } from '@sightline/contract/footage-proof'
import { type Db, instant } from '@sightline/platform/db'

/** What the maker of an export may read of a camera. */
export interface ExportTicket {
  readonly accountId: number
  readonly cameraId: number
  /** Milliseconds since 1970. */
  readonly from: number
  readonly till: number
  readonly hasSound: boolean
  readonly order: ExportOrder
  /** What is drawn into the pictures; undefined leaves them as they are. */
  readonly derived: DerivedOrder | undefined
}

/** Redeems an export's ticket. Undefined if it is unknown, used or expired. */
export async function consumeExportTicket(db: Db, sha256: Buffer, now: number): Promise<ExportTicket | undefined> {
  const row = await db.plain
    .updateTable('stream_tickets')
    .set({ used_at: instant(now) })
    .where('ticket_sha256', '=', sha256)
    .where('export_id', 'is not', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', instant(now))
    .returning(['account_id', 'camera_id', 'from_at', 'till_at', 'has_sound', 'proof'])
    .executeTakeFirst()
  if (row === undefined || row.from_at === null || row.till_at === null) return undefined
  return {
    accountId: row.account_id,
    cameraId: row.camera_id,
    from: row.from_at,
    till: row.till_at,
    hasSound: row.has_sound === true,
    order: exportOrder.parse(row.proof),
    derived: derivedOrder.parse(row.proof).derived,
  }
}
