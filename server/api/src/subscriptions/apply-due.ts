import { type DueChange, getDueChange } from '@sightline/contract/subscriptions'
import { appendAudit } from '@sightline/platform/audit'
import type { BrandSource } from '@sightline/platform/brands'
import { type Clock, MS_PER_MINUTE } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { enqueue, type JobTasks } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { isMailAddress, type MailOutbox, renderEmail } from '@sightline/platform/mail'
import { ok } from '@sightline/platform/result'
import { type SubscriptionNews, subscriptionEmail } from './email.ts'
import {
  accountsEnding,
  findPackage,
  loadOwner,
  lockSubscription,
  markEnded,
  type StoredSubscription,
  saveSubscription,
  toSubscription,
} from './store.ts'

export interface SubscriptionChangesDeps {
  /** Under the role `app`. */
  readonly db: Db
  readonly ids: IdSource
  readonly brands: BrandSource
  readonly outbox: MailOutbox
  readonly clock: Clock
  readonly log: Logger
}

const LOOK_EVERY_MS = MS_PER_MINUTE

/** Audit log actions of the server after the last day of a subscription. */
const ACTION: Readonly<Record<DueChange['kind'], string>> = {
  prolonged: 'subscriptionProlonged',
  changed: 'subscriptionChanged',
  ended: 'subscriptionEnded',
}

/**
 * Applies the next subscription after the last day of the current one, in the account's time zone, each in its own job.
 * The change, its audit log entry and the email to the owner are one transaction under the account's lock, so each
 * happens once, even if a process is killed.
 */
export const subscriptionTasks = (deps: SubscriptionChangesDeps): JobTasks => ({
  findDueSubscriptions: {
    everyMs: LOOK_EVERY_MS,
    async run() {
      await findDue(deps)
      return ok(undefined)
    },
  },
  applySubscription: {
    async run({ accountId }) {
      await applyTo(deps, accountId)
      return ok(undefined)
    },
  },
})

async function findDue({ db, clock }: SubscriptionChangesDeps): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const accounts: readonly number[] = await accountsEnding(db, clock.now(), after)
    await db.transaction(async (tx) => {
      for (const accountId of accounts) {
        await enqueue(tx, { task: 'applySubscription', payload: { accountId }, jobKey: String(accountId) })
      }
    })
    after = accounts.at(-1)
  }
}

async function applyTo(deps: SubscriptionChangesDeps, accountId: number): Promise<void> {
  const { db, ids, clock, log } = deps
  // Generated before the transaction, which may be repeated.
  const mailId = await ids.next()
  const kind = await db.inTenant({ accountId, userId: accountId }, async (tx) => {
    const now = clock.now()
    const stored = await lockSubscription(tx, accountId, now)
    const news = await saveDueChange(tx, { accountId, stored, now, ids })
    if (news !== undefined) await notify(tx, { accountId, mailId, news }, deps)
    return news?.kind
  })
  if (kind !== undefined) log.info({ accountId, kind }, 'a subscription change took effect')
}

/**
 * Stores the next subscription after the last day, with its audit log entry; undefined if it isn't due or already
 * stored. The account's row is locked.
 */
export async function saveDueChange(
  tx: Tx,
  given: {
    readonly accountId: number
    readonly stored: StoredSubscription
    readonly now: number
    readonly ids: IdSource
  },
): Promise<SubscriptionNews | undefined> {
  const { accountId, stored, now, ids } = given
  const { state: before, resellerId, camerasInUse } = stored
  const due = before === undefined ? undefined : getDueChange(before, stored.today)
  if (before === undefined || due === undefined) return undefined
  if (due.kind === 'ended' && !(await markEnded(tx, accountId, now))) return undefined
  const state = due.kind === 'ended' ? before : due.state
  if (due.kind !== 'ended') await saveSubscription(tx, { accountId, resellerId }, state)
  const was = await findPackage(tx, resellerId, before.packageId)
  const is = await findPackage(tx, resellerId, state.packageId)
  if (was === undefined || is === undefined)
    throw new Error(`the package of account ${accountId} is not its reseller’s`)
  const target = { kind: 'account', id: accountId }
  const after = due.kind === 'ended' ? {} : { after: toSubscription(state, is) }
  const entry = { action: ACTION[due.kind], target, before: toSubscription(before, was), ...after }
  await appendAudit(tx, { ids, caller: { accountId, userId: null, clientId: 'server' }, address: '', entry })
  const isTooSmall = is.maxAmountOfCameras !== null && camerasInUse > is.maxAmountOfCameras
  return { kind: due.kind, was: was.name, is: is.name, lastDay: before.endDate, until: state.endDate, isTooSmall }
}

async function notify(
  tx: Tx,
  { accountId, mailId, news }: { readonly accountId: number; readonly mailId: number; readonly news: SubscriptionNews },
  { brands, outbox }: Pick<SubscriptionChangesDeps, 'brands' | 'outbox'>,
): Promise<void> {
  const owner = await loadOwner(tx, accountId)
  if (owner === undefined || !isMailAddress(owner.email)) return
  const brand = await brands.forHost(owner.host ?? '')
  const template = subscriptionEmail({ ...news, language: owner.language, origin: brand.origin })
  const mail = { ...renderEmail(template, brand), accountId, mailId, kind: ACTION[news.kind], to: owner.email }
  await outbox.add(tx, mail)
}
