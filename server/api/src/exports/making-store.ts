import type { ExportFailure } from '@sightline/contract/exports'
import type { ClipSound, DerivedOrder, ExportOrder } from '@sightline/contract/footage-proof'
import { canAccessCamera, effectiveRights, type Member } from '@sightline/contract/rights'
import { instant, matchAny, type Tx } from '@sightline/platform/db'
import { buildMember } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { getExportDenyReason } from './rules.ts'
import type { ExportKey, ExportRow } from './store.ts'

/** An export that may still be made; locked until the transaction ends. */
export const lockUnfinished = (tx: Tx, { accountId, exportId }: ExportKey): Promise<ExportRow | undefined> =>
  tx
    .selectFrom('exports')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('export_id', '=', exportId)
    .where('removed_at', 'is', null)
    .where('status', 'in', ['Queued', 'Created', 'InProgress'])
    .forUpdate()
    .executeTakeFirst()

/** The user who requested an export, with their current rights. */
export interface Asker {
  readonly name: string
  readonly mayExport: boolean
  readonly hasSound: boolean
}

/** Whether they may have the footage of all these cameras; undefined if the user is gone, blocked, or the account suspended. */
export async function loadAsker(
  tx: Tx,
  {
    account_id: accountId,
    user_id: userId,
    camera_ids: cameraIds,
  }: Pick<ExportRow, 'account_id' | 'user_id' | 'camera_ids'>,
): Promise<Asker | undefined> {
  const row = await tx
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .innerJoin('resellers as r', 'r.reseller_id', 'u.reseller_id')
    .select(['u.user_id', 'u.account_id', 'u.reseller_id', 'u.rights as grants', 'r.modules', 'u.all_cameras'])
    .select(['a.status as account_status', 'a.user_type', 'a.sub_users_barred'])
    .select(['u.blocked', 'u.first_name', 'u.last_name', 'u.email'])
    .where('u.account_id', '=', accountId)
    .where('u.user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined || row.blocked || row.account_status === 'suspended') return undefined
  const own = (table: 'user_cameras' | 'user_zones') =>
    tx.selectFrom(table).selectAll().where('account_id', '=', accountId).where('user_id', '=', userId).execute()
  const [grantedCameras, grantedZones] = [await own('user_cameras'), await own('user_zones')]
  const member = buildMember(
    {
      ...row,
      barred: row.sub_users_barred && userId !== accountId,
      camera_ids: grantedCameras.flatMap((grant) => ('camera_id' in grant ? [grant.camera_id] : [])),
      zone_ids: grantedZones.flatMap((grant) => ('zone_id' in grant ? [grant.zone_id] : [])),
    },
    { scopes: ['read', 'write'], support: undefined, apiKeyId: undefined, provisioning: false, isGuest: false },
  )
  const rights = effectiveRights(member)
  return {
    name: `${row.first_name} ${row.last_name}, ${row.email}`.slice(0, 300),
    mayExport: getExportDenyReason(rights) === undefined && (await reachesAll(tx, member, cameraIds)),
    hasSound: rights.has('microphone'),
  }
}

async function reachesAll(tx: Tx, member: Member, cameraIds: readonly number[]): Promise<boolean> {
  const rows = await tx
    .selectFrom('cameras')
    .select(['account_id', 'camera_id', 'zone_id'])
    .where('account_id', '=', member.accountId)
    .where('camera_id', '=', matchAny([...cameraIds]))
    .execute()
  const reached = rows.filter((row) =>
    canAccessCamera(member, { accountId: row.account_id, cameraId: row.camera_id, zoneId: row.zone_id }),
  )
  return reached.length === cameraIds.length
}

/** A camera as its exports name it. */
export interface ExportedCamera {
  readonly name: string
  /** Its own, its zone's, or the account's. */
  readonly timeZone: string
}

export async function loadCameras(
  tx: Tx,
  { account_id: accountId, camera_ids: cameraIds }: Pick<ExportRow, 'account_id' | 'camera_ids'>,
): Promise<ReadonlyMap<number, ExportedCamera>> {
  const rows = await tx
    .selectFrom('cameras as c')
    .innerJoin('accounts as a', 'a.account_id', 'c.account_id')
    .leftJoin('zones as z', (join) =>
      join.onRef('z.account_id', '=', 'c.account_id').onRef('z.zone_id', '=', 'c.zone_id'),
    )
    .select(['c.camera_id', 'c.name', 'c.time_zone as own_zone', 'z.time_zone as place_zone', 'a.time_zone'])
    .where('c.account_id', '=', accountId)
    .where('c.camera_id', '=', matchAny([...cameraIds]))
    .execute()
  return new Map(
    rows.map((row) => [row.camera_id, { name: row.name, timeZone: row.own_zone ?? row.place_zone ?? row.time_zone }]),
  )
}

/** One attempt to create an export. It doesn't touch an attempt that another process started later. */
export interface ExportAttempt extends ExportKey {
  readonly attempt: number
}

const ofAttempt = (tx: Tx, { accountId, exportId, attempt }: ExportAttempt) =>
  tx
    .updateTable('exports')
    .where('account_id', '=', accountId)
    .where('export_id', '=', exportId)
    .where('attempt', '=', attempt)
    .where('removed_at', 'is', null)
    .where('status', 'in', ['Queued', 'Created', 'InProgress'])

const isChanged = async (update: { executeTakeFirst(): Promise<{ numUpdatedRows: bigint }> }): Promise<boolean> =>
  (await update.executeTakeFirst()).numUpdatedRows > 0n

/** Marks the attempt as started. */
export async function beginAttempt(tx: Tx, { accountId, exportId, attempt }: ExportAttempt): Promise<void> {
  await tx
    .updateTable('exports')
    .set({ status: 'Created', progress: 0, attempt, key_sealed: null })
    .where('account_id', '=', accountId)
    .where('export_id', '=', exportId)
    .execute()
}

/**
 * Marks the file as being written; false if the export was canceled or another process has taken it over. A file that is larger than
 * estimated counts with its size.
 */
export const markInProgress = (
  tx: Tx,
  of: ExportAttempt,
  { progress, bytes }: { readonly progress: number; readonly bytes: number },
): Promise<boolean> =>
  isChanged(
    ofAttempt(tx, of).set({
      status: 'InProgress',
      progress,
      estimated_bytes: sql<number>`greatest(estimated_bytes, ${bytes}::bigint)`,
    }),
  )

/** Queues it for another attempt. */
export const markQueued = (tx: Tx, of: ExportAttempt): Promise<boolean> =>
  isChanged(ofAttempt(tx, of).set({ status: 'Queued', progress: 0, key_sealed: null }))

export const markFailed = (
  tx: Tx,
  of: ExportAttempt,
  given: { readonly failure: ExportFailure; readonly detail: string; readonly listedUntil: number },
): Promise<boolean> =>
  isChanged(
    ofAttempt(tx, of).set({
      status: 'Failed',
      failure: given.failure,
      failure_detail: given.detail,
      expires_at: instant(given.listedUntil),
      key_sealed: null,
      password_sealed: null,
    }),
  )

/** A time without footage, milliseconds since 1970. */
export interface ExportedGap {
  readonly from: number
  readonly till: number
}

export interface MadeFile {
  readonly keySealed: Buffer
  readonly bytes: number
  readonly sha256: Buffer
  readonly hasSound: boolean
  readonly sound: ClipSound | null
  /** Null if they aren't known. */
  readonly gaps: readonly ExportedGap[] | null
  readonly exportedAt: number
  /** Fingerprint of the key that signed it. */
  readonly signer: string
  readonly expiresAt: number
}

export const markDone = (tx: Tx, of: ExportAttempt, file: MadeFile): Promise<boolean> =>
  isChanged(
    ofAttempt(tx, of).set({
      status: 'Done',
      progress: 100,
      key_sealed: file.keySealed,
      password_sealed: null,
      size_bytes: file.bytes,
      sha256: file.sha256,
      has_sound: file.hasSound,
      sound: file.sound,
      gaps: file.gaps === null ? null : JSON.stringify(file.gaps.map(({ from, till }) => [from, till])),
      exported_at: instant(file.exportedAt),
      signer: file.signer,
      expires_at: instant(file.expiresAt),
    }),
  )

export interface NewClipTicket extends ExportKey {
  readonly sha256: Buffer
  readonly userId: number
  readonly cameraId: number
  readonly from: number
  readonly till: number
  readonly hasSound: boolean
  readonly order: ExportOrder
  /** What is drawn into the pictures. */
  readonly derived: DerivedOrder | undefined
  readonly expiresAt: number
}

/** Lets a media worker send the clip of a camera, once. */
export async function insertClipTicket(tx: Tx, ticket: NewClipTicket): Promise<void> {
  await tx
    .insertInto('stream_tickets')
    .values({
      account_id: ticket.accountId,
      ticket_sha256: ticket.sha256,
      user_id: ticket.userId,
      camera_id: ticket.cameraId,
      token_sha256: null,
      export_id: ticket.exportId,
      has_sound: ticket.hasSound,
      use: 'mp4',
      stream: 'main',
      from_at: instant(ticket.from),
      till_at: instant(ticket.till),
      proof: JSON.stringify({ ...ticket.order, derived: ticket.derived }),
      expires_at: instant(ticket.expiresAt),
    })
    .execute()
}

/** The files on the disk that are still needed. */
export async function loadWanted(tx: Tx, exportIds: readonly number[], now: number) {
  const { rows } = await sql<{ export_id: number; attempt: number }>`
    select export_id, attempt from wanted_exports(${[...exportIds]}::bigint[], ${instant(now)})`.execute(tx)
  return new Set(rows.map((row) => `${row.export_id}-${row.attempt}`))
}

/** Expired files and links, and exports that were never created. */
export async function expireExports(tx: Tx, now: number): Promise<void> {
  await sql`select expire_exports(${instant(now)})`.execute(tx)
}
