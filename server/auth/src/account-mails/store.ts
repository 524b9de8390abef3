import type { EpochMs } from '@sightline/platform/clock'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import type { MailRequestKind } from '@sightline/platform/mail-requests'
import { sql } from 'kysely'

export interface RequestKey {
  readonly accountId: number
  readonly mailId: number
}

/** A requested email and the current data of its user. */
export interface RequestedMail extends RequestKey {
  readonly kind: MailRequestKind
  readonly userId: number
  readonly to: string
  readonly host: string
  readonly askedBy: string
  /** Undefined of staff above the resellers. */
  readonly resellerId: number | undefined
  readonly name: string
  readonly email: string
  readonly language: string
}

/** Undefined if the email was queued, or the user was deleted or moved to another account. */
export async function findRequest({ plain }: Db, key: RequestKey): Promise<RequestedMail | undefined> {
  const row = await plain
    .selectFrom('auth.mail_requests as r')
    .innerJoin('auth.people as p', (on) =>
      on.onRef('p.user_id', '=', 'r.user_id').onRef('p.account_id', '=', 'r.account_id'),
    )
    .select(['r.kind', 'r.user_id', 'r.recipient', 'r.host', 'r.asked_by_name'])
    .select(['p.reseller_id', 'p.name', 'p.email', 'p.language'])
    .where('r.account_id', '=', key.accountId)
    .where('r.mail_id', '=', key.mailId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { kind, user_id: userId, recipient: to, host, asked_by_name: askedBy, name, email, language } = row
  return { ...key, kind, userId, to, host, askedBy, resellerId: row.reseller_id ?? undefined, name, email, language }
}

/** Deletes the request; of several concurrent writers one gets true. */
export async function removeRequest(tx: Pick<Tx, 'deleteFrom'>, { accountId, mailId }: RequestKey): Promise<boolean> {
  const gone = await tx
    .deleteFrom('auth.mail_requests')
    .where('account_id', '=', accountId)
    .where('mail_id', '=', mailId)
    .returning('mail_id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Deletes requests from before that time whose job no longer exists, because an administrator discarded it. */
export async function forgetRequests({ plain }: Db, before: EpochMs): Promise<void> {
  await sql`select forget_mail_requests(${instant(before)}::timestamptz)`.execute(plain)
}
