import { type ExportFailure, exportFailure, type FootageExport } from '@sightline/contract/exports'
import { toDateTime } from '@sightline/contract/wire'
import { instant, matchAny, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { accessibleCameras } from '../cameras/index.ts'
import type { ExportUsage } from './rules.ts'

export interface ExportKey {
  readonly accountId: number
  readonly exportId: number
}

const inAccount = (tx: Tx, accountId: number) =>
  tx.selectFrom('exports').selectAll().where('account_id', '=', accountId).where('removed_at', 'is', null)

export type ExportRow = Awaited<ReturnType<ReturnType<typeof inAccount>['executeTakeFirstOrThrow']>>

/** The owner sees all exports of the account, others their own. Copies that are shared are seen as shares. */
function inSightOf(tx: Tx, { accountId, userId }: Pick<MemberCaller, 'accountId' | 'userId'>) {
  const all = inAccount(tx, accountId).where('is_shared', '=', false)
  return userId === accountId ? all : all.where('user_id', '=', userId)
}

type Viewer = Pick<MemberCaller, 'accountId' | 'userId'>

export const listExports = async (tx: Tx, caller: Viewer): Promise<FootageExport[]> =>
  (await inSightOf(tx, caller).orderBy('created_at', 'desc').orderBy('export_id', 'desc').execute()).map(toExport)

export const findExportRow = (tx: Tx, caller: Viewer, exportId: number): Promise<ExportRow | undefined> =>
  inSightOf(tx, caller).where('export_id', '=', exportId).executeTakeFirst()

export const lockExportRow = (tx: Tx, caller: Viewer, exportId: number): Promise<ExportRow | undefined> =>
  inSightOf(tx, caller).where('export_id', '=', exportId).forUpdate().executeTakeFirst()

const toFailure = (text: string | null): ExportFailure | null => exportFailure.safeParse(text).data ?? null
const timeText = (at: number | null): string | null => (at === null ? null : toDateTime(at))

export const toExport = (row: ExportRow): FootageExport => ({
  exportId: row.export_id,
  name: row.name,
  format: row.format,
  cameraIds: [...row.camera_ids],
  from: toDateTime(row.started_at),
  till: toDateTime(row.ended_at),
  duration: (row.ended_at - row.started_at) / 1000,
  status: row.status,
  progress: row.progress,
  failure: toFailure(row.failure),
  failureDetail: row.failure_detail,
  reason: row.reason,
  hasPassword: row.has_password,
  hasSound: row.status === 'Done' ? row.has_sound : null,
  sound: row.status === 'Done' ? row.sound : null,
  overlay: row.overlay,
  watermark: row.watermark,
  logo: row.logo,
  speed: row.speed,
  userId: row.user_id,
  createdAt: toDateTime(row.created_at),
  exportedAt: timeText(row.exported_at),
  expiresAt: row.status === 'Done' ? timeText(row.expires_at) : null,
  sizeBytes: row.size_bytes,
  sha256: row.sha256?.toString('hex') ?? null,
})

export interface NewExportRow extends ExportKey {
  readonly userId: number
  readonly cameraIds: readonly number[]
  readonly from: number
  readonly till: number
  readonly format: 'mp4' | 'zip'
  readonly name: string
  readonly reason: string
  readonly passwordSealed: Buffer | undefined
  readonly overlay?: boolean | undefined
  readonly watermark?: string | undefined
  readonly logo?: boolean | undefined
  readonly speed?: number | undefined
  readonly estimatedBytes: number
  /** Of a copy that is shared: when it is removed. */
  readonly keptUntil?: number
  readonly now: number
}

export async function insertExport(tx: Tx, made: NewExportRow): Promise<void> {
  await tx
    .insertInto('exports')
    .values({
      account_id: made.accountId,
      export_id: made.exportId,
      user_id: made.userId,
      camera_ids: [...made.cameraIds],
      started_at: instant(made.from),
      ended_at: instant(made.till),
      format: made.format,
      name: made.name,
      reason: made.reason,
      overlay: made.overlay ?? false,
      watermark: made.watermark ?? null,
      logo: made.logo ?? false,
      speed: made.speed ?? 1,
      password_sealed: made.passwordSealed ?? null,
      has_password: made.passwordSealed !== undefined,
      created_at: instant(made.now),
      estimated_bytes: made.estimatedBytes,
      is_shared: made.keptUntil !== undefined,
      kept_until: made.keptUntil === undefined ? null : instant(made.keptUntil),
    })
    .execute()
}

/** Exports of an account are added one at a time, so that two can't use the same remaining quota. */
export async function lockQuota(tx: Tx, accountId: number): Promise<ExportUsage> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exports of ${accountId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ waiting: number; kept: number; bytes: number }>`
    select count(*) filter (where status <> 'Done')::int as waiting, count(*)::int as kept,
           coalesce(sum(coalesce(size_bytes, estimated_bytes)), 0)::bigint as bytes
      from exports where account_id = ${accountId} and removed_at is null and status <> 'Failed'`.execute(tx)
  return rows[0] ?? { waiting: 0, kept: 0, bytes: 0 }
}

