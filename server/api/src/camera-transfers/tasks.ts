import type { BrandSource } from '@sightline/platform/brands'
import { type Clock, MS_PER_HOUR } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import type { JobTasks } from '@sightline/platform/jobs'
import { isMailAddress, type MailOutbox, renderEmail } from '@sightline/platform/mail'
import { ok } from '@sightline/platform/result'
import { type TransferNews, transferEmail } from './email.ts'
import type { StoredTransfer } from './rules.ts'
import { dropTransferred, findTransfer, loadTransferRecipient } from './store.ts'

export interface TransferTaskDeps {
  /** Under the role `app`. */
  readonly db: Db
  readonly ids: IdSource
  readonly brands: Pick<BrandSource, 'forHost'>
  readonly outbox: MailOutbox
  readonly clock: Clock
}

/** Emails to the owners of both accounts, and the end of what a transferred camera left behind. */
export const transferTasks = (deps: TransferTaskDeps): JobTasks => ({
  writeTransferMail: {
    async run({ accountId, cameraTransferId }) {
      const scope = { accountId, userId: accountId }
      const offer = await deps.db.inTenant(scope, (tx) => findTransfer(tx, cameraTransferId))
      const message = offer && messageOf(offer)
      if (offer !== undefined && message !== undefined) await writeMail(deps, offer, message)
      return ok(undefined)
    },
  },
  dropTransferredCameras: {
    everyMs: MS_PER_HOUR,
    async run() {
      await dropTransferred(deps.db, deps.clock.now())
      return ok(undefined)
    },
  },
})

interface Message {
  readonly news: TransferNews
  readonly to: number
}

/** Undefined if nobody is told: there is no such account, or the offer was withdrawn. */
function messageOf({ status, accountId, receiverAccountId }: StoredTransfer): Message | undefined {
  if (receiverAccountId === null || status === 'withdrawn') return undefined
  if (status === 'offered') return { news: 'cameraTransferOffered', to: receiverAccountId }
  return { news: status === 'accepted' ? 'cameraTransferAccepted' : 'cameraTransferDeclined', to: accountId }
}

async function writeMail(
  deps: TransferTaskDeps,
  offer: StoredTransfer,
  { news, to: accountId }: Message,
): Promise<void> {
  const { db, ids, brands, outbox } = deps
  const mailId = await ids.next()
  await db.inTenant({ accountId, userId: accountId }, async (tx) => {
    const owner = await loadTransferRecipient(tx, accountId)
    if (owner === undefined || !isMailAddress(owner.email)) return
    const brand = await brands.forHost(owner.host ?? '')
    const template = transferEmail({
      news,
      sender: offer.sender,
      target: offer.email ?? String(offer.targetAccountId),
      cameras: offer.cameras.map(({ name }) => name),
      expiresAt: offer.expiresAt,
      timeZone: owner.time_zone,
      language: owner.language,
      origin: brand.origin,
    })
    await outbox.add(tx, { ...renderEmail(template, brand), accountId, mailId, kind: news, to: owner.email })
  })
}
