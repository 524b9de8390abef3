import type { IncomingMessage, ServerResponse } from 'node:http'
import { isConditional, isJsonOnly, isReplayed } from '@sightline/contract/conventions'
import type { ApiError } from '@sightline/contract/errors'
import { apiVersions, type Route } from '@sightline/contract/wire'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { MS_PER_MINUTE, repeatUntil } from '../clock/index.ts'
import { isDataFault, isUnavailable } from '../db/index.ts'
import {
  addressGroup,
  createRateLimiter,
  createSemaphore,
  type RateLimit,
  type RateLimiter,
  type Semaphore,
} from '../limits/index.ts'
import { fail, ok, type Result } from '../result/index.ts'
import type { Caller, SessionReader } from '../sessions/index.ts'
import { acceptsJson } from './accept.ts'
import { allowedMethods } from './allowed-methods.ts'
import { type Answered, reportAnswers } from './answered.ts'
import { callerOf, callerWithin, mayCall, SuspendedFault, TokenFault } from './caller.ts'
import { decided, decidedOn } from './deciding.ts'
import { once, onceRequest } from './idempotency.ts'
import type { IdempotencyStore, KeptReply } from './idempotency-store.ts'
import { type Input, inputReader } from './input.ts'
import { bodyFault } from './json-body.ts'
import { type Answer, type ReplyWriter, replyWriter, send, sendFailure, sendTokenFault } from './reply.ts'
import type { Request, Served } from './serve.ts'
import { showing, shownAgain } from './shown-again.ts'
import type { StoreQuestion } from './store-page.ts'
import { wrongParameter } from './wrong-parameter.ts'

/** Where a request's remote address and host come from; the edge knows whether a proxy in front is to be believed. */
export interface Origin {
  readonly address: string
  readonly host: string
}

export interface HttpOptions {
  readonly served: readonly Served[]
  readonly sessions: SessionReader
  readonly originOf: (req: IncomingMessage) => Origin
  /** Told of what should never be: a bug, or a part that is gone. */
  readonly onBug: (error: unknown, request: { method: string; path: string; requestId: string }) => void
  /** Told of every answer, once it has left. */
  readonly onAnswered?: (answered: Answered) => void
  /** Where replies to POST requests with an Idempotency-Key are kept. */
  readonly idempotency: IdempotencyStore
  /** Of each user, and of each address without a token; undefined is without end. */
  readonly callLimit: RateLimit | undefined
}

export interface HttpServer {
  handle(req: IncomingMessage, res: ServerResponse): void
  close(): Promise<void>
}

const BODY_LIMIT_BYTES = 1 << 20
/** The built-in PostgreSQL is back after about so many seconds when it was killed. */
const DATABASE_BACK_S = 2
/** Handlers of one account that may have a connection of the database at once; what is beyond waits without one. */
const READING = { perKey: { concurrency: 4, queue: 512 } }
const CHANGING = { perKey: { concurrency: 2, queue: 512 } }
const SWEEP_MS = 10 * MS_PER_MINUTE

/** Serves routes of the contract under every version prefix. One path: token, right, input, handler, reply. */
export async function openHttp(options: HttpOptions): Promise<HttpServer> {
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 256 },
    genReqId: (req) => String(req.headers['x-request-id'] ?? ''),
    requestIdHeader: false,
    frameworkErrors: (error, request, reply) => answerError(error, { request, reply, options }),
  })
  takeJsonBodies(app)
  reportAnswers(app, options.onAnswered)
  answerFailures(app, options)
  const { callLimit } = options
  const limit = callLimit === undefined ? undefined : createRateLimiter(callLimit, () => performance.now())
  const methodsAt = allowedMethods(options.served)
  answerUnknown(app, methodsAt)
  const accounts = { reading: createSemaphore<number>(READING), changing: createSemaphore<number>(CHANGING) }
  for (const served of options.served) addRoute(app, served, { options, limit, accounts, methodsAt })
  await app.ready()
  const closing = new AbortController()
  const sweeping = sweepUntil(closing.signal, options)
  return {
    handle: (req, res) => app.routing(req, res),
    async close() {
      closing.abort()
      await sweeping
      await app.close()
    },
  }
}

const sweepUntil = (signal: AbortSignal, { idempotency, onBug }: HttpOptions): Promise<void> =>
  repeatUntil(signal, SWEEP_MS, () =>
    idempotency.sweep().catch((error: unknown) => {
      if (!isUnavailable(error)) onBug(error, { method: 'sweep', path: 'idempotency_keys', requestId: '' })
    }),
  )

/** An empty body is no body; anything that is not JSON is refused with code 2. */
function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    let body: unknown
    try {
      body = JSON.parse(String(text))
    } catch (cause) {
      return done(new Refused({ error: 'parse', detail: 'the body is not valid JSON' }, { cause }))
    }
    const detail = bodyFault(body)
    if (detail === undefined) return done(null, body)
    done(new Refused({ error: 'parse', detail }))
  })
}

class Refused extends Error {
  readonly failure: ApiError
  constructor(failure: ApiError, options?: ErrorOptions) {
    super(failure.detail ?? failure.error, options)
    this.failure = failure
  }
}

