import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiError } from '@sightline/contract/errors'
import { getEventStream, LAST_EVENT_ID } from '@sightline/contract/events'
import type { Db } from '@sightline/platform/db'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { addressGroup, createSemaphore, type Permit, type Semaphore } from '@sightline/platform/limits'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { Caller, MemberCaller } from '@sightline/platform/sessions'
import { type EventFilter, loadChangedEvents, loadLastPosition, selectEvents } from './store.ts'
import { WakeUps } from './wake-ups.ts'

/** Streams of one person: browsers open six connections to a host at most, people have several devices. */
const MAX_STREAMS_OF_PERSON = 20
const MAX_STREAMS_OF_ACCOUNT = 200
/** Streams of an account that read at the same moment; the others wait without a database connection. */
const READING = { concurrency: 2, queue: MAX_STREAMS_OF_ACCOUNT }
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
}

interface Following {
  readonly caller: MemberCaller
  /** The caller now; undefined if they may not follow events any more. */
  readonly confirmCaller: () => Promise<Caller | undefined>
  readonly filter: EventFilter
  readonly after: number
  readonly endless: boolean
  readonly signal: AbortSignal
}

/**
 * Server-sent events. Every batch is read from the database with the caller's present access, so a stream never shows
 * more than a list would; it ends when the caller may not list events any more.
 */
export function eventStream({ db }: Deps): ServedRoute {
  const wakeUps = new WakeUps((listener) => db.eventNotices(listener))
  const reading = createSemaphore<number>({ perKey: READING })
  const places = createPlaces()
  return serve(getEventStream, async (caller, { query, header, address, confirmCaller }) => {
    const { after, follow, ...filter } = query
    const position = after ?? header(LAST_EVENT_ID)
    const fault = positionFault(position)
    if (fault !== undefined) return fail(fault)
    const start =
      position === undefined
        ? await db.inTenant(caller, (tx) => loadLastPosition(tx, caller.accountId))
        : Number(position)
    const place = places.take(caller, address)
    if (!place.ok) return place
    const following = { caller, confirmCaller, filter, after: start, endless: follow !== 'false' }
    const deps = { db, wakeUps, reading }
    const chunks = released(place.value, (signal) => chunksOf(deps, { ...following, signal }))
    return ok({ contentType: 'text/event-stream', chunks, headers: { 'x-accel-buffering': 'no' } })
  })
}

/** Limits the open streams of each person and account. */
function createPlaces() {
  const ofPerson = createSemaphore<string>({ perKey: { concurrency: MAX_STREAMS_OF_PERSON } })
  const ofAccount = createSemaphore<number>({ perKey: { concurrency: MAX_STREAMS_OF_ACCOUNT } })
  const isFull = (max: number, whose: string) => {
    const detail = `at most ${max} event streams per ${whose}; close one first`
    return fail({ error: 'tooManyRequests', detail, retryAfter: RETRY_AFTER_S } as const)
  }
  return {
    take(caller: MemberCaller, address: string): Result<Permit, ApiError> {
      // The guests of a public demonstration are all the same user.
      const person = caller.isGuest ? `guests ${addressGroup(address)}` : `user ${caller.userId}`
      const own = ofPerson.tryAcquire(person)
      if (!own.ok) return isFull(MAX_STREAMS_OF_PERSON, 'user')
      const shared = ofAccount.tryAcquire(caller.accountId)
      if (!shared.ok) {
        own.value.release()
        return isFull(MAX_STREAMS_OF_ACCOUNT, 'account')
      }
      return ok({
        release() {
          own.value.release()
          shared.value.release()
        },
      })
    },
  }
}

function positionFault(position: string | undefined): ApiError | undefined {
  if (position === undefined || /^[0-9]{1,15}$/.test(position)) return undefined
  return { error: 'validation', detail: 'Last-Event-ID: must be the id of an event of this stream' }
}

/** Releases the place when the stream ends. A reader that goes away ends it at once, not at its next event. */
function released(place: Permit, open: (signal: AbortSignal) => AsyncGenerator<string>): AsyncIterable<string> {
  const gone = new AbortController()
  const chunks = (async function* () {
    try {
      yield* open(gone.signal)
    } finally {
      place.release()
    }
  })()
  const end = () => {
    gone.abort()
    // A stream that was never read has no `finally` to reach.
    place.release()
    return chunks.return(undefined)
  }
  return { [Symbol.asyncIterator]: () => ({ next: () => chunks.next(), return: end, throw: end }) }
}

interface StreamDeps extends Deps {
  readonly wakeUps: WakeUps
  readonly reading: Semaphore<number>
}

async function* chunksOf(deps: StreamDeps, following: Following): AsyncGenerator<string> {
  const { endless, signal, caller } = following
  // Before the first reading, so that nothing is missed between the two.
  using woken = endless ? deps.wakeUps.of(caller.accountId) : undefined
  let { after } = following
  yield `retry: ${RECONNECT_MS}\nid: ${after}\n\n`
  while (!signal.aborted) {
    const from = after
    const read = await deps.reading.run(caller.accountId, () => readBatch(deps, following, from))
    const batch = read.ok ? read.value : undefined
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
  const caller = await following.confirmCaller()
  if (caller?.kind !== 'member' || caller.accountId !== following.caller.accountId) return undefined
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
