import type { FootageShare, ShareStatus, ShareView } from '@sightline/contract/shares'
import { toDateTime } from '@sightline/contract/wire'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'

export interface ShareKey {
  readonly accountId: number
  readonly shareId: number
}

const MAX_VIEWS = 500

const statuses = {
  Queued: 'Preparing',
  Created: 'Preparing',
  InProgress: 'Preparing',
  Done: 'Ready',
  Failed: 'Failed',
} as const satisfies Record<string, ShareStatus>

const ofAccount = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('shares as s')
    .innerJoin('exports as e', (join) =>
      join.onRef('e.account_id', '=', 's.account_id').onRef('e.export_id', '=', 's.export_id'),
    )
    .select(['s.account_id', 's.share_id', 's.export_id', 's.user_id', 's.name', 's.is_public', 's.password_hash'])
    .select(['s.created_at', 's.expires_at', 'e.camera_ids', 'e.started_at', 'e.ended_at', 'e.status', 'e.progress'])
    .select(['e.failure_detail', 'e.has_sound', 'e.gaps', 'e.size_bytes', 'e.sha256', 'e.attempt', 'e.key_sealed'])
    .where('s.account_id', '=', accountId)
    .where('s.ended_at', 'is', null)

export type ShareRow = Awaited<ReturnType<ReturnType<typeof ofAccount>['executeTakeFirstOrThrow']>>

type Viewer = Pick<MemberCaller, 'accountId' | 'userId'>

/** Shares that can be opened: the owner sees all of the account, others their own. */
function inSightOf(tx: Tx, { accountId, userId }: Viewer, now: number) {
  const open = ofAccount(tx, accountId).where('s.expires_at', '>', instant(now))
  return userId === accountId ? open : open.where('s.user_id', '=', userId)
}

export async function listShares(tx: Tx, caller: Viewer, now: number): Promise<FootageShare[]> {
  const rows = await inSightOf(tx, caller, now).orderBy('s.created_at', 'desc').orderBy('s.share_id', 'desc').execute()
  const { rows: counts } = await sql<{ share_id: number; views: number; last_at: number }>`
    select share_id, count(*)::int as views, max(viewed_at) as last_at
      from share_views where account_id = ${caller.accountId} group by share_id`.execute(tx)
  const viewed = new Map(counts.map((row) => [row.share_id, row]))
  return rows.map((row) => {
    const { views = 0, last_at: lastAt } = viewed.get(row.share_id) ?? {}
    return { ...toShare(row), views, lastViewedAt: lastAt === undefined ? null : toDateTime(lastAt) }
  })
}

export const findShareRow = (tx: Tx, caller: Viewer, given: { shareId: number; now: number }) =>
  inSightOf(tx, caller, given.now).where('s.share_id', '=', given.shareId).executeTakeFirst()

/** The share, if it can be opened, without regard to the viewer. */
export const findOpenShare = (tx: Tx, { accountId, shareId }: ShareKey, now: number): Promise<ShareRow | undefined> =>
  ofAccount(tx, accountId).where('s.share_id', '=', shareId).where('s.expires_at', '>', instant(now)).executeTakeFirst()

/** A share without views. */
export const toShare = (row: ShareRow): FootageShare => ({
  shareId: row.share_id,
  cameraId: row.camera_ids[0] ?? 0,
  name: row.name,
  from: toDateTime(row.started_at),
  till: toDateTime(row.ended_at),
  duration: (row.ended_at - row.started_at) / 1000,
  status: statuses[row.status],
  progress: row.progress,
  failureDetail: row.failure_detail,
  public: row.is_public,
  hasPassword: row.password_hash !== null,
  hasSound: row.status === 'Done' ? row.has_sound : null,
  userId: row.user_id,
  createdAt: toDateTime(row.created_at),
  expiresAt: toDateTime(row.expires_at),
  views: 0,
  lastViewedAt: null,
})

/** After {@link lockQuota}, so that two can't use the last place. */
export async function countShares(tx: Tx, accountId: number, now: number): Promise<number> {
  const { count } = await tx
    .selectFrom('shares')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', instant(now))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface NewShareRow extends ShareKey {
  readonly exportId: number
  readonly userId: number
  readonly secretSha256: Buffer
  readonly passwordHash: Buffer | undefined
  readonly isPublic: boolean
  readonly name: string
  readonly expiresAt: number
  readonly now: number
}

