import { errorBody, oauthErrorBody } from '@sightline/contract/errors/bodies'
import type { Route } from '@sightline/contract/wire'
import * as z from 'zod/mini'
import { type Late, pause, untilAnswered } from './lateness.ts'
import { nextTask } from './next-task.ts'

type Schema = z.ZodMiniType

/** Input type of a part of a call. Ids are sent as text, so numbers are accepted too. */
type Sendable<T> = { readonly [K in keyof T]: string extends T[K] ? T[K] | number : T[K] }

/** A part of a call. It is optional only if it has no required fields. */
type Part<Name extends string, T> = [T] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : Record<never, never> extends T
    ? { readonly [N in Name]?: T }
    : { readonly [N in Name]: T }

/** Input of a call to that route: `params`, `query` and `body`, each as the route's schema accepts it. */
export type CallInput<P extends Schema, Q extends Schema, B extends Schema> = Part<'params', Sendable<z.input<P>>> &
  Part<'query', Sendable<z.input<Q>>> &
  Part<'body', z.input<B>>

export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason, an `AbortError`. */
  readonly signal?: AbortSignal
  /** Additional headers, such as `X-Password` or `If-Match`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds until the call fails with code 19. The default is 30,000; a long poll needs more. */
  readonly timeoutMs?: number
}

type Rest<I> = Record<never, never> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions]

export interface FieldFault {
  readonly field: string
  readonly message: string
}

/**
 * A call that failed. `message` is the text for the user from the error catalog, by operation and code, in English. It
 * is also the key of its translation. In addition to the server's codes: 20 means that the server can't be reached, 19
 * that it didn't respond in time, 15 that the response violates the contract.
 */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: number
  readonly title: string
  readonly detail: string | undefined
  readonly fields: readonly FieldFault[]
  readonly operation: number | undefined
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** Seconds after which to try again, if the server sent them. */
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined
  /** True after a 401 for an invalid token. The session has ended, so no other message is needed. */
  readonly sessionEnded: boolean

  constructor(given: Failed & Pick<ApiFailure, 'message'>, options?: ErrorOptions) {
    super(given.message, options)
    this.code = given.code
    this.title = given.title
    this.detail = given.detail
    this.fields = given.fields ?? []
    this.operation = given.operation
    this.status = given.status
    this.retryAfter = given.retryAfter
    this.requestId = given.requestId
    this.sessionEnded = given.sessionEnded ?? false
  }
}

type Failed = Pick<ApiFailure, 'code' | 'title' | 'operation' | 'status'> &
  Partial<Pick<ApiFailure, 'detail' | 'fields' | 'retryAfter' | 'requestId' | 'sessionEnded'>>

const UNKNOWN_ERROR =
  'The application has encountered an unknown error, try again later. If the problem persists, contact support.'
const UNREACHED = 20

/** For a response that the client can't read, so there is no text of the server. */
const UNREADABLE_REPLY = "Couldn't read the server's reply. Try again."

/** The failure with its text. The catalog is loaded with the first failure, because a first screen doesn't need it. */
async function failureWith(given: Failed, options?: ErrorOptions): Promise<ApiFailure> {
  // If the server can't be reached, the catalog can't be loaded, and a browser may remember the failure. Code 20 has
  // this text anyway.
  const isSaid = given.code === UNREACHED || given.sessionEnded === true
  const message = isSaid
    ? UNKNOWN_ERROR
    : await import('@sightline/contract/errors/messages').then(
        ({ getErrorMessage }) => getErrorMessage(given.operation, given.code),
        () => UNKNOWN_ERROR,
      )
  return new ApiFailure({ ...given, message }, options)
}

export interface ClientSettings {
  /** Base of all paths, with or without a slash at the end: `https://host/rest/v2.4/`. */
  readonly apiServer: string
  readonly token: () => string | undefined
  /**
   * Called when the server no longer accepts the token (401 with `invalid_token`), but not for a wrong password (code
   * 8).
   */
  readonly onInvalidToken: () => void
  /** Tries to replace an invalid token; then the call is sent again. */
  readonly renewToken?: (waiting: { readonly dead: string | undefined; readonly isWrite: boolean }) => Promise<boolean>
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>
  /** Milliseconds before the second and third attempt of a GET that didn't reach the server. */
  readonly retryAfterMs?: readonly number[]
}

/** Which page of a list to load, and in which order. */
export interface PageWish {
  /** Items per page, at most 500. The default is the route's. */
  readonly limit?: number
  /** A field of the list; a leading `-` sorts in descending order. */
  readonly sort?: string
  /** `next` or `previous` of another page. */
  readonly pageToken?: string | undefined
  /** Whether to count the items of all pages. */
  readonly count?: boolean
}

