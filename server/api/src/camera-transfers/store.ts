import { BODY_WORN } from '@sightline/contract/cameras'
import { type Db, instant, matchAny, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { OfferableCamera, OfferedCamera, StoredTransfer, TransferOutcome } from './rules.ts'

interface CamerasOf {
  readonly accountId: number
  readonly cameraIds: readonly number[]
}

/** The cameras that exist, by id, locked until the transaction ends. */
export async function lockOfferable(tx: Tx, { accountId, cameraIds }: CamerasOf): Promise<readonly OfferableCamera[]> {
  const rows = await tx
    .selectFrom('cameras as c')
    .select(['c.camera_id', 'c.name', 'c.brand', 'c.model', 'c.device_id', 'c.addition_status', 'c.device_type_id'])
    .select(['c.transferred_at', sharesDevice(cameraIds).as('shares')])
    .where('c.account_id', '=', accountId)
    .where('c.camera_id', '=', matchAny([...cameraIds]))
    .orderBy('c.camera_id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => ({
    cameraId: row.camera_id,
    name: row.name,
    brand: row.brand,
    model: row.model,
    isAdded: row.addition_status === 'added',
    isBodyWorn: row.device_type_id === BODY_WORN,
    isInputOfRecorder: row.device_id !== null,
    sharesDevice: row.shares,
    isTransferred: row.transferred_at !== null,
  }))
}

const sharesDevice = (cameraIds: readonly number[]) => sql<boolean>`c.eth_mac_address <> '' and (
  exists (select from cameras o where o.account_id = c.account_id and o.eth_mac_address = c.eth_mac_address
    and o.camera_id <> all (${[...cameraIds]}::bigint[]))
  or exists (select from devices d where d.account_id = c.account_id and d.eth_mac_address = c.eth_mac_address))`

/** Whether one of the cameras is in an offer that can still be accepted. */
export async function isOffered(tx: Tx, { accountId, cameraIds }: CamerasOf, now: number): Promise<boolean> {
  const { rows } = await sql`
    select from camera_transfers
     where account_id = ${accountId} and status = 'offered' and expires_at > ${instant(now)}
       and camera_ids && ${[...cameraIds]}::bigint[] limit 1`.execute(tx)
  return rows.length > 0
}

