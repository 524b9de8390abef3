import { toDateTime } from '@sightline/contract/wire'
import { matchAny, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { accessibleCameras } from '../cameras/index.ts'
import type { ViewKind } from './kinds.ts'

type Reach = Pick<MemberCaller, 'accountId' | 'userId' | 'access'>

export interface SavedView<Content> {
  readonly savedViewId: number
  /** Who alone has it; null: all users of the account. */
  readonly userId: number | null
  readonly name: string
  /** Without cameras out of the caller's scope. */
  readonly content: Content
  /** Whether the caller has access to all of its cameras. */
  readonly whole: boolean
  readonly createdAt: string
}

/**
 * What the caller sees of one kind, by name: what all users have, and layouts of the caller's own. Something whose cameras
 * are all out of scope isn't seen: its name may say what they show.
 */
export async function listSavedViews<Content>(
  tx: Tx,
  caller: Reach,
  { kind, camerasOf, among }: ViewKind<Content>,
  savedViewId?: number,
): Promise<SavedView<Content>[]> {
  let query = tx
    .selectFrom('saved_views')
    .selectAll()
    .where('account_id', '=', caller.accountId)
    .where('kind', '=', kind)
    .where(({ or, eb }) => or([eb('user_id', 'is', null), eb('user_id', '=', caller.userId)]))
  if (savedViewId !== undefined) query = query.where('saved_view_id', '=', savedViewId)
  const rows = await query.orderBy(sql`lower(name)`).orderBy('saved_view_id').execute()
  const contents = rows.map((row) => row.content as Content)
  const { existing, inScope } = await findCameras(tx, caller, contents.flatMap(camerasOf))
  return rows.flatMap((row, index) => {
    const stored = contents[index] as Content
    const there = camerasOf(stored).filter((cameraId) => existing.has(cameraId))
    const seen = there.filter((cameraId) => inScope.has(cameraId))
    if (there.length > 0 && seen.length === 0) return []
    return {
      savedViewId: row.saved_view_id,
      userId: row.user_id,
      name: row.name,
      content: among(stored, (cameraId) => inScope.has(cameraId)),
      whole: seen.length === there.length,
      createdAt: toDateTime(row.created_at),
    }
  })
}

/** Which of the cameras the account still has, and which of those the caller has access to. */
async function findCameras(
  tx: Tx,
  caller: Reach,
  cameraIds: readonly number[],
): Promise<{ readonly existing: ReadonlySet<number>; readonly inScope: ReadonlySet<number> }> {
  const inScope = await findAmong(tx, caller, cameraIds)
  if (caller.access.kind === 'all') return { existing: inScope, inScope }
  return { existing: await findAmong(tx, { ...caller, access: { kind: 'all' } }, cameraIds), inScope }
}

const findAmong = async (tx: Tx, caller: Reach, cameraIds: readonly number[]): Promise<ReadonlySet<number>> => {
  const query = accessibleCameras(tx, caller).select('cameras.camera_id')
  const rows = await query.where('cameras.camera_id', '=', matchAny([...new Set(cameraIds)])).execute()
  return new Set(rows.map((row) => row.camera_id))
}

/** Whether the caller has access to all of these cameras. */
export async function hasCameras(tx: Tx, caller: Reach, cameraIds: readonly number[]): Promise<boolean> {
  return (await findAmong(tx, caller, cameraIds)).size === new Set(cameraIds).size
}

/** What all users have counts apart from each user's own. */
export async function countSavedViews(
  tx: Tx,
  { accountId, kind, userId }: { accountId: number; kind: ViewKind<unknown>['kind']; userId: number | null },
): Promise<number> {
  const query = tx
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('saved'))
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
  const counted = userId === null ? query.where('user_id', 'is', null) : query.where('user_id', '=', userId)
  return (await counted.executeTakeFirstOrThrow()).saved
}

interface Fields {
  readonly name: string
  readonly userId: number | null
  readonly content: unknown
}

const toColumns = ({ name, userId, content }: Fields) => ({ name, user_id: userId, content: JSON.stringify(content) })

interface Key {
  readonly accountId: number
  readonly savedViewId: number
}

export async function insertSavedView(
  tx: Tx,
  { accountId, savedViewId, kind }: Key & Pick<ViewKind<unknown>, 'kind'>,
  fields: Fields,
): Promise<void> {
  const row = { account_id: accountId, saved_view_id: savedViewId, kind, ...toColumns(fields) }
  await tx.insertInto('saved_views').values(row).execute()
}

export async function saveSavedView(tx: Tx, { accountId, savedViewId }: Key, fields: Fields): Promise<void> {
  const row = tx.updateTable('saved_views').set(toColumns(fields)).where('account_id', '=', accountId)
  await row.where('saved_view_id', '=', savedViewId).execute()
}

export async function removeSavedView(tx: Tx, { accountId, savedViewId }: Key): Promise<void> {
  const row = tx.deleteFrom('saved_views').where('account_id', '=', accountId)
  await row.where('saved_view_id', '=', savedViewId).execute()
}
