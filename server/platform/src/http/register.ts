import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ApiError, errorCatalogue, toErrorBody } from '@sightline/contract/errors'
import { apiVersions, type Route } from '@sightline/contract/wire'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { isUnavailable } from '../db/index.ts'
import { fail, ok, type Result } from '../result/index.ts'
import type { Caller, SessionReader } from '../sessions/index.ts'
import { isRawReply, type RawReply, type Request, type Served } from './serve.ts'

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
}

export interface HttpServer {
  handle(req: IncomingMessage, res: ServerResponse): void
  close(): Promise<void>
}

const BODY_LIMIT_BYTES = 1 << 20
const NO_STORE = 'private, no-store'
/** The built-in PostgreSQL is back after about so many seconds when it was killed. */
const DATABASE_BACK_S = 2

/** Serves routes of the contract under every version prefix. One path: token, right, input, handler, reply. */
export async function openHttp(options: HttpOptions): Promise<HttpServer> {
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 256 },
    genReqId: (req) => String(req.headers['x-request-id'] ?? ''),
    requestIdHeader: false,
  })
  takeJsonBodies(app)
  answerFailures(app, options)
  for (const served of options.served) {
    for (const version of apiVersions) addRoute(app, { version, served, options })
  }
  await app.ready()
  return {
    handle: (req, res) => app.routing(req, res),
    close: () => app.close(),
  }
}

/** An empty body is no body; anything that is not JSON is refused with code 2. */
function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(String(text)))
    } catch (cause) {
      done(new Refused({ error: 'parse', detail: 'the body is not valid JSON' }, { cause }))
    }
  })
}

class Refused extends Error {
  readonly failure: ApiError
  constructor(failure: ApiError, options?: ErrorOptions) {
    super(failure.detail ?? failure.error, options)
    this.failure = failure
  }
}

function addRoute(app: FastifyInstance, given: { version: string; served: Served; options: HttpOptions }): void {
  const { served, options } = given
  const { route } = served
  const url = `/rest/${given.version}/${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`
  app.route({
    method: route.method,
    url,
    ...(route.media === undefined && route.status !== 204
      ? { schema: { response: { [route.status]: replySchema(route) } } }
      : {}),
    handler: async (request, reply) => {
      const answered = await answer(served, request, options)
      if (!answered.ok) return sendFailure(reply, answered.failure, request.id)
      return sendReply(reply, route, answered.value)
    },
  })
}

/** The same schema that the client parses by; unknown fields are not sent (fast-json-stringify drops them). */
function replySchema(route: Route): unknown {
  const { $schema: _, ...schema } = z.toJSONSchema(route.reply, { io: 'input', unrepresentable: 'any' })
  return schema
}

class TokenFault extends Error {}

async function answer(
  served: Served,
  request: FastifyRequest,
  options: HttpOptions,
): Promise<Result<unknown, ApiError>> {
  const { route, handler } = served
  const caller = await callerOf(route, request, options.sessions)
  const refusal = mayCall(route, caller)
  if (refusal !== undefined) return fail(refusal)
  const input = parseInput(route, request)
  if (!input.ok) return input
  const origin = options.originOf(request.raw)
  const gone = new AbortController()
  request.raw.once('close', () => {
    if (request.raw.destroyed && !request.raw.complete) gone.abort()
  })
  const asked: Request<unknown, unknown, unknown> = {
    ...input.value,
    ...origin,
    header: (name) => {
      const value = request.headers[name.toLowerCase()]
      return Array.isArray(value) ? value[0] : value
    },
    signal: gone.signal,
  }
  return handler(caller as Caller, asked as never)
}

async function callerOf(route: Route, request: FastifyRequest, sessions: SessionReader): Promise<Caller | undefined> {
  const token = bearerToken(route, request)
  if (token === undefined) {
    if (route.access === 'public') return undefined
    throw new TokenFault('a bearer token is needed')
  }
  const caller = await sessions.find(token)
  if (caller === undefined && route.access !== 'public')
    throw new TokenFault('the token is unknown, expired or revoked')
  return caller
}

/** RFC 6750 §2.1; a token in the address only where existing clients need it, on media paths (api.md §3). */
function bearerToken(route: Route, request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header !== undefined) return /^bearer ([\x21-\x7e]{1,512})$/i.exec(header)?.[1] ?? ''
  if (route.media === undefined) return undefined
  const inQuery = (request.query as Record<string, unknown>).access_token
  return typeof inQuery === 'string' ? inQuery : undefined
}