export interface Page<Rows> {
  readonly rows: Rows
  /** Number of items on all pages; undefined if it wasn't requested. */
  readonly total: number | undefined
  /** Tokens of the previous and next page; undefined if there is none. */
  readonly next: string | undefined
  readonly previous: string | undefined
}

/** A response with its ETag, for `If-Match`; undefined if the server sends none. */
export interface TaggedReply<Value> {
  readonly value: Value
  readonly etag: string | undefined
}

export interface Client {
  /** The response of a call, parsed with the route's schema. Rejects with {@link ApiFailure}. */
  call<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...rest: Rest<CallInput<P, Q, B>>
  ): Promise<z.output<R>>
  /** Like {@link call}, with the ETag of the response. */
  tagged<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...rest: Rest<CallInput<P, Q, B>>
  ): Promise<TaggedReply<z.output<R>>>
  /** One page of a route that returns a list. */
  page<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    input: CallInput<P, Q, B>,
    wish: PageWish,
    options?: CallOptions,
  ): Promise<Page<z.output<R>>>
  /** Like {@link call}, for routes that return a media type other than JSON, such as a snapshot. */
  blob<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...rest: Rest<CallInput<P, Q, B>>
  ): Promise<Blob>
  /**
   * The reply of a route that goes on, such as the stream of events. Only its start is awaited, and `cancelReads` leaves it:
   * `signal` ends it.
   */
  open<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...rest: Rest<CallInput<P, Q, B>>
  ): Promise<ReadableStream<Uint8Array>>
  /** Cancels all pending calls that only read. Used when the user leaves a page. */
  cancelReads(): void
}

/** An endless reply is late only until it begins. */
type SendOptions = CallOptions & { readonly isEndless?: boolean }

type AnyInput = { params?: unknown; query?: unknown; body?: unknown }

