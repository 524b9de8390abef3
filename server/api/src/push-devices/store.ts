import { createHash } from 'node:crypto'
import {
  MAX_PUSH_DEVICES,
  type NewPushDevice,
  type PushDevice,
  pushSubscription,
  type RegisteredPushDevice,
  type WebPushSubscription,
} from '@sightline/contract/push-devices'
import { toDateTime } from '@sightline/contract/wire'
import { instant, type Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { sql } from 'kysely'

interface UserKey {
  readonly accountId: number
  readonly userId: number
}

/** Binds the encrypted subscription of a device to its row. */
export const getSubscriptionContext = (accountId: number, pushDeviceId: number) => ({
  accountId,
  table: 'push_devices',
  row: pushDeviceId,
  column: 'subscription_sealed',
})

export const readSubscription = (text: string): WebPushSubscription => pushSubscription.parse(JSON.parse(text))

const columns = ['push_device_id', 'platform', 'app_version', 'locale', 'created_at', 'seen_at'] as const

interface Row {
  readonly push_device_id: number
  readonly platform: 'web'
  readonly app_version: string | null
  readonly locale: string | null
  readonly created_at: number
  readonly seen_at: number
}

const toDevice = (row: Row): PushDevice => ({
  pushDeviceId: row.push_device_id,
  platform: row.platform,
  ...(row.app_version === null ? {} : { appVersion: row.app_version }),
  ...(row.locale === null ? {} : { locale: row.locale }),
  createdAt: toDateTime(row.created_at),
  seenAt: toDateTime(row.seen_at),
})

const ofPerson = (tx: Tx, { accountId, userId }: UserKey) =>
  tx.selectFrom('push_devices').where('account_id', '=', accountId).where('user_id', '=', userId)

export const listDevices = async (tx: Tx, person: UserKey): Promise<PushDevice[]> =>
  (await ofPerson(tx, person).select(columns).orderBy('push_device_id').execute()).map(toDevice)

const endpointSha256 = (endpoint: string): Buffer => createHash('sha256').update(endpoint).digest()

/** The browser at that address, if it belongs to that user. */
export async function findByEndpoint(
  tx: Tx,
  person: UserKey,
  given: { readonly endpoint: string; readonly encryption: EnvelopeEncryption },
): Promise<RegisteredPushDevice | undefined> {
  const row = await ofPerson(tx, person)
    .select([...columns, 'subscription_sealed'])
    .where('endpoint_sha256', '=', endpointSha256(given.endpoint))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const place = getSubscriptionContext(person.accountId, row.push_device_id)
  return { ...toDevice(row), subscription: readSubscription(given.encryption.open(place, row.subscription_sealed)) }
}

/** Removes other users' subscriptions at that address. */
export async function takeEndpoint(tx: Tx, { userId }: UserKey, endpoint: string): Promise<void> {
  await sql`select free_push_endpoint(${endpointSha256(endpoint)}, ${userId})`.execute(tx)
}

interface SavedDevice extends UserKey {
  readonly pushDeviceId: number
  readonly given: NewPushDevice
  readonly createdAt: number
  readonly seenAt: number
}

export async function saveDevice(
  tx: Tx,
  encryption: EnvelopeEncryption,
  device: SavedDevice,
): Promise<RegisteredPushDevice> {
  const { accountId, userId, pushDeviceId, given } = device
  const place = getSubscriptionContext(accountId, pushDeviceId)
  const values = {
    platform: given.platform,
    endpoint_sha256: endpointSha256(given.subscription.endpoint),
    subscription_sealed: encryption.seal(place, JSON.stringify(given.subscription)),
    app_version: given.appVersion ?? null,
    locale: given.locale ?? null,
    seen_at: instant(device.seenAt),
  }
  await tx
    .insertInto('push_devices')
    .values({
      account_id: accountId,
      push_device_id: pushDeviceId,
      user_id: userId,
      created_at: instant(device.createdAt),
      ...values,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'push_device_id']).doUpdateSet(values))
    .execute()
  return {
    pushDeviceId,
    ...given,
    createdAt: toDateTime(device.createdAt),
    seenAt: toDateTime(device.seenAt),
  }
}

/** Removes the devices above the limit, least recently seen first. Called under the user's lock. */
export async function dropExcessDevices(tx: Tx, person: UserKey): Promise<void> {
  const beyond = await ofPerson(tx, person)
    .select('push_device_id')
    .orderBy('seen_at', 'desc')
    .orderBy('push_device_id', 'desc')
    .offset(MAX_PUSH_DEVICES)
    .execute()
  for (const { push_device_id } of beyond) await deleteDevice(tx, person, push_device_id)
}

/** False if there was none. */
export async function deleteDevice(tx: Tx, { accountId, userId }: UserKey, pushDeviceId: number): Promise<boolean> {
  const devices = tx.deleteFrom('push_devices').where('account_id', '=', accountId).where('user_id', '=', userId)
  const { numDeletedRows } = await devices.where('push_device_id', '=', pushDeviceId).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** A device for a test, and when it was last tested; locked until the transaction ends. */
export async function lockForTest(tx: Tx, person: UserKey, pushDeviceId: number) {
  const row = await ofPerson(tx, person)
    .select(['subscription_sealed', 'tested_at'])
    .where('push_device_id', '=', pushDeviceId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : { sealed: row.subscription_sealed, testedAt: row.tested_at }
}

export async function markTested(tx: Tx, { accountId }: UserKey, pushDeviceId: number, at: number): Promise<void> {
  const devices = tx
    .updateTable('push_devices')
    .set({ tested_at: instant(at) })
    .where('account_id', '=', accountId)
  await devices.where('push_device_id', '=', pushDeviceId).execute()
}

/** Whether that user still has notifications in that browser. */
export async function isRegistered(
  tx: Tx,
  {
    accountId,
    userId,
    pushDeviceId,
  }: { readonly accountId: number; readonly userId: number; readonly pushDeviceId: number },
): Promise<boolean> {
  const devices = tx.selectFrom('push_devices').select('push_device_id').where('account_id', '=', accountId)
  const row = await devices.where('user_id', '=', userId).where('push_device_id', '=', pushDeviceId).executeTakeFirst()
  return row !== undefined
}
