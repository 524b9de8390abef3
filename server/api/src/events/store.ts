import { eventType, type RecordedEvent } from '@sightline/contract/events'
import { toDateTime } from '@sightline/contract/wire'
import { instant, type KeysetPage, type KeysetQuestion, keysetPage, matchAny, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { toInstant } from '../audit-logs/index.ts'
import { accessibleCameras } from '../cameras/index.ts'

export interface EventFilter {
  readonly cameraIds?: readonly number[] | undefined
  readonly zoneIds?: readonly number[] | undefined
  readonly types?: readonly string[] | undefined
  readonly minTimestamp?: number | undefined
  readonly maxTimestamp?: number | undefined
  readonly read?: 'true' | 'false' | undefined
  readonly bookmarked?: 'true' | 'false' | undefined
}

type Scope = Pick<MemberCaller, 'accountId' | 'access' | 'rights' | 'userId'>

/**
 * The events that a caller has access to: those of accessible cameras, and for callers with access to everything also
 * those of the account and of removed cameras. All queries about events start here.
 */
const accessibleEvents = (tx: Tx, caller: Scope) => {
  const query = tx.selectFrom('events').where('events.account_id', '=', caller.accountId)
  if (caller.access.kind === 'all') return query
  return query.where('events.camera_id', 'in', accessibleCameras(tx, caller).select('cameras.camera_id'))
}

/** Users are named, as they are called now, for those who see the users, and for themselves. */
const columnsFor = ({ rights, userId }: Scope) => {
  const isNamed = sql`(events.source_kind <> 'user' or ${rights.has('viewUserSettings')}::boolean
    or events.source_id = ${userId}::bigint)`
  const userName = sql`(select first_name || ' ' || last_name from users
    where users.account_id = events.account_id and users.user_id = events.source_id)`
  const name = sql<string>`case when events.source_kind <> 'user' then events.source_name
    when ${isNamed} then coalesce(${userName}, '') else '' end`
  return [
    ...columns,
    sql<number | null>`case when ${isNamed} then events.source_id end`.as('source_id'),
    name.as('source_name'),
  ] as const
}

const columns = [
  'events.event_id',
  'events.type',
  'events.source_kind',
  'events.at',
  'events.ended_at',
  'events.written_at',
  'events.camera_id',
  'events.data',
  'events.is_read',
  'events.is_bookmarked',
  'events.note',
] as const

/** The events that the filter lets through. Ids that don't exist or that the caller has no access to match nothing. */
export async function selectEvents(tx: Tx, caller: Scope, filter: EventFilter) {
  const { types, minTimestamp, maxTimestamp, read, bookmarked } = filter
  const cameraIds = await visibleCameras(tx, caller, filter)
  let query = tx.selectFrom('events').where('events.account_id', '=', caller.accountId)
  if (types !== undefined) query = query.where('events.type', '=', sql<string>`any(${[...types]}::text[])`)
  if (minTimestamp !== undefined) query = query.where('events.at', '>=', toInstant(minTimestamp))
  if (maxTimestamp !== undefined) query = query.where('events.at', '<', toInstant(maxTimestamp))
  if (read !== undefined) query = query.where('events.is_read', '=', read === 'true')
  if (bookmarked !== undefined) query = query.where('events.is_bookmarked', '=', bookmarked === 'true')
  return { caller, query, cameraIds }
}

/** Undefined means all events. As numbers: with a condition on other tables the database would read every event. */
async function visibleCameras(
  tx: Tx,
  caller: Scope,
  { cameraIds, zoneIds }: EventFilter,
): Promise<readonly number[] | undefined> {
  if (caller.access.kind === 'all' && zoneIds === undefined) return cameraIds
  let cameras = accessibleCameras(tx, caller).select('cameras.camera_id')
  if (zoneIds !== undefined) cameras = cameras.where('cameras.zone_id', '=', matchAny(zoneIds))
  if (cameraIds !== undefined) cameras = cameras.where('cameras.camera_id', '=', matchAny(cameraIds))
  return (await cameras.execute()).map((row) => row.camera_id)
}

type Selected = Awaited<ReturnType<typeof selectEvents>>

const order = { by: sql<number>`event_id`, key: sql<number>`event_id` }

/** Newest first. */
export async function loadEventsPage(
  tx: Tx,
  { caller, query, cameraIds }: Selected,
  question: KeysetQuestion,
): Promise<KeysetPage<EventRow>> {
  const { edge, descending } = question
  // An index finds the edge by this; a comparison of the pair alone would read everything before it.
  const isBefore = descending === (edge?.go === 'next')
  const near = edge === undefined ? query : query.where('events.event_id', isBefore ? '<=' : '>=', edge.key)
  // First which ones, from an index alone; then those.
  const ids = idsOf(near)
  const isBackwards = edge === undefined ? descending : isBefore
  const found = await keysetPage<{ event_id: number; at: number }>(
    cameraIds === undefined ? ids : newestOfEach(tx, ids, { cameraIds, isBackwards, limit: question.limit }),
    order,
    question,
  )
  const times = found.rows.map(({ at }) => at)
  const rows = await tx
    .selectFrom('events')
    .select(columnsFor(caller))
    .where('events.account_id', '=', caller.accountId)
    .where('events.event_id', '=', matchAny(found.rows.map(({ event_id }) => event_id)))
    .where('events.at', '>=', instant(Math.min(...times)))
    .where('events.at', '<=', instant(Math.max(...times)))
    .execute()
  const byId = new Map(rows.map((row) => [row.event_id, row]))
  const whole = found.rows.flatMap(({ event_id, keyset_value, keyset_key }) => {
    const row = byId.get(event_id)
    return row === undefined ? [] : [{ ...row, keyset_value, keyset_key }]
  })
  return { rows: whole, hasMore: found.hasMore }
}

const idsOf = (query: Selected['query']) => query.select(['events.event_id', 'events.at'])

/**
 * A page of each camera, of which the page of all is a part. Asked for several cameras at once, the database would read all
 * their events and sort them.
 */
function newestOfEach(
  tx: Tx,
  ids: ReturnType<typeof idsOf>,
  { cameraIds, isBackwards, limit }: { cameraIds: readonly number[]; isBackwards: boolean; limit: number },
) {
  const ofOne = ids
    .where('events.camera_id', '=', sql<number>`chosen.camera_id`)
    .orderBy('events.event_id', isBackwards ? 'desc' : 'asc')
    // One more tells whether there are more, and the edge itself is among them.
    .limit(limit + 2)
  return tx
    .selectFrom(sql<{ camera_id: number }>`unnest(${[...cameraIds]}::bigint[])`.as<'chosen'>(sql`chosen(camera_id)`))
    .innerJoinLateral(ofOne.as('event'), (join) => join.onTrue())
    .select(['event.event_id', 'event.at'])
}

const ofCameras = ({ query, cameraIds }: Selected): Selected['query'] =>
  cameraIds === undefined ? query : query.where('events.camera_id', '=', matchAny(cameraIds))

export async function countEvents(tx: Tx, selected: Selected): Promise<number> {
  const query = ofCameras(selected)
  const { rows } = await sql<{ events: number }>`
    select count(*) as events from (${query.select('events.event_id')}) found`.execute(tx)
  return rows[0]?.events ?? 0
}

/** Events that changed after a position, up to another, in the order of their changes. */
export async function loadChangedEvents(
  selected: Selected,
  { after, till, limit }: { readonly after: number; readonly till: number; readonly limit: number },
): Promise<readonly { readonly position: number; readonly event: RecordedEvent }[]> {
  const rows = await ofCameras(selected)
    .select([...columnsFor(selected.caller), 'events.position'])
    .where('events.position', '>', after)
    .where('events.position', '<=', till)
    .orderBy('events.position')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ position: row.position, event: toEvent(row) }))
}

