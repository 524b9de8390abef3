import type { PushPayload } from '@sightline/contract/push-devices'
import type { BrandSource } from '@sightline/platform/brands'
import { type Clock, MS_PER_DAY } from '@sightline/platform/clock'
import type { IdSource, Tx } from '@sightline/platform/db'
import { type EmailTemplate, type MailOutbox, renderEmail } from '@sightline/platform/mail'
import type { NewPushPicture, PushQueue } from '../../push-devices/index.ts'
import type { AlertRecipient } from './rules.ts'
import { type AlertUser, deviceIds, findSignInHost } from './store.ts'

export interface DeliveryDeps {
  readonly ids: IdSource
  readonly brands: BrandSource
  readonly outbox: MailOutbox
  readonly pushes: PushQueue
  readonly clock: Clock
}

/** After this time, an alert is no longer useful. */
const USELESS_AFTER_MS = MS_PER_DAY

/** An alert in the words of its recipient; undefined where it isn't sent. */
export interface WrittenAlert {
  /** Of emails in the outbox. */
  readonly mailKind: string
  /** `origin` is the recipient's brand's. */
  readonly email: ((origin: string) => EmailTemplate) | undefined
  readonly push: PushPayload | undefined
  /** What push messages show. */
  readonly picture?: NewPushPicture | undefined
}

/** Queues the email and a message for each of the user's browsers, in the transaction that records the alert. */
export async function deliverAlert(
  tx: Tx,
  to: { readonly person: AlertUser; readonly recipient: Pick<AlertRecipient, 'email' | 'resellerId'> },
  { alert, deps }: { readonly alert: WrittenAlert; readonly deps: DeliveryDeps },
): Promise<void> {
  const { person, recipient } = to
  const { ids, brands, outbox, pushes, clock } = deps
  const { accountId, userId } = person
  const uselessAt = clock.now() + USELESS_AFTER_MS
  const { mailKind: kind, email, push: payload, picture } = alert
  if (email !== undefined) {
    const brand = await brands.forHost((await findSignInHost(tx, recipient.resellerId)) ?? '')
    const content = renderEmail(email(brand.origin), brand)
    await outbox.add(tx, { ...content, accountId, mailId: await ids.next(), kind, to: recipient.email, uselessAt })
  }
  if (payload === undefined) return
  for (const pushDeviceId of await deviceIds(tx, person))
    await pushes.add(tx, { accountId, userId, pushDeviceId, payload, picture, topic: payload.tag, uselessAt })
}
