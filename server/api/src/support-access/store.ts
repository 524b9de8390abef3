import type { SupportAccess } from '@sightline/contract/support-access'
import { toDateTime } from '@sightline/contract/wire'
import { instant, type Tx } from '@sightline/platform/db'

const query = (tx: Tx, accountId: number) =>
  tx.selectFrom('accounts').select(['helpdesk_expires_at', 'helpdesk_show_video']).where('account_id', '=', accountId)

const toAccess = (row: { helpdesk_expires_at: number | null; helpdesk_show_video: boolean }): SupportAccess => ({
  allowsHelpdeskExpirationDate: row.helpdesk_expires_at === null ? null : toDateTime(row.helpdesk_expires_at),
  allowsHelpdeskShowVideo: row.helpdesk_show_video,
})

export const loadAccess = async (tx: Tx, accountId: number): Promise<SupportAccess> =>
  toAccess(await query(tx, accountId).executeTakeFirstOrThrow())

/** The same, locked until the transaction ends. */
export const lockAccess = async (tx: Tx, accountId: number): Promise<SupportAccess> =>
  toAccess(await query(tx, accountId).forUpdate().executeTakeFirstOrThrow())

/** Milliseconds since 1970; null closes, undefined doesn't change it. */
export async function saveAccess(
  tx: Tx,
  accountId: number,
  next: { readonly until?: number | null | undefined; readonly showVideo?: boolean | undefined },
): Promise<SupportAccess> {
  const { until, showVideo } = next
  const changes = {
    ...(until === undefined ? {} : { helpdesk_expires_at: until === null ? null : instant(until) }),
    ...(showVideo === undefined ? {} : { helpdesk_show_video: showVideo }),
  }
  if (Object.keys(changes).length > 0) {
    await tx.updateTable('accounts').set(changes).where('account_id', '=', accountId).execute()
  }
  return loadAccess(tx, accountId)
}
