import { type AuditLog, type AuditLogMetadata, MAX_COUNTED } from '@sightline/contract/audit-logs'
import { getActionGroup } from '@sightline/contract/routes/audit-actions'
import { toDateTime } from '@sightline/contract/wire'
import { type KeysetPage, type KeysetQuestion, keysetPage, limitTime, matchAny, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import { type LogQuery, toInstant } from './entries-store.ts'

const columns = [
  'l.account_id',
  'l.audit_log_id',
  'l.at',
  'l.user_id',
  'l.actor_name',
  'l.staff_id',
  'l.api_key_id',
  'l.client_id',
  'l.action',
  'l.target_kind',
  'l.target_id',
  'l.address',
  'l.salt',
  'l.before',
  'l.after',
] as const

export interface AuditEntryRow {
  account_id: number
  audit_log_id: number
  at: number
  user_id: number | null
  actor_name: string | null
  staff_id: number | null
  api_key_id: number | null
  client_id: string | null
  action: string
  target_kind: string | null
  target_id: number | null
  address: string | null
  salt: Buffer | null
  before: unknown
  after: unknown
}

/** A search with few matches reads all entries; this limits its time. */
const SEARCH_MS = 5000

/** One page of entries, by time. */
export async function loadEntriesPage(
  tx: Tx,
  query: LogQuery,
  question: KeysetQuestion,
): Promise<KeysetPage<AuditEntryRow>> {
  await limitTime(tx, SEARCH_MS)
  const order = {
    by: sql<number>`l.at`,
    key: sql<number>`l.audit_log_id`,
    toSql: (value: string | number) => sql<number>`${toInstant(Number(value))}`,
  }
  return keysetPage<AuditEntryRow>(query.select(columns), order, question)
}

/** The number of entries, up to {@link MAX_COUNTED}: counting millions would take longer than reading a page. */
export async function countEntries(tx: Tx, query: LogQuery): Promise<number> {
  await limitTime(tx, SEARCH_MS)
  const { rows } = await sql<{ lines: number }>`
    select count(*) as lines from (${query.select(sql`1`.as('one')).limit(MAX_COUNTED)}) found`.execute(tx)
  return rows[0]?.lines ?? 0
}

/** Current names of the targets, and the entries' positions in the chain. */
export interface EntryReferences {
  /** By kind and id: `camera 17`. */
  readonly names: ReadonlyMap<string, string>
  readonly sequences: ReadonlyMap<number, number>
}

/** Whose names a reader may see: of all objects in the account or, for staff, only of its users. */
export type NameVisibility = 'all' | 'people'

/** The objects that a page of entries refers to. */
export async function loadEntryReferences(
  tx: Tx,
  rows: readonly AuditEntryRow[],
  { accountId, names }: { readonly accountId: number; readonly names: NameVisibility },
): Promise<EntryReferences> {
  const ids = rows.map((row) => row.audit_log_id)
  const links = await tx
    .selectFrom('audit_chain')
    .select(['audit_log_id', 'sequence'])
    .where('account_id', '=', accountId)
    .where('audit_log_id', '=', matchAny(ids))
    .execute()
  return {
    names: await namesOf(tx, { accountId, ids: idsNamed(rows), names }),
    sequences: new Map(links.map((link) => [link.audit_log_id, link.sequence])),
  }
}

const idsNamed = (rows: readonly AuditEntryRow[]): readonly number[] => [
  ...new Set(rows.flatMap((row) => [row.target_id, row.user_id]).filter((id) => id !== null)),
]

/** All objects share one id space, so an id is looked up in every table. */
async function namesOf(
  tx: Tx,
  { accountId, ids, names }: { accountId: number; ids: readonly number[]; names: NameVisibility },
): Promise<ReadonlyMap<string, string>> {
  const named = matchAny(ids)
  const ofThings = sql`
    union all
    select 'camera', camera_id, name from cameras where account_id = ${accountId} and camera_id = ${named}
    union all
    select 'zone', zone_id, name from zones where account_id = ${accountId} and zone_id = ${named}
    union all
    select 'device', device_id, name from devices where account_id = ${accountId} and device_id = ${named}`
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'user' as kind, user_id as id, first_name || ' ' || last_name as name from users
     where account_id = ${accountId} and user_id = ${named} ${names === 'all' ? ofThings : sql``}`.execute(tx)
  return new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]))
}

/** The user's name: as stored with the entry; for early entries the current name, unless it was erased. */
function actorOf(row: AuditEntryRow, names: EntryReferences['names']): string | null {
  if (row.actor_name !== null || row.salt === null) return row.actor_name
  return names.get(`user ${row.user_id}`) ?? null
}

function targetOf(
  { target_kind: kind, target_id: id }: AuditEntryRow,
  names: EntryReferences['names'],
): AuditLog['target'] {
  return kind === null || id === null ? null : { kind, id, name: names.get(`${kind} ${id}`) ?? null }
}

/** Without the changed values. */
export function toMetadata(row: AuditEntryRow, { names, sequences }: EntryReferences): AuditLogMetadata {
  const sequence = sequences.get(row.audit_log_id) ?? null
  const target = targetOf(row, names)
  const isCamera = target?.kind === 'camera'
  return {
    auditLogId: row.audit_log_id,
    accountId: row.account_id,
    time: toDateTime(row.at),
    userId: row.user_id,
    user: actorOf(row, names),
    action: row.action,
    group: getActionGroup(row.action),
    target,
    cameraId: isCamera ? target.id : null,
    camera: isCamera ? target.name : null,
    address: row.address,
    clientId: row.client_id,
    supportSession: row.staff_id !== null && row.staff_id !== row.user_id,
    staff: row.staff_id === null ? null : { staffId: row.staff_id, name: row.actor_name },
    apiKeyId: row.api_key_id,
    sealed: sequence !== null,
    sequence,
  }
}

export const toEntry = (row: AuditEntryRow, surroundings: EntryReferences): AuditLog => ({
  ...toMetadata(row, surroundings),
  before: row.before,
  after: row.after,
})