/** What is known of a route before any request. */
interface Prepared {
  readonly route: Route
  readonly handler: Served['handler']
  readonly readInput: ReturnType<typeof inputReader>
  readonly replies: ReplyWriter
  readonly isJsonOnly: boolean
  readonly isConditional: boolean
  readonly isReplayed: boolean
  /** What is asked before a kept reply is given again. */
  readonly showing: Served | undefined
  readonly options: HttpOptions
  readonly limit: RateLimiter | undefined
  /** Keeps one account from taking every connection of the database: what waits here holds none of them. */
  readonly accounts: { readonly reading: Semaphore<number>; readonly changing: Semaphore<number> }
}

function addRoute(
  app: FastifyInstance,
  { route, handler }: Served,
  { methodsAt, ...shared }: Pick<Prepared, 'options' | 'limit' | 'accounts'> & { methodsAt: MethodsAt },
): void {
  const prepared: Prepared = {
    ...shared,
    route,
    handler,
    readInput: inputReader(route),
    replies: replyWriter(route),
    isJsonOnly: isJsonOnly(route),
    isConditional: isConditional(route),
    isReplayed: isReplayed(route),
    showing: showing(route, shared.options.served),
  }
  for (const version of apiVersions) {
    app.route({
      method: route.method,
      config: { routeName: route.name },
      url: `/rest/${version}/${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        // The router takes `self` for an id where the path that means it has not got the method.
        if (namesNoId(request) && methodsAt(pathOf(request))?.includes(request.method) === false) {
          return reply.callNotFound()
        }
        const answered = await answer(prepared, request)
        if (!answered.ok) return sendFailure(reply, answered.failure, { requestId: request.id })
        return send(reply, answered.value)
      },
    })
  }
}

const namesNoId = ({ params }: FastifyRequest): boolean =>
  Object.values(params as Readonly<Record<string, string>>).some((value) => !/^[0-9]/.test(value))

async function answer(prepared: Prepared, request: FastifyRequest): Promise<Result<Answer, ApiError>> {
  const { route, options } = prepared
  if (prepared.isJsonOnly && !acceptsJson(request.headers.accept)) {
    return fail({ error: 'notAcceptable', detail: 'Accept leaves out application/json' })
  }
  const origin = options.originOf(request.raw)
  const caller = await callerOf(route, request, options.sessions).catch((error: unknown) => {
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
    const handle = (who: Caller | undefined) => prepared.handler(who as Caller, asked as never)
    const handled = await inQueue(prepared, caller, () => {
      if (caller === undefined || route.method === 'GET') return handle(caller)
      const refusalOf = (who: Caller) => mayCall(route, who, origin.address)
      return decided({ caller, sessions: options.sessions, refusal: refusalOf }, handle)
    }).catch((error: unknown) => {
      // Tokens are not signed: one that was made by hand may name a value that its column cannot have.
      if (route.list?.pagedBy !== 'store' || asked.page.edge === undefined || !isDataFault(error)) throw error
      return fail(wrongParameter('pageToken', 'not one that a Link of this list gave'))
    })
    return handled.ok ? ok(prepared.replies.write(handled.value, request, input.value)) : handled
  }
  const key = prepared.isReplayed ? request.headers['idempotency-key'] : undefined
  if (key === undefined || caller === undefined) return run()
  return runOnce({ prepared, request, caller, key: String(key) }, run)
}

/** Of one account so many handlers run at once; pictures wait for cameras and not for the database, so they do not count. */
async function inQueue<T>(
  { route, accounts: { reading, changing } }: Prepared,
  caller: Caller | undefined,
  work: () => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  if (caller === undefined || route.waitsForOthers) return work()
  const done = await (route.method === 'GET' ? reading : changing).run(caller.accountId, work)
  if (done.ok) return done.value
  return fail({ error: 'overloaded', detail: 'too many calls of this account at the same moment', retryAfter: 1 })
}

/** Trying tokens is not free: beyond the limit of calls without one it is refused otherwise. @throws Refused */
function countFault(limit: RateLimiter | undefined, origin: Origin): void {
  const refusal = overLimit(limit, undefined, origin)
  if (refusal !== undefined) throw new Refused(refusal)
}

/** Whose calls are counted together. Anybody gets as many tokens of a public demonstration as they ask for. */
function limitedAs(caller: Caller | undefined, { address }: Origin): string {
  if (caller === undefined) return `address ${addressGroup(address)}`
  if (isVisitor(caller)) return `visitors ${addressGroup(address)}`
  return ['user', caller.userId, ...actingAs(caller)].join(' ')
}

function overLimit(limit: RateLimiter | undefined, caller: Caller | undefined, origin: Origin): ApiError | undefined {
  const waitMs = limit?.consume(limitedAs(caller, origin))
  if (waitMs === undefined) return undefined
  return { error: 'tooManyRequests', detail: 'too many calls in a short time', retryAfter: Math.max(1, waitMs / 1000) }
}

/** A condition that nobody would look at must not be taken for one that holds. */
function blindCondition({ route, isConditional }: Prepared, request: FastifyRequest): ApiError | undefined {
  if (isConditional || route.method === 'GET' || request.headers['if-match'] === undefined) return undefined
  return { error: 'preconditionFailed', detail: 'this call knows no ETag, so no If-Match can hold' }
}

function askedOf(
  { replies, route, isConditional, options: { sessions } }: Prepared,
  request: FastifyRequest,
  { input, origin, caller }: { input: Input; origin: Origin; caller: Caller | undefined },
): Request<unknown, unknown, unknown, unknown> {
  let gone: AbortController | undefined
  return {
    params: input.params,
    query: input.query,
    body: input.body,
    address: origin.address,
    host: origin.host,
    header: (name) => {
      const value = request.headers[name.toLowerCase()]
      return Array.isArray(value) ? value[0] : value
    },
    get signal() {
      gone ??= abortedWith(request.raw)
      return gone.signal
    },
    changedSince(current) {
      if (!isConditional) throw new TypeError(`${route.name} answers no object that If-Match could name`)
      return replies.changedSince(current, request.headers['if-match'])
    },
    async callerNow(tx) {
      if (caller === undefined) throw new TypeError(`${route.name} was called without a token`)
      const now = await callerWithin(tx, { route, caller, address: origin.address, sessions })
      if (now.ok) decidedOn(now.value)
      return now
    },
    get page() {
      if (route.list?.pagedBy !== 'store') throw new TypeError(`the pages of ${route.name} are not cut by its store`)
      return input.list as StoreQuestion
    },
  }
}

function abortedWith(req: IncomingMessage): AbortController {
  const gone = new AbortController()
  req.once('close', () => {
    if (req.destroyed && !req.complete) gone.abort()
  })
  return gone
}

const isVisitor = (caller: Caller): boolean => caller.kind === 'member' && caller.isVisitor

/** What a person has done, nobody who acts as them gets to see; the other way round neither. */
const actingAs = (caller: Caller): readonly string[] => [
  ...(caller.apiKeyId === undefined ? [] : [`key ${caller.apiKeyId}`]),
  ...(caller.kind === 'member' && caller.support !== undefined ? [`staff ${caller.support.staffId}`] : []),
  ...(isVisitor(caller) ? [`visitor ${caller.tokenId}`] : []),
]

async function runOnce(
  given: { prepared: Prepared; request: FastifyRequest; caller: Caller; key: string },
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
    prepared.options.onBug(error, { method, path: pathOf(request), requestId: request.id })
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
  { prepared, request, caller }: { prepared: Prepared; request: FastifyRequest; caller: Caller },
  reply: KeptReply,
): Promise<Result<undefined, ApiError>> {
  const { showing } = prepared
  if (showing === undefined) return ok(undefined)
  const origin = prepared.options.originOf(request.raw)
  const as = { ...prepared, route: showing.route, isConditional: false }
  return shownAgain(showing, { reply, params: request.params, caller }, (input) =>
    askedOf(as, request, { input, origin, caller }),
  )
}

type MethodsAt = ReturnType<typeof allowedMethods>

function answerFailures(app: FastifyInstance, options: HttpOptions): void {
  app.setErrorHandler((error, request, reply) => answerError(error, { request, reply, options }))
}

function answerUnknown(app: FastifyInstance, methodsAt: MethodsAt): void {
  app.setNotFoundHandler((request, reply) => {
    const known = { requestId: request.id }
    const allowed = methodsAt(pathOf(request))
    if (allowed === undefined) return sendFailure(reply, { error: 'notFound' }, known)
    const allow = { allow: allowed.join(', ') }
    if (request.method === 'OPTIONS') return send(reply, { status: 204, headers: allow, body: undefined })
    return sendFailure(reply, { error: 'unsupportedOperation' }, { ...known, headers: allow })
  })
}

function answerError(
  error: unknown,
  { request, reply, options }: { request: FastifyRequest; reply: FastifyReply; options: HttpOptions },
): FastifyReply {
  const known = { requestId: request.id }
  if (error instanceof SuspendedFault) return sendTokenFault(reply, error.message, { isNamed: true })
  if (error instanceof TokenFault) return sendTokenFault(reply, error.message)
  if (error instanceof Refused) return sendFailure(reply, error.failure, known)
  const { code, statusCode: status } = error as { code?: string; statusCode?: number }
  // No id is that long, so the address names nothing.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return sendFailure(reply, { error: 'notFound' }, known)
  if (status === 413) {
    const detail = `a body may have ${BODY_LIMIT_BYTES} bytes at most`
    return sendFailure(reply, { error: 'payloadTooLarge', detail }, known)
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return sendFailure(reply, { error: 'parse', detail: (error as Error).message }, known)
  }
  if (isUnavailable(error)) {
    const detail = 'the database does not answer at this moment'
    return sendFailure(reply, { error: 'overloaded', detail, retryAfter: DATABASE_BACK_S }, known)
  }
  options.onBug(error, { method: request.method, path: pathOf(request), requestId: request.id })
  return sendFailure(reply, { error: 'internal' }, known)
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? ''
