import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { isConditional, isJsonOnly, isReplayed } from '@sightline/contract/conventions'
import { newestApiVersion } from '@sightline/contract/wire'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { MS_PER_MINUTE, repeatEvery } from '../clock/index.ts'
import { isUnavailable } from '../db/index.ts'
import { createRateLimiter, createSemaphore } from '../limits/index.ts'
import { reportAnswers } from './answer-metrics.ts'
import { answer, CallError, type HttpOptions, type PreparedRoute } from './call.ts'
import { showing } from './commit/replay-check.ts'
import { replyWriter, send, sendFailure, sendTokenFault } from './reply/reply.ts'
import { allowedMethods, isEndless } from './request/allowed-methods.ts'
import { underNewest } from './request/api-version.ts'
import { SuspendedFault, TokenFault } from './request/caller.ts'
import { inputReader } from './request/input.ts'
import { bodyFault } from './request/json-body.ts'
import { cutTarget } from './request/request-target.ts'
import type { ServedRoute } from './serve.ts'

export interface HttpServer {
  handle(req: IncomingMessage, res: ServerResponse): void
  close(): Promise<void>
}

const BODY_LIMIT_BYTES = 1 << 20
/** The built-in PostgreSQL is back after about this many seconds if it was killed. */
const DATABASE_BACK_S = 2
/** Maximum database connections for one account's handlers; further ones wait without one. */
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
    rewriteUrl: ({ url = '/' }) => underNewest(url),
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
  repeatEvery(signal, SWEEP_MS, () =>
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
      return done(new CallError({ error: 'parse', detail: 'the body is not valid JSON' }, { cause }))
    }
    const detail = bodyFault(body)
    if (detail === undefined) return done(null, body)
    done(new CallError({ error: 'parse', detail }))
  })
}

function addRoute(
  app: FastifyInstance,
  served: ServedRoute,
  { methodsAt, ...shared }: Pick<PreparedRoute, 'options' | 'limit' | 'accounts'> & { methodsAt: MethodsAt },
): void {
  const { route } = served
  const prepared: PreparedRoute = {
    ...shared,
    route,
    served,
    readInput: inputReader(route),
    replies: replyWriter(route),
    isJsonOnly: isJsonOnly(route),
    isConditional: isConditional(route),
    isReplayed: isReplayed(route),
    showing: showing(route, shared.options.served),
  }
  const add = (scope: FastifyInstance) =>
    scope.route({
      method: route.method,
      // HEAD reads the whole reply and drops it, which an endless one never ends.
      exposeHeadRoute: !isEndless(route),
      config: { routeName: route.name },
      url: `/rest/${newestApiVersion}/${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        // Otherwise the router takes `self` for an id if the matching path lacks the method.
        if (namesNoId(request) && methodsAt(pathOf(request))?.includes(request.method) === false) {
          return reply.callNotFound()
        }
        const answered = await answer(prepared, request)
        // A client that is still sending is cut off by the end of the connection.
        if (request.body instanceof Readable && !request.body.readableEnded) reply.header('connection', 'close')
        if (!answered.ok) return sendFailure(reply, answered.failure, { requestId: request.id })
        return send(reply, answered.value)
      },
    })
  const { bodyMedia } = route
  if (bodyMedia === undefined) add(app)
  else
    app.register((scope, _options, done) => {
      scope.addContentTypeParser([...bodyMedia], (_request, body, parsed) => parsed(null, body))
      add(scope)
      done()
    })
}

const namesNoId = ({ params }: FastifyRequest): boolean =>
  Object.values(params as Readonly<Record<string, string>>).some((value) => !/^[0-9]/.test(value))

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
  if (error instanceof CallError) return sendFailure(reply, error.failure, known)
  const { code, statusCode: status } = error as { code?: string; statusCode?: number }
  // No id is that long, so the address doesn't exist.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return sendFailure(reply, { error: 'notFound' }, known)
  if (status === 413) {
    const detail = `the body can be at most ${BODY_LIMIT_BYTES} bytes`
    return sendFailure(reply, { error: 'payloadTooLarge', detail }, known)
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return sendFailure(reply, { error: 'parse', detail: (error as Error).message }, known)
  }
  if (isUnavailable(error)) {
    const detail = 'the database is not responding; try again shortly'
    return sendFailure(reply, { error: 'overloaded', detail, retryAfter: DATABASE_BACK_S }, known)
  }
  options.onBug(error, { method: request.method, path: pathOf(request), requestId: request.id })
  return sendFailure(reply, { error: 'internal' }, known)
}

const pathOf = (request: FastifyRequest): string => cutTarget(request.originalUrl).path
