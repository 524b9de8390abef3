import { toDateTime } from '@sightline/contract/wire'
import type { Db, Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { inSight, type VisibleTargets, visibleTargets } from '../audit-logs/index.ts'
import { type FootageSpan, type Slice, spanJoiner } from './rules.ts'
import { seesFootage, sources } from './sources.ts'
import { type LogEntryCursor, loadCameras, loadLogEntries, loadSlices, type PersonalLogEntry } from './store.ts'

/** Increases when a field changes its meaning. */
const VERSION = 1
/** Rows in memory at a time. */
const PAGE = 2000

interface Asked {
  readonly db: Db
  readonly caller: MemberCaller
  readonly madeAt: number
  /** The authorization server's data, from that plane. */
  readonly signIn: Readonly<Record<string, unknown>>
}

/**
 * All data about the caller as one JSON object (docs/guide/personal-data.md), streamed: short parts in one go, long
 * lists page by page, each page as it is when it is read.
 */
export async function* personalDocument({ db, caller, madeAt, signIn }: Asked): AsyncGenerator<string> {
  yield `{"format":"personal data","version":${VERSION},"madeAt":${JSON.stringify(toDateTime(madeAt))}`
  for (const [name, read] of Object.entries(sources)) {
    const value = await db.inTenant(caller, (tx) => read(tx, caller))
    if (value !== undefined) yield part(name, value)
  }
  for (const [name, value] of Object.entries(signIn)) yield part(name, value)
  yield* list('auditLog', auditLines(db, caller))
  if (seesFootage(caller)) yield* list('footage', footage(db, caller))
  yield '\n}\n'
}

const part = (name: string, value: unknown): string => `,\n${JSON.stringify(name)}:${JSON.stringify(value)}`

async function* list(name: string, items: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}:[`
  let isFirst = true
  for await (const some of items) {
    if (some.length === 0) continue
    yield `${isFirst ? '\n' : ',\n'}${some.map((item) => JSON.stringify(item)).join(',\n')}`
    isFirst = false
  }
  yield ']'
}

async function* auditLines(db: Db, caller: MemberCaller): AsyncGenerator<readonly unknown[]> {
  for (let after: LogEntryCursor | undefined; ; ) {
    const page = async (tx: Tx) => ({
      rows: await loadLogEntries(tx, caller, { after, limit: PAGE }),
      visible: await visibleTargets(tx, caller),
    })
    const { rows, visible } = await db.inTenant(caller, page)
    yield rows.map((row) => toLine(row, caller, visible))
    after = rows.at(-1)
    if (rows.length < PAGE) return
  }
}

/** Other users' names are not part of the user's data; the owner can read them in the account's log. */
function toLine(row: PersonalLogEntry, { accountId, userId }: MemberCaller, visible: VisibleTargets | undefined) {
  const isOwn = row.user_id === userId && row.staff_id === null
  const isOwner = userId === accountId
  return {
    at: toDateTime(row.at),
    action: row.action,
    by: isOwn ? 'you' : byOther(row),
    ...(isOwner && !isOwn ? { name: row.actor_name } : {}),
    ...(isOwn || isOwner ? { address: row.address, clientId: row.client_id } : {}),
    target: row.target_kind === null ? null : { kind: row.target_kind, id: row.target_id },
    before: inSight(row.before, visible),
    after: inSight(row.after, visible),
  }
}

function byOther({ staff_id, user_id }: PersonalLogEntry): 'support' | 'server' | 'somebodyElse' {
  if (staff_id !== null) return 'support'
  return user_id === null ? 'server' : 'somebodyElse'
}

async function* footage(db: Db, caller: MemberCaller): AsyncGenerator<readonly FootageSpan[]> {
  const { accountId } = caller
  const cameras = await db.inTenant(caller, (tx) => loadCameras(tx, caller))
  for (const { cameraId } of cameras) {
    const joiner = spanJoiner()
    for (let after: Slice | undefined; ; ) {
      const at = after
      const rows = await db.inTenant(caller, (tx) =>
        loadSlices(tx, { accountId, cameraId }, { after: at, limit: PAGE }),
      )
      yield rows.flatMap((slice) => joiner.add(slice))
      after = rows.at(-1)
      if (rows.length < PAGE) break
    }
    yield joiner.end()
  }
}
