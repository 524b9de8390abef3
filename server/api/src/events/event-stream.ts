import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiError } from '@sightline/contract/errors'
import { type FollowedState, STATES_MESSAGE } from '@sightline/contract/event-states'
import { getEventStream, LAST_EVENT_ID } from '@sightline/contract/events'
import type { Db, Tx } from '@sightline/platform/db'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { addressGroup, createSemaphore, type Permit, type Semaphore } from '@sightline/platform/limits'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { Caller, MemberCaller } from '@sightline/platform/sessions'
import { type EventFilter, loadChangedEvents, loadLastPosition, selectEvents } from './store.ts'
import { loadStates, SentStates, type StateDeps } from './stream-states.ts'
import { type ChangeKind, WakeUps, type Woken } from './wake-ups.ts'

/** Streams of one person: browsers open six connections to a host at most, people have several devices. */
const MAX_STREAMS_OF_PERSON = 20
const MAX_STREAMS_OF_ACCOUNT = 200
/** Streams of an account that read at the same moment; the others wait without a database connection. */
const READING = { concurrency: 2, queue: MAX_STREAMS_OF_ACCOUNT }
const RETRY_AFTER_S = 30
/** Events read at once. */
const BATCH = 100
/** Without changes: whether the caller may still listen. An open stream is over within two seconds of a revocation. */
const CHECK_MS = 1500
/** Without messages: an id alone, so that proxies don't close the connection and a client knows that it is there. */
const SIGN_OF_LIFE_MS = 5000
/** What no notice reported, such as a warning that ends by its age, is found by then. */
const LOOK_MS = 15_000
/** Changes that happen together are sent together. */
const COALESCE_MS = 100
/** How long a browser waits before it connects again. */
const RECONNECT_MS = 3000

interface Deps extends StateDeps {
  readonly db: Db
}

interface Following {
  readonly caller: MemberCaller
  /** The caller now; undefined if they may not follow events any more. */
  readonly confirmCaller: () => Promise<Caller | undefined>
  readonly filter: EventFilter
  readonly states: readonly FollowedState[]
  readonly after: number
  readonly endless: boolean
  readonly signal: AbortSignal
}

/**
 * Server-sent events. Every batch is read from the database with the caller's present access, so a stream never shows
 * more than a list would; it ends when the caller may not list events any more.
 */
export function eventStream({ db, auth, now }: Deps): ServedRoute {
  const wakeUps = new WakeUps((listener) => db.eventNotices(listener))
  const reading = createSemaphore<number>({ perKey: READING })
  const places = createPlaces()
  return serve(getEventStream, async (caller, { query, header, address, confirmCaller }) => {
    const { after, follow, statesOf: states = [], ...filter } = query
    const position = after ?? header(LAST_EVENT_ID)
    const fault = positionFault(position)
    if (fault !== undefined) return fail(fault)
    const start =
      position === undefined
        ? await db.inTenant(caller, (tx) => loadLastPosition(tx, caller.accountId))
        : Number(position)
    const place = places.take(caller, address)
    if (!place.ok) return place
    const following = { caller, confirmCaller, filter, states, after: start, endless: follow !== 'false' }
    const deps = { db, auth, now, wakeUps, reading }
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
  const { endless, signal, caller, states } = following
  const everything: ReadonlySet<ChangeKind> = new Set(['events', ...states])
  // Before the first reading, so that nothing is missed between the two.
  using woken = endless ? deps.wakeUps.of(caller.accountId, everything) : undefined
  const sent: Sent = { states: new SentStates(), access: '' }
  let { after } = following
  yield `retry: ${RECONNECT_MS}\nid: ${after}\n\n`
  const isLookDue = every(LOOK_MS)
  const isSignDue = every(SIGN_OF_LIFE_MS)
  let changed = everything
  while (!signal.aborted) {
    const batch = await readInTurn(deps, following, { after, changed, sent })
    if (batch === undefined) return
    after = batch.after
    const signOfLife = isSignDue() ? `id: ${after}\n\n` : ''
    const text = batch.text || signOfLife
    if (text !== '') yield text
    if (batch.hasMore) continue
    if (woken === undefined) return
    const happened = await nextChanges(woken, signal)
    changed = isLookDue() ? everything : happened
  }
}

async function nextChanges(woken: Woken, signal: AbortSignal): Promise<ReadonlySet<ChangeKind>> {
  const changed = await woken.next(CHECK_MS, signal)
  if (changed.size > 0) await sleep(COALESCE_MS)
  return changed
}

/** Says yes at most once in a time, and not before it has passed. */
function every(ms: number): () => boolean {
  let last = performance.now()
  return () => {
    if (performance.now() - last < ms) return false
    last = performance.now()
    return true
  }
}

/** What a stream sent, and as whom: with other access, states come and go. */
interface Sent {
  readonly states: SentStates
  access: string
}

interface Reading {
  readonly after: number
  readonly changed: ReadonlySet<ChangeKind>
  readonly sent: Sent
}

interface Batch {
  readonly text: string
  /** The position to continue from. */
  readonly after: number
  readonly hasMore: boolean
}

async function readInTurn(deps: StreamDeps, following: Following, reading: Reading): Promise<Batch | undefined> {
  const read = await deps.reading.run(following.caller.accountId, () => readBatch(deps, following, reading))
  return read.ok ? read.value : undefined
}

/** What changed after a position; undefined if the caller may not follow events any more. */
async function readBatch(
  deps: StreamDeps,
  { caller: before, confirmCaller, filter, states }: Following,
  { after, changed, sent }: Reading,
): Promise<Batch | undefined> {
  const caller = await confirmCaller()
  if (caller?.kind !== 'member' || caller.accountId !== before.accountId) return undefined
  const access = accessText(caller)
  const kinds = new Set(access === sent.access ? states.filter((kind) => changed.has(kind)) : states)
  const nothing = { text: '', hasMore: false, after }
  if (kinds.size === 0 && !changed.has('events')) return nothing
  const read = await deps.db.inTenant(caller, async (tx) => ({
    events: changed.has('events') ? await readEvents(tx, caller, { filter, after }) : nothing,
    found: kinds.size === 0 ? undefined : await loadStates(tx, caller, { ...deps, kinds, filter }),
  }))
  if (read.found === undefined) return read.events
  sent.access = access
  const changes = sent.states.next(read.found)
  const text = changes === undefined ? '' : `event: ${STATES_MESSAGE}\ndata: ${JSON.stringify(changes)}\n\n`
  return { ...read.events, text: read.events.text + text }
}

async function readEvents(
  tx: Tx,
  caller: MemberCaller,
  { filter, after }: { readonly filter: EventFilter; readonly after: number },
): Promise<Batch> {
  // Read first: what the filter leaves out up to here is passed by.
  const till = await loadLastPosition(tx, caller.accountId)
  const changed = await loadChangedEvents(await selectEvents(tx, caller, filter), { after, till, limit: BATCH })
  const hasMore = changed.length === BATCH
  const text = changed.map(({ position, event }) => `id: ${position}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return { text, hasMore, after: (hasMore ? changed.at(-1)?.position : undefined) ?? Math.max(till, after) }
}

/** What decides about the states that a caller sees. */
const accessText = ({ access, rights, support }: MemberCaller): string =>
  JSON.stringify([
    access.kind === 'all' ? 'all' : [[...access.cameraIds], [...access.zoneIds]],
    [...rights],
    support?.video ?? null,
  ])
