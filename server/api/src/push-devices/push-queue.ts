import type { PushPayload, WebPushSubscription } from '@sightline/contract/push-devices'
import { type Clock, type EpochMs, MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { enqueue, type JobOutcome, type JobTasks } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { fail, ok } from '@sightline/platform/result'
import type { DeliverPush, PushFailure, PushSubscription } from '@sightline/platform/web-push'
import { type NewPushPicture, sealPictureToken } from './picture-token.ts'
import { dropPush, findPush, forgetDevice, insertPush, type WaitingPush } from './push-store.ts'
import { getSubscriptionContext, readSubscription } from './store.ts'

export interface NewPush {
  readonly accountId: number
  /** Whose browser it is. */
  readonly userId: number
  readonly pushDeviceId: number
  /** What the message shows, if anything. */
  readonly picture?: NewPushPicture | undefined
  readonly payload: PushPayload
  readonly topic: string
  /** When it expires. */
  readonly uselessAt: EpochMs
}

export interface PushQueue {
  /** Queues a message, in the same transaction as its cause. */
  add(tx: Tx, push: NewPush): Promise<void>
}

interface QueueDeps {
  readonly ids: IdSource
  readonly encryption: EnvelopeEncryption
  readonly clock: Clock
}

const getEncryptionContext = (accountId: number, pushMessageId: number) => ({
  accountId,
  table: 'push_messages',
  row: pushMessageId,
  column: 'content_sealed',
})

export const pushQueue = ({ ids, encryption, clock }: QueueDeps): PushQueue => ({
  async add(tx, { picture, userId, ...push }) {
    const { accountId, pushDeviceId } = push
    const pushMessageId = await ids.next()
    const shown = picture && { ...picture, userId, pushDeviceId, now: clock.now() }
    const pictureToken = shown && sealPictureToken(encryption, { accountId, pushMessageId }, shown)
    const payload: PushPayload = { ...push.payload, pictureToken }
    const sealed = encryption.seal(getEncryptionContext(accountId, pushMessageId), JSON.stringify(payload))
    await insertPush(tx, { ...push, pushMessageId, sealed })
    await enqueue(tx, { task: 'sendPush', payload: { accountId: push.accountId, pushMessageId } })
  },
})

export interface PushTaskDeps extends Omit<QueueDeps, 'ids'> {
  /** Under the role `alerts`. */
  readonly db: Db
  readonly deliver: DeliverPush
  readonly log: Logger
}

/**
 * Sends push messages, each in its own job. If a process is killed right after it sent a message, it is sent again. It
 * has the same tag and replaces the first one on the screen, so no one sees it twice.
 */
export const pushTasks = (deps: PushTaskDeps): JobTasks => ({
  sendPush: {
    async run(of) {
      const push = await findPush(deps.db, of)
      return push === undefined ? ok(undefined) : sendOne(push, deps)
    },
  },
})

async function sendOne(push: WaitingPush, deps: PushTaskDeps): Promise<JobOutcome> {
  const { db, clock, deliver, log } = deps
  const { pushDeviceId, topic } = push
  const ttlS = Math.ceil((push.giveUpAt - clock.now()) / MS_PER_SECOND)
  if (ttlS <= 0) {
    log.warn({ pushDeviceId }, 'push notification dropped: not accepted in time')
    await dropPush(db, push)
    return ok(undefined)
  }
  const sent = await deliver({ ...open(push, deps), ttlS, topic })
  if (!sent.ok) return failed(push, sent.failure, deps)
  log.info({ pushDeviceId }, 'push notification sent')
  await dropPush(db, push)
  return ok(undefined)
}

function open({ accountId, pushDeviceId, ...push }: WaitingPush, { encryption }: PushTaskDeps) {
  const subscription = encryption.open(getSubscriptionContext(accountId, pushDeviceId), push.subscriptionSealed)
  const text = encryption.open(getEncryptionContext(accountId, push.pushMessageId), push.contentSealed)
  return { to: toPushSubscription(readSubscription(subscription)), text }
}

async function failed(push: WaitingPush, failure: PushFailure, { db, clock, log }: PushTaskDeps): Promise<JobOutcome> {
  const { pushDeviceId } = push
  if (failure.kind === 'gone') {
    log.info({ pushDeviceId }, 'removed a push device that no longer accepts notifications')
    await forgetDevice(db, push)
    return ok(undefined)
  }
  const { reason } = failure
  if (failure.kind === 'never') {
    log.error({ pushDeviceId, reason }, 'push notification dropped')
    await dropPush(db, push)
    return ok(undefined)
  }
  const at = clock.now() + (failure.afterS ?? 0) * MS_PER_SECOND
  return fail({ reason, retry: { kind: 'notBefore', at } })
}

/** As it is written to. */
export const toPushSubscription = ({ endpoint, keys }: WebPushSubscription): PushSubscription => ({
  endpoint,
  p256dh: Buffer.from(keys.p256dh, 'base64url'),
  auth: Buffer.from(keys.auth, 'base64url'),
})
