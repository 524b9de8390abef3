import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ApiError } from '@sightline/contract/errors'
import type { Route } from '@sightline/contract/wire'
import type { FastifyRequest } from 'fastify'
import { isDataFault } from '../db/index.ts'
import { addressGroup, type RateLimit, type RateLimiter, type Semaphore } from '../limits/index.ts'
import { fail, ok, type Result } from '../result/index.ts'
import type { Caller, SessionReader } from '../sessions/index.ts'
import type { AnswerMetrics } from './answer-metrics.ts'
import { makeChange } from './commit/change.ts'
import { once, onceRequest } from './commit/idempotency.ts'
import type { IdempotencyStore, StoredReply } from './commit/idempotency-store.ts'
import { checkReplay } from './commit/replay-check.ts'
import type { Answer, ReplyWriter } from './reply/reply.ts'
import { acceptsJson } from './request/accept.ts'
import { findCaller, mayCall, TokenFault } from './request/caller.ts'
import type { Input, inputReader } from './request/input.ts'
import { invalidParameter } from './request/invalid-parameter.ts'
import { cutTarget } from './request/request-target.ts'
import type { StoreQuestion } from './request/store-page.ts'
import type { Handler, Request, ServedRoute } from './serve.ts'

/** The source of a request's remote address and host; the edge knows whether a proxy is trusted. */
export interface Origin {
  readonly address: string
  readonly host: string
}

export interface HttpOptions {
  readonly served: readonly ServedRoute[]
  readonly sessions: SessionReader
  readonly originOf: (req: IncomingMessage) => Origin
  /** Called for what should never happen: a bug, or a missing component. */
  readonly onBug: (error: unknown, request: { method: string; path: string; requestId: string }) => void
  /** Called for every response, once it has been sent. */
  readonly onAnswered?: (answered: AnswerMetrics) => void
  /** Where replies to POST requests with an Idempotency-Key are stored. */
  readonly idempotency: IdempotencyStore
  /** Of each user, and of each address without a token; undefined is without end. */
  readonly callLimit: RateLimit | undefined
}

export class CallError extends Error {
  readonly failure: ApiError
  constructor(failure: ApiError, options?: ErrorOptions) {
    super(failure.detail ?? failure.error, options)
    this.failure = failure
  }
}

/** The precomputed data of a route. */
export interface PreparedRoute {
  readonly route: Route
  readonly served: ServedRoute
  readonly readInput: ReturnType<typeof inputReader>
  readonly replies: ReplyWriter
  readonly isJsonOnly: boolean
  readonly isConditional: boolean
  readonly isReplayed: boolean
  /** Checked before a stored reply is sent again. */
  readonly showing: ServedRoute | undefined
  readonly options: HttpOptions
  readonly limit: RateLimiter | undefined
  /** Keeps one account from using every database connection: waiting requests hold none. */
  readonly accounts: { readonly reading: Semaphore<number>; readonly changing: Semaphore<number> }
}

/** The one path of a call: token, right, limit, input, handler, reply. */
export async function answer(prepared: PreparedRoute, request: FastifyRequest): Promise<Result<Answer, ApiError>> {
  const { route, options } = prepared
  if (prepared.isJsonOnly && !acceptsJson(request.headers.accept)) {
    return fail({
      error: 'notAcceptable',
      detail: 'this call returns only application/json, which Accept does not allow',
    })
  }
  const origin = options.originOf(request.raw)
  const caller = await findCaller(route, request, options.sessions).catch((error: unknown) => {
    if (error instanceof TokenFault) countFault(prepared.limit, origin)
    throw error
  })
  const refusal =
    overLimit(prepared.limit, caller, origin) ??
    mayCall(route, caller, origin.address) ??
    blindCondition(prepared, request)
  if (refusal !== undefined) return fail(refusal)
  const input = prepared.readInput(request)
  if (!input.ok) return input
  const run = async (): Promise<Result<Answer, ApiError>> => {
    const asked = askedOf(prepared, request, { input: input.value, origin, caller })
    const handled = await inQueue(prepared, caller, () => handle(prepared, { request, asked, caller })).catch(
      (error: unknown) => {
        // Page tokens are not signed, so an invented one may contain a value that its column can't have.
        if (route.list?.pagedBy !== 'store' || asked.page.edge === undefined || !isDataFault(error)) throw error
        return fail(invalidParameter('pageToken', 'must come from a Link header of this list'))
      },
    )
    return handled.ok ? ok(prepared.replies.write(handled.value, request, input.value)) : handled
  }
  const key = prepared.isReplayed ? request.headers['idempotency-key'] : undefined
  if (key === undefined || caller === undefined) return run()
  return runOnce({ prepared, request, caller, key: String(key) }, run)
}

interface AskedCall {
  readonly request: FastifyRequest
  readonly asked: Request
  readonly caller: Caller | undefined
}

async function handle(prepared: PreparedRoute, { request, asked, caller }: AskedCall): ReturnType<Handler<Route>> {
  const { route, served, options, replies } = prepared
  const { handler, changeHandler, changeDeps } = served
  const { sessions } = options
  if (handler !== undefined) return handler(caller as Caller, asked as never)
  if (caller === undefined || changeHandler === undefined || changeDeps === undefined) {
    throw new TypeError(`${route.name} requires a caller and a database`)
  }
  const refusal = (who: Caller) => mayCall(route, who, asked.address)
  const ifMatch = request.headers['if-match']
  const changedSince = (current: unknown) => replies.changedSince(current, ifMatch)
  const isConditional = prepared.isConditional && ifMatch !== undefined
  const { address, host } = asked
  const call = { sessions, address, host, refusal, changedSince, isConditional }
  return makeChange(caller, call, changeDeps, (change) => changeHandler(change as never, asked as never))
}