/** The given cameras in the caller's scope. */
export async function camerasInScope(
  tx: Tx,
  caller: Parameters<typeof accessibleCameras>[1],
  cameraIds: readonly number[],
): Promise<readonly { readonly cameraId: number; readonly name: string }[]> {
  const rows = await accessibleCameras(tx, caller)
    .select(['cameras.camera_id', 'cameras.name'])
    .where('cameras.camera_id', '=', matchAny([...cameraIds]))
    .execute()
  const names = new Map(rows.map((row) => [row.camera_id, row.name]))
  return cameraIds.flatMap((cameraId) => {
    const name = names.get(cameraId)
    return name === undefined ? [] : [{ cameraId, name }]
  })
}

/** How much footage the cameras have of a time, bytes; undefined if there is none. */
export async function estimateBytes(
  tx: Tx,
  of: {
    readonly accountId: number
    readonly cameraIds: readonly number[]
    readonly from: number
    readonly till: number
  },
): Promise<number | undefined> {
  const [from, till] = [instant(of.from), instant(of.till)]
  const { rows } = await sql<{ runs: number; bytes: number }>`
    select count(*)::int as runs,
           coalesce(sum(bytes * extract(epoch from least(ended_at, ${till}::timestamptz) - greatest(started_at, ${from}::timestamptz))
             / nullif(extract(epoch from ended_at - started_at), 0)), 0)::bigint as bytes
      from recording_runs
     where account_id = ${of.accountId} and camera_id = ${matchAny([...of.cameraIds])} and stream = 'main'
       and (bytes > 0 or is_open) and started_at < ${till} and ended_at > ${from}
       and started_at > ${from}::timestamptz - interval '2 hours'`.execute(tx)
  const [row] = rows
  return row === undefined || row.runs === 0 ? undefined : Number(row.bytes)
}

/** Its file is gone, and none is being created. */
export async function markRemoved(tx: Tx, { accountId, exportId }: ExportKey, now: number): Promise<void> {
  await tx
    .updateTable('exports')
    .set({ removed_at: instant(now), key_sealed: null, password_sealed: null })
    .where('account_id', '=', accountId)
    .where('export_id', '=', exportId)
    .execute()
}

export interface NewLink extends ExportKey {
  readonly ticketSha256: Buffer
  readonly tokenSha256: Buffer
  readonly expiresAt: number
}

export async function insertLink(tx: Tx, link: NewLink): Promise<void> {
  await tx
    .insertInto('export_links')
    .values({
      account_id: link.accountId,
      export_id: link.exportId,
      ticket_sha256: link.ticketSha256,
      token_sha256: link.tokenSha256,
      expires_at: instant(link.expiresAt),
    })
    .execute()
}

export interface SignedExport {
  /** Milliseconds since 1970. */
  readonly exportedAt: number
  /** Fingerprint of the key that signed it; null for exports that were made before it was kept. */
  readonly signer: string | null
}

/** Of the file with that hash. */
export async function findSignedExport(
  tx: Pick<Tx, 'getExecutor'>,
  exportId: number,
  hash: Buffer,
): Promise<SignedExport | undefined> {
  const { rows } = await sql<{ exported_at: number; signer: string | null }>`
    select exported_at, signer from signed_export_by_hash(${exportId}, ${hash})`.execute(tx)
  return rows[0] && { exportedAt: rows[0].exported_at, signer: rows[0].signer }
}