/** The address of a call. A missing path parameter is a bug in the caller. */
export function routeAddress(apiServer: string, path: string, { params, query }: AnyInput): string {
  const given = new Map(Object.entries(params ?? {}))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = given.get(name)
    if (value === undefined || value === '') throw new Error(`no value for {${name}} of ${path}`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const tail = search.size === 0 ? '' : `?${search}`
  return `${apiServer.replace(/\/$/, '')}/${filled.replace(/^\//, '')}${tail}`
}

/** The page tokens in a `Link` header (RFC 8288), by relation. */
function pagesAround(link: string): { next: string | undefined; previous: string | undefined } {
  const tokens = new Map(
    [...link.matchAll(/<[^>]*[?&]pageToken=([^&>]+)[^>]*>; *rel="(\w+)"/g)].map(([, token = '', relation]) => [
      relation,
      decodeURIComponent(token),
    ]),
  )
  return { next: tokens.get('next'), previous: tokens.get('prev') }
}

async function failureOf(response: Response, operation: number | undefined): Promise<ApiFailure> {
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  const body: unknown = await response.json().catch(() => undefined)
  const known = z.safeParse(errorBody, body)
  if (known.success) return failureWith({ ...known.data, operation, status: response.status, retryAfter })
  const dead = z.safeParse(oauthErrorBody, body)
  const invalidToken = response.headers.get('www-authenticate')?.includes('invalid_token') ?? false
  if (response.status === 401 && (invalidToken || dead.data?.error === 'invalid_token')) {
    return failureWith({ code: 8, title: 'The session is over', operation, status: 401, sessionEnded: true })
  }
  // The error page of a proxy, or the response of a server that died while sending it.
  const { status } = response
  const given = { title: `HTTP ${status}`, operation, status, retryAfter }
  return status >= 502 ? failureWith({ ...given, code: UNREACHED }) : unreadableReply(given)
}

/** A reply that isn't in the contract's form: code 15, whose own text is about devices. */
const unreadableReply = (given: Omit<Failed, 'code'>, options?: ErrorOptions): ApiFailure =>
  new ApiFailure({ ...given, code: 15, message: UNREADABLE_REPLY }, options)

class FetchClient implements Client {
  readonly #settings: Required<ClientSettings>
  #reads = new AbortController()

  constructor(settings: ClientSettings) {
    this.#settings = {
      fetch: (address, init) => fetch(address, init),
      retryAfterMs: [300, 1200],
      renewToken: async () => false,
      ...settings,
    }
  }

  async call<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...[input, options]: Rest<CallInput<P, Q, B>>
  ): Promise<z.output<R>> {
    const { value } = await this.#json(route, input ?? {}, options ?? {})
    return value
  }

  async tagged<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...[input, options]: Rest<CallInput<P, Q, B>>
  ): Promise<TaggedReply<z.output<R>>> {
    const { value, headers } = await this.#json(route, input ?? {}, options ?? {})
    return { value, etag: headers.get('etag') ?? undefined }
  }

  async page<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    input: CallInput<P, Q, B>,
    wish: PageWish,
    options: CallOptions = {},
  ): Promise<Page<z.output<R>>> {
    const { query, ...rest }: AnyInput = input
    const asked = { ...rest, query: { ...(query ?? {}), ...wish } }
    const { value, headers } = await this.#json(route, asked, options)
    const total = headers.get('x-total-count')
    return {
      rows: value,
      total: total === null ? undefined : Number(total),
      ...pagesAround(headers.get('link') ?? ''),
    }
  }

  async #json<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    input: AnyInput,
    options: CallOptions,
  ): Promise<{ value: z.output<R>; headers: Headers }> {
    const response = await this.#send(route, input, options, 'application/json')
    const body: unknown = response.status === 204 ? undefined : await this.#read(route, () => response.json())
    const parsed = z.safeParse(route.reply, body)
    if (parsed.success) return { value: parsed.data, headers: response.headers }
    const { operation } = route
    const title = `${route.name}: the reply does not match the contract`
    throw unreadableReply({ title, operation, status: response.status }, { cause: parsed.error })
  }

  async blob<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...[input, options]: Rest<CallInput<P, Q, B>>
  ): Promise<Blob> {
    const response = await this.#send(route, input ?? {}, options ?? {}, route.media?.join(', ') ?? '*/*')
    return this.#read(route, () => response.blob())
  }

  async open<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...[input, options]: Rest<CallInput<P, Q, B>>
  ): Promise<ReadableStream<Uint8Array>> {
    const accept = route.media?.join(', ') ?? '*/*'
    const { body } = await this.#send(route, input ?? {}, { ...options, isEndless: true }, accept)
    return body ?? new ReadableStream()
  }

  cancelReads(): void {
    this.#reads.abort(new DOMException('left the page', 'AbortError'))
    this.#reads = new AbortController()
  }

  async #read<T>(route: { name: string; operation?: number }, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
      const title = `${route.name}: the reply broke off`
      throw unreadableReply({ title, operation: route.operation, status: 200 }, { cause })
    }
  }

  async #send(route: Route, input: AnyInput, options: SendOptions, accept: string): Promise<Response> {
    const isWrite = route.method !== 'GET'
    const token = this.#settings.token()
    try {
      return await this.#sendOnce(route, input, options, { accept, token })
    } catch (failure) {
      if (!(failure instanceof ApiFailure && failure.sessionEnded)) throw failure
      // The server does nothing for an invalid token, so even a writing call can be sent again.
      const isRenewed = token !== undefined && (await this.#settings.renewToken({ dead: token, isWrite }))
      if (isRenewed && options.signal?.aborted !== true) {
        return this.#sendOnce(route, input, options, { accept, token: this.#settings.token() })
      }
      if (!isRenewed) this.#settings.onInvalidToken()
      throw failure
    }
  }

  async #sendOnce(
    route: Route,
    input: AnyInput,
    options: SendOptions,
    { accept, token }: { accept: string; token: string | undefined },
  ): Promise<Response> {
    const address = routeAddress(this.#settings.apiServer, route.path, input)
    const { isEndless = false, timeoutMs = 30_000 } = options
    const time: Late = isEndless ? untilAnswered(timeoutMs) : { late: AbortSignal.timeout(timeoutMs) }
    const { late } = time
    const stop = [late, options.signal, route.method === 'GET' && !isEndless ? this.#reads.signal : undefined]
    const signal = AbortSignal.any(stop.filter((one) => one !== undefined))
    const init: RequestInit = {
      method: route.method,
      signal,
      headers: {
        accept,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    }
    const response = await this.#reach(route, address, init, late)
    time.answered?.()
    if (response.ok) return response
    throw await failureOf(response, route.operation)
  }

  /** Fetches. A GET that failed to reach the server is repeated, because repeating a read is harmless. */
  async #reach(route: Route, address: string, init: RequestInit, late: AbortSignal): Promise<Response> {
    const { operation, method } = route
    const pauses = method === 'GET' ? this.#settings.retryAfterMs : []
    // A screen makes several requests at once, and each takes a phone some milliseconds.
    if (method === 'GET') await nextTask()
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#settings.fetch(address, init)
      } catch (cause) {
        if (late.aborted)
          throw await failureWith({ code: 19, title: 'No answer in time', operation, status: 0 }, { cause })
        if (init.signal?.aborted) throw init.signal.reason
        const ms = pauses[attempt]
        if (ms === undefined) {
          throw await failureWith(
            { code: UNREACHED, title: 'The server could not be reached', operation, status: 0 },
            { cause },
          )
        }
        await pause(ms * (0.75 + Math.random() / 2), init.signal ?? late)
      }
    }
  }
}

/** Typed calls of the contract's routes to one API server. */
export const createClient = (settings: ClientSettings): Client => new FetchClient(settings)
