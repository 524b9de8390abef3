import { type Db, instant, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { type ExportRow, findExportRow } from './store.ts'

/** The owner of a link, while it is valid. */
export async function findLinkOwner(
  { plain }: Db,
  sha256: Buffer,
): Promise<{ readonly accountId: number; readonly tokenSha256: Buffer } | undefined> {
  const { rows } = await sql<{ account_id: number; token_sha256: Buffer }>`
    select account_id, token_sha256 from account_of_export_link(${sha256})`.execute(plain)
  const [row] = rows
  return row && { accountId: row.account_id, tokenSha256: row.token_sha256 }
}

interface Link {
  readonly sha256: Buffer
  readonly now: number
}

const ofLink = (tx: Tx, accountId: number, sha256: Buffer) =>
  tx.selectFrom('export_links').selectAll().where('account_id', '=', accountId).where('ticket_sha256', '=', sha256)

/** The export of a link, if its file is there and the caller sees it. */
export async function findLink(
  tx: Tx,
  caller: Pick<MemberCaller, 'accountId' | 'userId'>,
  { sha256, now }: Link,
): Promise<{ readonly row: ExportRow; readonly isUsed: boolean } | undefined> {
  const link = await ofLink(tx, caller.accountId, sha256).executeTakeFirst()
  if (link === undefined || link.expires_at <= now) return undefined
  const row = await findExportRow(tx, caller, link.export_id)
  const isThere = row?.status === 'Done' && row.key_sealed !== null && (row.expires_at ?? 0) > now
  return row !== undefined && isThere ? { row, isUsed: link.used_at !== null } : undefined
}

export async function markLinkUsed(
  tx: Tx,
  { accountId }: Pick<MemberCaller, 'accountId'>,
  { sha256, now }: Link,
): Promise<void> {
  await tx
    .updateTable('export_links')
    .set({ used_at: instant(now) })
    .where('account_id', '=', accountId)
    .where('ticket_sha256', '=', sha256)
    .execute()
}
