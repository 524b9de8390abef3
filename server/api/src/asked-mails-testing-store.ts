import { type Db, instant } from '@sightline/platform/db'
import type { MailRequestKind } from '@sightline/platform/mail-requests'
import { sql } from 'kysely'

export interface MailRequestRow {
  readonly kind: MailRequestKind
  readonly userId: number
  readonly to: string
}

export async function listMailRequests({ plain }: Db): Promise<readonly MailRequestRow[]> {
  const rows = await plain
    .selectFrom('auth.mail_requests')
    .select(['kind', 'user_id', 'recipient'])
    // As they were added: ids are in no order.
    .orderBy(sql`ctid`)
    .execute()
  return rows.map(({ kind, user_id: userId, recipient: to }) => ({ kind, userId, to }))
}

export async function fillMailbox({ plain }: Db, to: string): Promise<void> {
  const columns = {
    account_id: 1,
    kind: 'reset',
    recipient: to,
    created_at: instant(Date.now()),
    give_up_at: instant(0),
  }
  for (let mailId = 1; mailId <= 5; mailId += 1) {
    await plain
      .insertInto('mail_outbox')
      .values({ ...columns, mail_id: mailId })
      .onConflict((conflict) => conflict.columns(['account_id', 'mail_id']).doUpdateSet(columns))
      .execute()
  }
}
