import type { BrandSource } from '@sightline/platform/brands'
import type { Tx } from '@sightline/platform/db'
import { isMailAddress, type MailOutbox, renderEmail } from '@sightline/platform/mail'
import { type DeletionNews, deletionEmail } from './email.ts'
import type { DeletableUser } from './store.ts'

/** Notifies users of their deletion. */
export interface DeletionNotificationDeps {
  readonly brands: Pick<BrandSource, 'forHost'>
  readonly outbox: MailOutbox
}

export interface DeletionNotification {
  readonly person: DeletableUser
  readonly news: DeletionNews
  /** The day of the deletion, in milliseconds since 1970. */
  readonly deletesAt: number
  /** Generated before the transaction, which may be repeated. */
  readonly mailId: number
}

/** Queues an email about the deletion, in the same transaction as the change. */
export async function notifyDeletion(
  tx: Tx,
  { person, news, deletesAt, mailId }: DeletionNotification,
  { brands, outbox }: DeletionNotificationDeps,
): Promise<void> {
  const { accountId, userId, accountName, email: to, language } = person
  if (!isMailAddress(to)) return
  const brand = await brands.forHost(person.host ?? '')
  const what = userId === accountId ? 'account' : 'person'
  const { timeZone } = person
  const template = deletionEmail({ news, what, accountName, deletesAt, timeZone, language, origin: brand.origin })
  await outbox.add(tx, { ...renderEmail(template, brand), accountId, mailId, kind: news, to })
}
