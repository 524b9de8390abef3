import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiError } from '@sightline/contract/errors'
import { getEventStream, LAST_EVENT_ID } from '@sightline/contract/events'
import { getDenyReason } from '@sightline/contract/rights'
import type { Db } from '@sightline/platform/db'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { createFindSession, type FindSession, type MemberCaller, toCaller } from '@sightline/platform/sessions'
import { type EventFilter, loadChangedEvents, loadLastPosition, selectEvents } from './store.ts'
import { WakeUps } from './wake-ups.ts'

/** Streams of one user: browsers open six connections to a host at most, people have several devices. */
const MAX_STREAMS_OF_USER = 20
const RETRY_AFTER_S = 30
/** Events read at once. */
const BATCH = 100
/** Without events: whether the caller may still listen, and an id alone, so that proxies don't close the connection. */
const CHECK_MS = 5000
/** Events that happen together are sent together. */
const COALESCE_MS = 100
/** How long a browser waits before it connects again. */
const RECONNECT_MS = 3000

interface Deps {
  readonly db: Db
  readonly now: () => number
}

interface Following {
  readonly caller: MemberCaller
  readonly filter: EventFilter
  readonly after: number
  readonly endless: boolean
  readonly signal: AbortSignal
}

/**
 * Server-sent events. Every batch is read from the database with the caller's present access, so a stream never shows
 * more than a list would; it ends when the caller may not list events any more.
 */
export function eventStream({ db, now }: Deps): ServedRoute {
  const wakeUps = new WakeUps((listener) => db.eventNotices(listener))
  const find = createFindSession(db.plain)
  const streams = new Map<number, number>()
  return serve(getEventStream, async (caller, { query, header }) => {
    const { after, follow, ...filter } = query
    const position = after ?? header(LAST_EVENT_ID)
    const fault = positionFault(position)
    if (fault !== undefined) return fail(fault)
    if ((streams.get(caller.userId) ?? 0) >= MAX_STREAMS_OF_USER) {
      const detail = `at most ${MAX_STREAMS_OF_USER} event streams per user; close one first`
      return fail({ error: 'tooManyRequests', detail, retryAfter: RETRY_AFTER_S })
    }
    const start =
      position === undefined
        ? await db.inTenant(caller, (tx) => loadLastPosition(tx, caller.accountId))
        : Number(position)
    const following = { caller, filter, after: start, endless: follow !== 'false' }
    const deps = { db, now, find, wakeUps }
    const chunks = counted(streams, caller.userId, (signal) => chunksOf(deps, { ...following, signal }))
    return ok({ contentType: 'text/event-stream', chunks, headers: { 'x-accel-buffering': 'no' } })
  })
}

function positionFault(position: string | undefined): ApiError | undefined {
  if (position === undefined || /^[0-9]{1,15}$/.test(position)) return undefined
  return { error: 'validation', detail: 'Last-Event-ID: must be the id of an event of this stream' }
}

/** Counts a stream of the user until it ends. A reader that goes away ends it at once, not at its next event. */
function counted(
  streams: Map<number, number>,
  userId: number,
  open: (signal: AbortSignal) => AsyncGenerator<string>,
): AsyncIterable<string> {
  const gone = new AbortController()
  const chunks = (async function* () {
    streams.set(userId, (streams.get(userId) ?? 0) + 1)
    try {
      yield* open(gone.signal)
    } finally {
      const left = (streams.get(userId) ?? 1) - 1
      if (left === 0) streams.delete(userId)
      else streams.set(userId, left)
    }
  })()
  const end = () => {
    gone.abort()
    return chunks.return(undefined)
  }
  return { [Symbol.asyncIterator]: () => ({ next: () => chunks.next(), return: end, throw: end }) }
}

interface StreamDeps extends Deps {
  readonly find: FindSession
  readonly wakeUps: WakeUps
}

async function* chunksOf(deps: StreamDeps, following: Following): AsyncGenerator<string> {
  const { endless, signal, caller } = following
  // Before the first reading, so that nothing is missed between the two.
  using woken = endless ? deps.wakeUps.of(caller.accountId) : undefined
  let { after } = following
  yield `retry: ${RECONNECT_MS}\nid: ${after}\n\n`
  while (!signal.aborted) {
    const batch = await readBatch(deps, following, after)
    if (batch === undefined) return
    after = batch.after
    if (batch.text !== '') yield batch.text
    if (batch.hasMore) continue
    if (woken === undefined) return
    if (await woken.next(CHECK_MS, signal)) await sleep(COALESCE_MS)
    else yield `id: ${after}\n\n`
  }
}

interface Batch {
  readonly text: string
  /** The position to continue from. */
  readonly after: number
  readonly hasMore: boolean
}

/** What changed after a position; undefined if the caller may not follow events any more. */
async function readBatch(deps: StreamDeps, following: Following, after: number): Promise<Batch | undefined> {
  const caller = await presentCaller(deps, following.caller)
  if (caller === undefined) return undefined
  return deps.db.inTenant(caller, async (tx) => {
    // Read first: what the filter leaves out up to here is passed by.
    const till = await loadLastPosition(tx, caller.accountId)
    const changed = await loadChangedEvents(await selectEvents(tx, caller, following.filter), {
      after,
      till,
      limit: BATCH,
    })
    const hasMore = changed.length === BATCH
    const text = changed.map(({ position, event }) => `id: ${position}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    return { text, hasMore, after: (hasMore ? changed.at(-1)?.position : undefined) ?? Math.max(till, after) }
  })
}

/** The caller as the database has them now; undefined if they may not follow events any more. */
async function presentCaller({ find, now }: StreamDeps, before: MemberCaller): Promise<MemberCaller | undefined> {
  const row = await find(before.tokenSha256)
  const caller = row === undefined ? undefined : toCaller(row, before.tokenSha256, now())
  if (caller?.kind !== 'member' || caller.accountId !== before.accountId) return undefined
  return getDenyReason(getEventStream, caller) === undefined ? caller : undefined
}
