import { type Db, instant, type Tx } from '@sightline/platform/db'

/** A message that waits to be sent. */
export interface WaitingPush {
  readonly accountId: number
  readonly pushMessageId: number
  readonly pushDeviceId: number
  readonly contentSealed: Buffer
  readonly subscriptionSealed: Buffer
  readonly topic: string
  readonly giveUpAt: number
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
    })
    .execute()
}

export async function findPush(db: Db, { accountId, pushMessageId }: PushKey): Promise<WaitingPush | undefined> {
  const row = await db.plain
    .selectFrom('push_messages as m')
    .innerJoin('push_devices as d', (on) =>
      on.onRef('d.account_id', '=', 'm.account_id').onRef('d.push_device_id', '=', 'm.push_device_id'),
    )
    .select(['m.push_device_id', 'm.content_sealed', 'd.subscription_sealed', 'm.topic', 'm.give_up_at'])
    .where('m.account_id', '=', accountId)
    .where('m.push_message_id', '=', pushMessageId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    accountId,
    pushMessageId,
    pushDeviceId: row.push_device_id,
    contentSealed: row.content_sealed,
    subscriptionSealed: row.subscription_sealed,
    topic: row.topic,
    giveUpAt: row.give_up_at,
  }
}

type PushKey = Pick<WaitingPush, 'accountId' | 'pushMessageId'>

/** It was delivered, or never will be. */
export async function dropPush(db: Db, { accountId, pushMessageId }: PushKey): Promise<void> {
  const messages = db.plain.deleteFrom('push_messages').where('account_id', '=', accountId)
  await messages.where('push_message_id', '=', pushMessageId).execute()
}

/** With all its queued messages. */
export async function forgetDevice(
  db: Db,
  { accountId, pushDeviceId }: Pick<WaitingPush, 'accountId' | 'pushDeviceId'>,
): Promise<void> {
  const devices = db.plain.deleteFrom('push_devices').where('account_id', '=', accountId)
  await devices.where('push_device_id', '=', pushDeviceId).execute()
}
