import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/** A message that this process alone tries to send, until the claim is over. */
export interface ClaimedPush {
  readonly accountId: number
  readonly pushMessageId: number
  readonly pushDeviceId: number
  readonly contentSealed: Buffer
  readonly subscriptionSealed: Buffer
  readonly topic: string
  readonly giveUpAt: number
  /** This one counted. */
  readonly tries: number
}

export async function insertPush(
  tx: Tx,
  push: {
    readonly accountId: number
    readonly pushMessageId: number
    readonly pushDeviceId: number
    readonly sealed: Buffer
    readonly topic: string
    readonly uselessAt: number
    readonly now: number
  },
): Promise<void> {
  await tx
    .insertInto('push_messages')
    .values({
      account_id: push.accountId,
      push_message_id: push.pushMessageId,
      push_device_id: push.pushDeviceId,
      content_sealed: push.sealed,
      topic: push.topic,
      give_up_at: instant(push.uselessAt),
      next_try_at: instant(push.now),
    })
    .execute()
}

/** Takes some that are due, those that wait longest; others skip them until `until`. */
export async function claimPushes(
  db: Db,
  { now, until, most }: { readonly now: number; readonly until: number; readonly most: number },
): Promise<readonly ClaimedPush[]> {
  const { rows } = await sql<{
    account_id: number
    push_message_id: number
    push_device_id: number
    content_sealed: Buffer
    subscription_sealed: Buffer
    topic: string
    give_up_at: number
    tries: number
  }>`
    with claimed as (
      update push_messages set tries = tries + 1, next_try_at = ${instant(until)}
       where (account_id, push_message_id) in (
         select account_id, push_message_id from push_messages where next_try_at <= ${instant(now)}
          order by next_try_at limit ${most} for update skip locked)
      returning *)
    select c.*, d.subscription_sealed from claimed c
      join push_devices d on d.account_id = c.account_id and d.push_device_id = c.push_device_id`.execute(db.plain)
  return rows.map((row) => ({
    accountId: row.account_id,
    pushMessageId: row.push_message_id,
    pushDeviceId: row.push_device_id,
    contentSealed: row.content_sealed,
    subscriptionSealed: row.subscription_sealed,
    topic: row.topic,
    giveUpAt: row.give_up_at,
    tries: row.tries,
  }))
}

type PushKey = Pick<ClaimedPush, 'accountId' | 'pushMessageId'>

/** It was taken, or never will be. */
export async function dropPush(db: Db, { accountId, pushMessageId }: PushKey): Promise<void> {
  const messages = db.plain.deleteFrom('push_messages').where('account_id', '=', accountId)
  await messages.where('push_message_id', '=', pushMessageId).execute()
}

export async function tryPushLater(db: Db, { accountId, pushMessageId }: PushKey, at: number): Promise<void> {
  const messages = db.plain.updateTable('push_messages').set({ next_try_at: instant(at) })
  await messages.where('account_id', '=', accountId).where('push_message_id', '=', pushMessageId).execute()
}

/** With everything that waits for it. */
export async function forgetDevice(
  db: Db,
  { accountId, pushDeviceId }: Pick<ClaimedPush, 'accountId' | 'pushDeviceId'>,
): Promise<void> {
  const devices = db.plain.deleteFrom('push_devices').where('account_id', '=', accountId)
  await devices.where('push_device_id', '=', pushDeviceId).execute()
}