function mayCall(route: Route, caller: Caller | undefined): ApiError | undefined {
  if (route.access === 'public' || caller === undefined) return undefined
  const scope = route.method === 'GET' ? 'read' : 'write'
  if (!caller.scopes.includes(scope)) return { error: 'notAuthorized', detail: `this token lacks the scope ${scope}` }
  if (caller.isDemoUser && route.method !== 'GET' && route.changesNothing === undefined) {
    return { error: 'notAuthorized', detail: 'a demo user cannot change anything' }
  }
  if (route.superUserOnly && !caller.isSuperUser) {
    return { error: 'notAuthorized', detail: 'only the owner of the account may do this' }
  }
  if (route.right !== undefined && !caller.rights.has(route.right)) {
    return { error: 'notAuthorized', detail: `this needs the right ${route.right}` }
  }
  return undefined
}

function parseInput(
  route: Route,
  request: FastifyRequest,
): Result<{ params: unknown; query: unknown; body: unknown }, ApiError> {
  const params = z.safeParse(route.params, request.params)
  // An id that cannot be is an object that is not there; both answer alike.
  if (!params.success) return fail({ error: 'notFound' })
  const query = z.safeParse(route.query, request.query)
  if (!query.success) return fail(invalid('query', query.error))
  const body = z.safeParse(route.body, request.body)
  if (!body.success) return fail(invalid('body', body.error))
  return ok({ params: params.data, query: query.data, body: body.data })
}

function invalid(where: string, error: z.core.$ZodError): ApiError {
  const fields = error.issues.slice(0, 20).map((issue) => ({
    field: issue.path.length === 0 ? where : issue.path.join('.'),
    message: issue.message,
  }))
  return {
    error: 'validation',
    detail: `${where}: ${fields.map((f) => `${f.field}: ${f.message}`).join('; ')}`,
    fields,
  }
}

function sendReply(reply: FastifyReply, route: Route, value: unknown): FastifyReply {
  if (isRawReply(value)) return sendRaw(reply, value)
  if (!reply.hasHeader('cache-control')) void reply.header('cache-control', NO_STORE)
  void reply.status(route.status)
  if (route.status === 204) return reply.send()
  return reply.type('application/json; charset=utf-8').send(value)
}

function sendRaw(reply: FastifyReply, raw: RawReply): FastifyReply {
  void reply.header('cache-control', NO_STORE)
  if (raw.headers !== undefined) void reply.headers({ ...raw.headers })
  return reply.type(raw.contentType).send(Buffer.from(raw.bytes.buffer, raw.bytes.byteOffset, raw.bytes.byteLength))
}

function sendFailure(reply: FastifyReply, failure: ApiError, requestId: string): FastifyReply {
  if (failure.retryAfter !== undefined) void reply.header('retry-after', String(Math.ceil(failure.retryAfter)))
  return reply
    .status(errorCatalogue[failure.error].status)
    .header('cache-control', NO_STORE)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toErrorBody(failure, requestId === '' ? undefined : requestId))
}

function sendTokenFault(reply: FastifyReply, fault: TokenFault): FastifyReply {
  return reply
    .status(401)
    .header('www-authenticate', 'Bearer error="invalid_token"')
    .header('cache-control', NO_STORE)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ error: 'invalid_token', error_description: fault.message })
}

function answerFailures(app: FastifyInstance, options: HttpOptions): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof TokenFault) return sendTokenFault(reply, error)
    if (error instanceof Refused) return sendFailure(reply, error.failure, request.id)
    const status = (error as { statusCode?: number }).statusCode
    if (status !== undefined && status >= 400 && status < 500) {
      return sendFailure(reply, { error: 'parse', detail: (error as Error).message }, request.id)
    }
    if (isUnavailable(error)) {
      const detail = 'the database does not answer at this moment'
      return sendFailure(reply, { error: 'overloaded', detail, retryAfter: DATABASE_BACK_S }, request.id)
    }
    options.onBug(error, { method: request.method, path: pathOf(request), requestId: request.id })
    return sendFailure(reply, { error: 'internal' }, request.id)
  })
  const known = knownPaths(options.served)
  app.setNotFoundHandler((request, reply) => {
    const exists = known.some((pattern) => pattern.test(pathOf(request)))
    return sendFailure(reply, { error: exists ? 'unsupportedOperation' : 'notFound' }, request.id)
  })
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? ''

function knownPaths(served: readonly Served[]): readonly RegExp[] {
  const paths = new Set(served.map(({ route }) => route.path.replaceAll(/\{\w+\}/g, '[^/]+')))
  return [...paths].map((path) => new RegExp(`^/rest/v2\\.[0-4]/+${path}/?$`))
}
