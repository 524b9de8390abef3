import type { PushPayload } from '@sightline/contract/push-devices'
import { type Clock, type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { Sealing } from '@sightline/platform/sealing'
import type { DeliverPush, PushFailure } from '@sightline/platform/web-push'
import { placeOfSubscription, readSubscription, toPushSubscription } from '../push-devices/index.ts'
import { type ClaimedPush, claimPushes, dropPush, forgetDevice, insertPush, tryPushLater } from './push-store.ts'

export interface NewPush {
  readonly accountId: number
  readonly pushDeviceId: number
  readonly payload: PushPayload
  readonly topic: string
  /** When it is of no use any more. */
  readonly uselessAt: EpochMs
}

export interface PushQueue {
  /** Writes a message down to be sent, in the transaction of what it tells. */
  add(tx: Tx, push: NewPush): Promise<void>
}

interface QueueParts {
  readonly ids: IdSource
  readonly sealing: Sealing
  readonly clock: Clock
}

const placeOf = (accountId: number, pushMessageId: number) => ({
  accountId,
  table: 'push_messages',
  row: pushMessageId,
  column: 'content_sealed',
})

export const pushQueue = ({ ids, sealing, clock }: QueueParts): PushQueue => ({
  async add(tx, { payload, ...push }) {
    const pushMessageId = await ids.next()
    const sealed = sealing.seal(placeOf(push.accountId, pushMessageId), JSON.stringify(payload))
    await insertPush(tx, { ...push, pushMessageId, sealed, now: clock.now() })
  },
})

export interface PushSenderParts extends Omit<QueueParts, 'ids'> {
  /** Under the role `alerts`. */
  readonly db: Db
  readonly deliver: DeliverPush
  readonly log: Logger
}

/** Longer than one delivery may take, so that no message is sent by two at once. */
const CLAIM_MS = MS_PER_MINUTE
const AT_ONCE = 16
const FIRST_PAUSE_MS = 10 * MS_PER_SECOND
const LONGEST_PAUSE_MS = 10 * MS_PER_MINUTE

/**
 * Sends what is due until nothing is left. A process that ends between handing a message over and writing that down sends
 * it again; under the same tag it takes its own place on the screen, so nobody sees it twice.
 */
export async function sendDuePushes(parts: PushSenderParts, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const now = parts.clock.now()
    const claimed = await claimPushes(parts.db, { now, until: now + CLAIM_MS, most: AT_ONCE })
    await Promise.all(claimed.map((push) => sendOne(push, parts)))
    if (claimed.length < AT_ONCE || signal?.aborted === true) return
  }
}

async function sendOne(push: ClaimedPush, parts: PushSenderParts): Promise<void> {
  const { db, clock, deliver, log } = parts
  const { pushDeviceId, topic } = push
  const ttlS = Math.ceil((push.giveUpAt - clock.now()) / MS_PER_SECOND)
  if (ttlS <= 0) {
    log.warn({ pushDeviceId }, 'a message to a browser is given up: it was not taken in time')
    return dropPush(db, push)
  }
  const opened = open(push, parts)
  const sent = await deliver({ ...opened, ttlS, topic })
  if (sent.ok) {
    log.info({ pushDeviceId, tries: push.tries }, 'a message to a browser was handed over')
    return dropPush(db, push)
  }
  return failed(push, sent.failure, parts)
}

function open({ accountId, pushDeviceId, ...push }: ClaimedPush, { sealing }: PushSenderParts) {
  const subscription = sealing.open(placeOfSubscription(accountId, pushDeviceId), push.subscriptionSealed)
  const text = sealing.open(placeOf(accountId, push.pushMessageId), push.contentSealed)
  return { to: toPushSubscription(readSubscription(subscription)), text }
}

async function failed(push: ClaimedPush, failure: PushFailure, { db, clock, log }: PushSenderParts): Promise<void> {
  const { pushDeviceId, tries } = push
  if (failure.kind === 'gone') {
    log.info({ pushDeviceId }, 'a browser takes no messages any more and is forgotten')
    return forgetDevice(db, push)
  }
  const { reason } = failure
  if (failure.kind === 'never') {
    log.error({ pushDeviceId, reason }, 'a message to a browser is given up')
    return dropPush(db, push)
  }
  log.warn({ pushDeviceId, tries, reason }, 'a message to a browser could not be sent yet')
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1))
  return tryPushLater(db, push, clock.now() + Math.max(pause, (failure.afterS ?? 0) * MS_PER_SECOND))
}
