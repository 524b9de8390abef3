import { Readable } from 'node:stream'
import { isConditional, isTagged } from '@sightline/contract/conventions'
import { type ApiError, errorCatalogue, toErrorBody } from '@sightline/contract/errors'
import type { CacheLifetime, Route } from '@sightline/contract/wire'
import fastJson from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { getRequestedVersion } from '../request/api-version.ts'
import { chooseFields } from '../request/field-choice.ts'
import type { Input } from '../request/input.ts'
import { paginate } from '../request/paging.ts'
import { cutTarget } from '../request/request-target.ts'
import { isStorePage, type StorePage } from '../request/store-page.ts'
import { isRawReply, isStreamedReply, type RawReply, type StreamedReply } from '../serve.ts'
import { computeEtag, fingerprint, isKnown, isNamed } from './etag.ts'

/** An answer ready to be sent. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | Readable | undefined
}

const JSON_TYPE = 'application/json; charset=utf-8'
const NO_STORE = 'private, no-store'

/** Converts the replies of one route to answers. */
export interface ReplyWriter {
  write(value: unknown, request: FastifyRequest, input: Input): Answer
  /** The error if `current` isn't the state that `ifMatch` names. */
  changedSince(current: unknown, ifMatch: string | undefined): ApiError | undefined
}

/**
 * The same schema that the client parses by; unknown fields are not sent (fast-json-stringify drops them). Compiled for the
 * first reply: most routes are not called in the first minutes, and a start would wait for all of them.
 */
function serializerOf(route: Route): (value: unknown) => string {
  let compiled: ((value: unknown) => string) | undefined
  return (value) => {
    compiled ??= compileReply(route)
    return compiled(value)
  }
}

/** @throws if the route's reply can't be described in JSON Schema. */
export function compileReply(route: Route): (value: unknown) => string {
  const { $schema: _, ...schema } = z.toJSONSchema(route.reply, { io: 'input', unrepresentable: 'any' })
  return fastJson(schema as fastJson.Schema)
}

const cacheControl = (keptFor: CacheLifetime): string => {
  if ('seconds' in keptFor) return `public, max-age=${keptFor.seconds}`
  const period = keptFor.untilMultipleOfSeconds
  return `public, max-age=${period - (Math.floor(Date.now() / 1000) % period)}`
}

/** The headers that every JSON reply of a route begins with. */
function headerMaker(route: Route): (value: unknown, request: FastifyRequest) => Record<string, string> {
  const { keptFor, created } = route
  const still = {
    'content-type': JSON_TYPE,
    ...(route.variesBy === undefined ? {} : { vary: [...route.variesBy, 'origin'].join(', ') }),
  }
  return (value, request) => ({
    ...still,
    'cache-control': keptFor === undefined ? NO_STORE : cacheControl(keptFor),
    ...(created === undefined ? {} : { location: locationOf(created, { value, request }) }),
  })
}

/** The answer with its ETag, or 304 if the client has the same version. */
function taggedAnswer(
  { status, headers, body }: Answer & { readonly headers: Record<string, string> },
  { whole, request, choice }: { whole: string; request: FastifyRequest; choice: string | undefined },
): Answer {
  const etag = computeEtag(fingerprint(whole), choice)
  headers.etag = etag
  const known = request.headers['if-none-match']
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || known === undefined || !isKnown(known, etag)) return { status, headers, body }
  delete headers['content-type']
  return { status: 304, headers, body: undefined }
}

const nothing = { headers: { 'cache-control': NO_STORE }, body: undefined }

export function replyWriter(route: Route): ReplyWriter {
  const { status } = route
  const serialize = route.media === undefined && status !== 204 ? serializerOf(route) : undefined
  const headersOf = headerMaker(route)
  const tagged = isTagged(route) ? taggedAnswer : undefined
  return {
    write(value, request, input) {
      if (isRawReply(value)) return rawAnswer(value)
      if (isStreamedReply(value)) return streamedAnswer(value)
      // A route may answer with nothing instead of an object.
      if (serialize === undefined || value === undefined)
        return { ...nothing, status: serialize === undefined ? status : 204 }
      const headers = headersOf(value, request)
      const whole = serialize(itemsOf(value, { route, request, headers }, input.list))
      const body = input.fields === undefined ? whole : chooseFields(whole, input.fields)
      const answer = { status, headers, body }
      return tagged === undefined ? answer : tagged(answer, { whole, request, choice: input.fields?.text })
    },
    changedSince(current, ifMatch) {
      if (ifMatch === undefined || serialize === undefined || !isConditional(route)) return undefined
      const now = fingerprint(serialize(current))
      if (isNamed(ifMatch, now)) return undefined
      const detail = `the object has changed: its ETag is now ${computeEtag(now, undefined)}. Read it again before you change it`
      return { error: 'preconditionFailed', detail }
    },
  }
}