/** Limits concurrent handlers per account. Pictures wait for cameras and not for the database, so they don't count. */
async function inQueue<T>(
  { route, accounts: { reading, changing } }: PreparedRoute,
  caller: Caller | undefined,
  work: () => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  if (caller === undefined || route.waitsForOthers) return work()
  const done = await (route.method === 'GET' ? reading : changing).run(caller.accountId, work)
  if (done.ok) return done.value
  return fail({
    error: 'overloaded',
    detail: 'too many concurrent calls for this account; try again shortly',
    retryAfter: 1,
  })
}

/** Trying tokens is not free: beyond the limit of calls without one it is refused otherwise. @throws Refused */
function countFault(limit: RateLimiter | undefined, origin: Origin): void {
  const refusal = overLimit(limit, undefined, origin)
  if (refusal !== undefined) throw new CallError(refusal)
}

/** The key of the call limit. A public demo issues any number of tokens, so they share one. */
function limitedAs(caller: Caller | undefined, { address }: Origin): string {
  if (caller === undefined) return `address ${addressGroup(address)}`
  if (isGuest(caller)) return `visitors ${addressGroup(address)}`
  return ['user', caller.userId, ...actingAs(caller)].join(' ')
}

function overLimit(limit: RateLimiter | undefined, caller: Caller | undefined, origin: Origin): ApiError | undefined {
  const waitMs = limit?.consume(limitedAs(caller, origin))
  if (waitMs === undefined) return undefined
  return {
    error: 'tooManyRequests',
    detail: 'too many calls in a short time; wait the number of seconds in Retry-After',
    retryAfter: Math.max(1, waitMs / 1000),
  }
}

/** An ignored condition must not look as if it were met. */
function blindCondition({ route, isConditional }: PreparedRoute, request: FastifyRequest): ApiError | undefined {
  if (isConditional || route.method === 'GET' || request.headers['if-match'] === undefined) return undefined
  return { error: 'preconditionFailed', detail: 'this call does not support If-Match: send the request without it' }
}

function askedOf(
  { route, options }: Pick<PreparedRoute, 'route' | 'options'>,
  request: FastifyRequest,
  { input, origin, caller }: { input: Input; origin: Origin; caller: Caller | undefined },
): Request {
  return {
    params: input.params,
    query: input.query,
    body: input.body,
    get bodyStream() {
      if (!(request.body instanceof Readable))
        throw new TypeError(`${route.name} has no body that is read while it arrives`)
      return request.body
    },
    address: origin.address,
    host: origin.host,
    header: (name) => {
      const value = request.headers[name.toLowerCase()]
      return Array.isArray(value) ? value[0] : value
    },
    async confirmCaller() {
      const now = caller === undefined ? undefined : await options.sessions.confirm(caller.tokenSha256)
      return now === undefined || mayCall(route, now, origin.address) !== undefined ? undefined : now
    },
    get page() {
      if (route.list?.pagedBy !== 'store') throw new TypeError(`${route.name} is not paged by its store`)
      return input.list as StoreQuestion
    },
  }
}

const isGuest = (caller: Caller): boolean => caller.kind === 'member' && caller.isGuest

/** Users don't see what someone else did under their name, and vice versa. */
const actingAs = (caller: Caller): readonly string[] => [
  ...(caller.apiKeyId === undefined ? [] : [`key ${caller.apiKeyId}`]),
  ...(caller.kind === 'member' && caller.support !== undefined ? [`staff ${caller.support.staffId}`] : []),
  ...(isGuest(caller) ? [`visitor ${caller.tokenId}`] : []),
]

async function runOnce(
  given: { prepared: PreparedRoute; request: FastifyRequest; caller: Caller; key: string },
  run: () => Promise<Result<Answer, ApiError>>,
): Promise<Result<Answer, ApiError>> {
  const { prepared, request, caller, key } = given
  const { method, params, query, body } = request
  const { route } = prepared
  const token = route.replayedToTokenOnly === true ? [caller.tokenId] : []
  const path = JSON.stringify([route.path, params, ...token, ...actingAs(caller)])
  const known = onceRequest({ key, method, path, query, body })
  if (!known.ok) return known
  const onTrouble = (error: unknown) =>
    prepared.options.onBug(error, { method, path: cutTarget(request.originalUrl).path, requestId: request.id })
  const answered = await once(
    { store: prepared.options.idempotency, scope: caller, request: known.value, onTrouble },
    async () => {
      const first = await run()
      return first.ok ? ok({ ...first.value, body: String(first.value.body ?? '') }) : first
    },
  )
  if (!answered.ok) return answered
  const { reply, isReplayed } = answered.value
  if (!isReplayed) return ok(reply)
  const shown = await stillShown(given, reply)
  return shown.ok ? ok({ ...reply, headers: { ...reply.headers, 'idempotency-replayed': 'true' } }) : shown
}

async function stillShown(
  { prepared, request, caller }: { prepared: PreparedRoute; request: FastifyRequest; caller: Caller },
  reply: StoredReply,
): Promise<Result<undefined, ApiError>> {
  const { showing } = prepared
  if (showing?.handler === undefined) return ok(undefined)
  const { handler } = showing
  const origin = prepared.options.originOf(request.raw)
  return checkReplay({ ...showing, handler }, { reply, params: request.params, caller }, (input) =>
    askedOf({ ...showing, options: prepared.options }, request, { input, origin, caller }),
  )
}