/** How many offers the account made since then. Others of the same account wait, so that none is overlooked. */
export async function countTransfers(tx: Tx, accountId: number, since: number): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`camera transfers of ${accountId}`}, 0))`.execute(tx)
  const made = tx.selectFrom('camera_transfers').select(({ fn }) => fn.countAll<number>().as('count'))
  const since_ = made.where('account_id', '=', accountId).where('created_at', '>', instant(since))
  return (await since_.executeTakeFirstOrThrow()).count
}

/** The name of the account, and the email address of its owner. */
export async function loadSender(
  tx: Tx,
  accountId: number,
): Promise<{ readonly name: string; readonly email: string; readonly emailFolded: string }> {
  const row = await tx
    .selectFrom('accounts as a')
    .innerJoin('users as u', (join) =>
      join.onRef('u.account_id', '=', 'a.account_id').onRef('u.user_id', '=', 'a.account_id'),
    )
    .select(['a.name', 'u.email', 'u.email_folded'])
    .where('a.account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { name: row.name, email: row.email, emailFolded: row.email_folded }
}

/** Who an offer is for, as the sender named them. */
export type TransferTarget =
  | { readonly email: string; readonly emailFolded: string }
  | { readonly targetAccountId: number }

export interface NewTransferRow {
  readonly accountId: number
  readonly cameraTransferId: number
  readonly target: TransferTarget
  readonly sender: { readonly name: string; readonly email: string }
  readonly cameras: readonly OfferedCamera[]
  readonly createdAt: number
  readonly expiresAt: number
}

/** One statement, whether somebody has that address or nobody. */
export async function insertTransfer(tx: Tx, given: NewTransferRow): Promise<void> {
  const { accountId, cameraTransferId, target, sender, cameras, createdAt, expiresAt } = given
  const email = 'email' in target ? target : undefined
  const named = 'targetAccountId' in target ? target.targetAccountId : null
  const receiver = sql<number | null>`receiver_of_transfer(${email?.emailFolded ?? null}, ${named}::bigint)`
  await tx
    .insertInto('camera_transfers')
    .values({
      account_id: accountId,
      camera_transfer_id: cameraTransferId,
      receiver_account_id: receiver,
      receiver_email: email?.email ?? null,
      receiver_named_account_id: named,
      sender_name: sender.name,
      sender_email: sender.email,
      cameras: JSON.stringify(cameras),
      camera_ids: cameras.map(({ cameraId }) => cameraId),
      created_at: instant(createdAt),
      expires_at: instant(expiresAt),
    })
    .execute()
}

const transfers = (tx: Tx) =>
  tx
    .selectFrom('camera_transfers')
    .select(['account_id', 'receiver_account_id', 'camera_transfer_id', 'status', 'cameras', 'sender_name'])
    .select(['sender_email', 'receiver_email', 'receiver_named_account_id', 'created_at', 'expires_at', 'ended_at'])

type TransferRow = Awaited<ReturnType<ReturnType<typeof transfers>['executeTakeFirstOrThrow']>>

const toStored = (row: TransferRow): StoredTransfer => ({
  accountId: row.account_id,
  receiverAccountId: row.receiver_account_id,
  cameraTransferId: row.camera_transfer_id,
  status: row.status,
  cameras: row.cameras as unknown as readonly OfferedCamera[],
  sender: { name: row.sender_name, email: row.sender_email },
  email: row.receiver_email,
  targetAccountId: row.receiver_named_account_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
})

/** Those that the account made and got since then, the newest first. */
export async function listTransfers(tx: Tx, accountId: number, since: number): Promise<readonly StoredTransfer[]> {
  const rows = await transfers(tx)
    .where(({ or, eb }) => or([eb('account_id', '=', accountId), eb('receiver_account_id', '=', accountId)]))
    .where('created_at', '>', instant(since))
    .orderBy('created_at', 'desc')
    .orderBy('camera_transfer_id', 'desc')
    .execute()
  return rows.map(toStored)
}

/** An offer that the account of this transaction made or got. */
export async function findTransfer(tx: Tx, cameraTransferId: number): Promise<StoredTransfer | undefined> {
  const row = await transfers(tx).where('camera_transfer_id', '=', cameraTransferId).executeTakeFirst()
  return row && toStored(row)
}

/** One that the account made, locked. */
export async function lockOwnTransfer(
  tx: Tx,
  { accountId, cameraTransferId }: { readonly accountId: number; readonly cameraTransferId: number },
): Promise<StoredTransfer | undefined> {
  const row = await transfers(tx)
    .where('account_id', '=', accountId)
    .where('camera_transfer_id', '=', cameraTransferId)
    .forUpdate()
    .executeTakeFirst()
  return row && toStored(row)
}

export async function markWithdrawn(
  tx: Tx,
  { accountId, cameraTransferId }: Pick<StoredTransfer, 'accountId' | 'cameraTransferId'>,
  now: number,
): Promise<void> {
  await tx
    .updateTable('camera_transfers')
    .set({ status: 'withdrawn', ended_at: instant(now) })
    .where('account_id', '=', accountId)
    .where('camera_transfer_id', '=', cameraTransferId)
    .execute()
}

/** A camera's password, as it is sealed for the account that offers it. */
export interface OfferedPassword {
  readonly accountId: number
  readonly cameraId: number
  readonly sealed: Buffer | null
}

export async function listOfferedPasswords(tx: Tx, cameraTransferId: number): Promise<readonly OfferedPassword[]> {
  const { rows } = await sql<{ account_id: number; camera_id: number; password_sealed: Buffer | null }>`
    select account_id, camera_id, password_sealed from offered_passwords(${cameraTransferId}::bigint)
     order by camera_id`.execute(tx)
  return rows.map((row) => ({ accountId: row.account_id, cameraId: row.camera_id, sealed: row.password_sealed }))
}

interface EndedTransfer {
  readonly cameraTransferId: number
  /** Of the entry in the log of the account that offered. */
  readonly entryId: number
  readonly now: number
}

export interface AcceptedTransfer extends EndedTransfer {
  readonly zoneId: number
  readonly moves: readonly {
    readonly cameraId: number
    readonly newCameraId: number
    /** As it was read. */
    readonly was: Buffer | null
    readonly sealed: Buffer | null
  }[]
}

/** Fails with `slotFault` of the cameras, and with `isAlreadyAdded` of the additions. */
export async function acceptTransfer(tx: Tx, given: AcceptedTransfer): Promise<TransferOutcome> {
  const { cameraTransferId, entryId, now, zoneId } = given
  const moves = given.moves.map(({ cameraId, newCameraId, was, sealed }) => ({
    camera_id: cameraId,
    new_camera_id: newCameraId,
    was: was === null ? null : was.toString('hex'),
    sealed: sealed === null ? null : sealed.toString('hex'),
  }))
  const { rows } = await sql<{ outcome: TransferOutcome }>`
    select accept_camera_transfer(${cameraTransferId}::bigint, ${zoneId}::bigint, ${JSON.stringify(moves)}::jsonb,
      ${entryId}::bigint, ${instant(now)}) as outcome`.execute(tx)
  return rows[0]?.outcome ?? 'notFound'
}

export async function declineTransfer(tx: Tx, given: EndedTransfer): Promise<TransferOutcome> {
  const { cameraTransferId, entryId, now } = given
  const { rows } = await sql<{ outcome: TransferOutcome }>`
    select decline_camera_transfer(${cameraTransferId}::bigint, ${entryId}::bigint, ${instant(now)}) as outcome`.execute(
    tx,
  )
  return rows[0]?.outcome ?? 'notFound'
}

/** The owner of the transaction's account, and the first host of its brand. */
export async function loadTransferRecipient(tx: Tx, accountId: number) {
  return tx
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .select(['a.name as account_name', 'a.time_zone', 'u.email', 'u.language'])
    .select((query) =>
      query
        .selectFrom('brand_hosts as h')
        .whereRef('h.reseller_id', '=', 'a.reseller_id')
        .select('h.host')
        .orderBy('h.host')
        .limit(1)
        .as('host'),
    )
    .where('u.account_id', '=', accountId)
    .where('u.user_id', '=', accountId)
    .executeTakeFirst()
}

/** Removes cameras of other accounts whose footage is gone. */
export async function dropTransferred(db: Db, moment: number): Promise<void> {
  await sql`select drop_transferred_cameras(${instant(moment)})`.execute(db.plain)
}