/** The response body: the value, or one page of a list; `headers` link the others (RFC 8288). */
function itemsOf(
  value: unknown,
  { route, request, headers }: { route: Route; request: FastifyRequest; headers: Record<string, string> },
  question: Input['list'],
): unknown {
  if (isStorePage(value)) return paged(value, { request, headers })
  if (question === undefined) return value
  if (!Array.isArray(value) || route.list === undefined || 'edge' in question) {
    throw new TypeError(`${route.name} did not return a list or a page of one`)
  }
  const page = paginate(value, route.list, question)
  return paged({ ...page, total: question.wantsCount ? value.length : undefined }, { request, headers })
}

function paged(
  page: StorePage<unknown>,
  { request, headers }: { request: FastifyRequest; headers: Record<string, string> },
): readonly unknown[] {
  const links = (['next', 'prev'] as const).flatMap((rel) => {
    const token = page[rel]
    return token === undefined ? [] : [`<${addressOf(request, token)}>; rel="${rel}"`]
  })
  if (links.length > 0) headers.link = links.join(', ')
  if (page.total !== undefined) headers['x-total-count'] = String(page.total)
  return page.items
}

/** Under the version that was asked. */
function locationOf(template: string, { value, request }: { value: unknown; request: FastifyRequest }): string {
  const version = getRequestedVersion(request.originalUrl)
  const known: Readonly<Record<string, unknown>> = { ...(request.params as object), ...(value as object) }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(known[name])))
  return `/rest/${version}/${path}`
}

function addressOf(request: FastifyRequest, pageToken: string): string {
  const { path, query } = cutTarget(request.originalUrl)
  const parameters = new URLSearchParams(query)
  parameters.set('pageToken', pageToken)
  return `${path}?${parameters}`
}

function rawAnswer({ status, bytes, contentType, headers }: RawReply): Answer {
  return {
    status: status ?? 200,
    headers: { 'cache-control': NO_STORE, 'content-type': contentType, ...headers },
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  }
}

function streamedAnswer({ chunks, contentType, headers }: StreamedReply): Answer {
  return {
    status: 200,
    headers: { 'cache-control': NO_STORE, 'content-type': contentType, ...headers },
    body: Readable.from(chunks, { objectMode: false }),
  }
}

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.status(status).headers(headers).send(body)
}

/** An error of the catalogue; `headers` in addition to the standard ones. */
export function sendFailure(
  reply: FastifyReply,
  failure: ApiError,
  given: { requestId: string; headers?: Readonly<Record<string, string>> },
): FastifyReply {
  const { retryAfter } = failure
  const wait: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }
  return send(reply, {
    status: errorCatalogue[failure.error].status,
    headers: { 'cache-control': NO_STORE, 'content-type': JSON_TYPE, ...wait, ...given.headers },
    body: JSON.stringify(toErrorBody(failure, given.requestId === '' ? undefined : given.requestId)),
  })
}

/** A 401 that ends the session (RFC 6750 §3). `isNamed`: the challenge also has the description. */
export function sendTokenFault(
  reply: FastifyReply,
  description: string,
  { isNamed = false }: { readonly isNamed?: boolean } = {},
): FastifyReply {
  const challenge = 'Bearer error="invalid_token"'
  return send(reply, {
    status: 401,
    headers: {
      'www-authenticate': isNamed ? `${challenge}, error_description="${description}"` : challenge,
      'cache-control': NO_STORE,
      'content-type': JSON_TYPE,
    },
    body: JSON.stringify({ error: 'invalid_token', error_description: description }),
  })
}