/** The position of the account's latest change; 0 if there is none. */
export async function loadLastPosition(tx: Tx, accountId: number): Promise<number> {
  const row = await tx
    .selectFrom('events')
    .select('position')
    .where('account_id', '=', accountId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.position ?? 0
}

/** Undefined if it doesn't exist or is out of the caller's scope: callers can't tell which. */
export async function findEvent(tx: Tx, caller: Scope, eventId: number): Promise<RecordedEvent | undefined> {
  const query = accessibleEvents(tx, caller).select(columnsFor(caller))
  const row = await query.where('events.event_id', '=', eventId).executeTakeFirst()
  return row === undefined ? undefined : toEvent(row)
}

/** The event of a camera that starts next after a time, or last before it. */
export async function findAdjacentEvent(
  tx: Tx,
  caller: Scope,
  { cameraId, time, direction }: { cameraId: number; time: number; direction: 'next' | 'previous' },
): Promise<RecordedEvent | undefined> {
  const isNext = direction === 'next'
  const row = await accessibleEvents(tx, caller)
    .select(columnsFor(caller))
    .where('events.camera_id', '=', cameraId)
    .where('events.at', isNext ? '>' : '<', toInstant(time))
    .orderBy('events.at', isNext ? 'asc' : 'desc')
    .orderBy('events.event_id', isNext ? 'asc' : 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : toEvent(row)
}

/** The event, locked until the transaction ends. */
export async function lockEvent(tx: Tx, caller: Scope, eventId: number): Promise<RecordedEvent | undefined> {
  const query = accessibleEvents(tx, caller).select(columnsFor(caller)).where('events.event_id', '=', eventId)
  const row = await query.forNoKeyUpdate().executeTakeFirst()
  return row === undefined ? undefined : toEvent(row)
}

export interface EventMarks {
  readonly eventId: number
  readonly read: boolean
  readonly bookmarked: boolean
  readonly note: string
}

export async function saveMarks(tx: Tx, accountId: number, marks: EventMarks): Promise<void> {
  await tx
    .updateTable('events')
    .set({ is_read: marks.read, is_bookmarked: marks.bookmarked, note: marks.note })
    .where('account_id', '=', accountId)
    .where('event_id', '=', marks.eventId)
    .execute()
}

export interface EventRow {
  event_id: number
  type: string
  source_kind: RecordedEvent['source']['kind']
  source_id: number | null
  source_name: string
  at: number
  ended_at: number | null
  written_at: number
  camera_id: number | null
  data: Readonly<Record<string, string>>
  is_read: boolean
  is_bookmarked: boolean
  note: string
}

export function toEvent(row: EventRow): RecordedEvent {
  const type = eventType.parse(row.type)
  return {
    eventId: row.event_id,
    type,
    objectType: type,
    source: { kind: row.source_kind, id: row.source_id, name: row.source_name },
    timestamp: toDateTime(row.at),
    duration: row.ended_at === null ? 0 : (row.ended_at - row.at) / 1000,
    active: row.ended_at === null,
    writtenAt: toDateTime(row.written_at),
    cameraId: row.camera_id,
    data: row.data,
    read: row.is_read,
    bookmarked: row.is_bookmarked,
    note: row.note,
  }
}