export async function insertShare(tx: Tx, made: NewShareRow): Promise<void> {
  await tx
    .insertInto('shares')
    .values({
      account_id: made.accountId,
      share_id: made.shareId,
      export_id: made.exportId,
      user_id: made.userId,
      secret_sha256: made.secretSha256,
      password_hash: made.passwordHash ?? null,
      is_public: made.isPublic,
      name: made.name,
      created_at: instant(made.now),
      expires_at: instant(made.expiresAt),
    })
    .execute()
}

/** False if it had ended before. */
export async function endShare(tx: Tx, { accountId, shareId }: ShareKey, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('shares')
    .set({ ended_at: instant(now) })
    .where('account_id', '=', accountId)
    .where('share_id', '=', shareId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function listViews(tx: Tx, { accountId, shareId }: ShareKey): Promise<ShareView[]> {
  const rows = await tx
    .selectFrom('share_views')
    .select(['viewed_at', 'address', 'user_id'])
    .where('account_id', '=', accountId)
    .where('share_id', '=', shareId)
    .orderBy('viewed_at', 'desc')
    .limit(MAX_VIEWS)
    .execute()
  return rows.map((row) => ({ viewedAt: toDateTime(row.viewed_at), address: row.address, userId: row.user_id }))
}

/** Whose a share is, by its secret. */
export async function findShareOwner({ plain }: Db, secretSha256: Buffer): Promise<ShareKey | undefined> {
  const { rows } = await sql<{ account_id: number; share_id: number }>`
    select account_id, share_id from account_of_share(${secretSha256})`.execute(plain)
  const [row] = rows
  return row && { accountId: row.account_id, shareId: row.share_id }
}

/** The name and time zone of the camera, for viewers; undefined if it is gone. */
export async function findCamera(tx: Tx, row: Pick<ShareRow, 'account_id' | 'camera_ids'>) {
  const [cameraId = 0] = row.camera_ids
  const found = await tx
    .selectFrom('cameras as c')
    .innerJoin('accounts as a', 'a.account_id', 'c.account_id')
    .leftJoin('zones as z', (join) =>
      join.onRef('z.account_id', '=', 'c.account_id').onRef('z.zone_id', '=', 'c.zone_id'),
    )
    .select(['c.name', 'c.time_zone as own_time_zone', 'z.time_zone as zone_time_zone', 'a.time_zone'])
    .where('c.account_id', '=', row.account_id)
    .where('c.camera_id', '=', cameraId)
    .executeTakeFirst()
  return found && { name: found.name, timeZone: found.own_time_zone ?? found.zone_time_zone ?? found.time_zone }
}

export interface NewShareView extends ShareKey {
  readonly ticketSha256: Buffer
  readonly userId: number | null
  readonly tokenSha256: Buffer | null
  readonly address: string
  readonly now: number
  readonly expiresAt: number
}

export async function insertView(tx: Tx, view: NewShareView): Promise<void> {
  await tx
    .insertInto('share_views')
    .values({
      account_id: view.accountId,
      share_id: view.shareId,
      ticket_sha256: view.ticketSha256,
      user_id: view.userId,
      token_sha256: view.tokenSha256,
      address: view.address,
      viewed_at: instant(view.now),
      expires_at: instant(view.expiresAt),
    })
    .execute()
}

/** Whose a view is: the account, and the session of a viewer who is signed in. */
export async function findViewOwner(
  { plain }: Db,
  ticketSha256: Buffer,
): Promise<{ readonly accountId: number; readonly tokenSha256: Buffer | null } | undefined> {
  const { rows } = await sql<{ account_id: number; token_sha256: Buffer | null }>`
    select account_id, token_sha256 from account_of_share_view(${ticketSha256})`.execute(plain)
  const [row] = rows
  return row && { accountId: row.account_id, tokenSha256: row.token_sha256 }
}

/** The share of a view that hasn't expired. */
export async function findViewedShare(
  tx: Tx,
  { accountId, ticketSha256, now }: { readonly accountId: number; readonly ticketSha256: Buffer; readonly now: number },
): Promise<ShareRow | undefined> {
  const view = await tx
    .selectFrom('share_views')
    .select(['share_id', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('ticket_sha256', '=', ticketSha256)
    .executeTakeFirst()
  if (view === undefined || view.expires_at <= now) return undefined
  return await findOpenShare(tx, { accountId, shareId: view.share_id }, now)
}
