import { errorBody, oauthErrorBody } from '@sightline/contract/errors/bodies'
import type { Route } from '@sightline/contract/wire'
import * as z from 'zod/mini'
import { nextTask } from './next-task.ts'

type Schema = z.ZodMiniType

/** What may be sent for a part of a call: ids travel as text, so numbers are taken too. */
type Sendable<T> = { readonly [K in keyof T]: string extends T[K] ? T[K] | number : T[K] }

/** A part of a call: left out only where nothing in it is demanded. */
type Part<Name extends string, T> = [T] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : Record<never, never> extends T
    ? { readonly [N in Name]?: T }
    : { readonly [N in Name]: T }

/** What a call of that route takes: `params`, `query` and `body`, each as the route's schema takes it in. */
export type Input<P extends Schema, Q extends Schema, B extends Schema> = Part<'params', Sendable<z.input<P>>> &
  Part<'query', Sendable<z.input<Q>>> &
  Part<'body', z.input<B>>

export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason, an `AbortError`. */
  readonly signal?: AbortSignal
  /** Further headers, such as `X-Password` or `If-Match`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds until the call fails with code 19; 30,000 unless told (a long poll needs more). */
  readonly timeoutMs?: number
}

type Rest<I> = Record<never, never> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions]

export interface FieldFault {
  readonly field: string
  readonly message: string
}

/**
 * A call that did not succeed. `message` is the text for a person, from the catalogue by operation and code, in English;
 * it is also the key of its translation. Besides what the server answers, code 20 is a server that could not be
 * reached, 19 no answer in time, 15 an answer that is not what the contract promises.
 */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: number
  readonly title: string
  readonly detail: string | undefined
  readonly fields: readonly FieldFault[]
  readonly operation: number | undefined
  /** HTTP status; 0 where there was no answer. */
  readonly status: number
  /** Seconds after which another try makes sense, where the server said so. */
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined
  /** True after a 401 of a dead token: the session is over and nobody needs another message. */
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

/** The failure with its text. The catalogue comes with the first one, because a first screen does without it. */
async function failureWith(given: Failed, options?: ErrorOptions): Promise<ApiFailure> {
  // Where nothing can be reached the catalogue cannot either, and a browser may remember that; its text is this one anyway.
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
  /** Base of every path, with or without a slash at its end: `https://host/rest/v2.4/`. */
  readonly apiServer: string
  readonly token: () => string | undefined
  /** The server no longer knows the token (401 with `invalid_token`); a wrong password (code 8) is not that. */
  readonly onInvalidToken: () => void
  /** Tries to have another token in place of a dead one; the call is then made again. */
  readonly renewToken?: (waiting: { readonly dead: string | undefined; readonly isWrite: boolean }) => Promise<boolean>
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>
  /** Milliseconds before the second and third try of a GET that did not reach the server. */
  readonly retryAfterMs?: readonly number[]
}

/** Which part of a list is wanted, and in which order. */
export interface PageWish {
  /** Items of one page, at most 500; what the route says unless told. */
  readonly limit?: number
  /** A field of the list, with `-` before it from the end. */
  readonly sort?: string
  /** `next` or `previous` of another page. */
  readonly pageToken?: string | undefined
  /** Whether the items of all pages are to be counted. */
  readonly count?: boolean
}

export interface Page<Rows> {
  readonly rows: Rows
  /** On all pages; undefined where it was not asked for. */
  readonly total: number | undefined
  /** Tokens of the pages around; undefined where there is none. */
  readonly next: string | undefined
  readonly previous: string | undefined
}

/** A reply with the name of the state it shows, for `If-Match`; undefined where the server names none. */
export interface Tagged<Value> {
  readonly value: Value
  readonly etag: string | undefined
}

export interface Client {
  /** The reply of a call, parsed by the route's schema; rejects with {@link ApiFailure}. */
  call<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...rest: Rest<Input<P, Q, B>>
  ): Promise<z.output<R>>
  /** The same with the ETag of the reply. */
  tagged<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...rest: Rest<Input<P, Q, B>>
  ): Promise<Tagged<z.output<R>>>
  /** One page of a route that answers a list. */
  page<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    input: Input<P, Q, B>,
    wish: PageWish,
    options?: CallOptions,
  ): Promise<Page<z.output<R>>>
  /** The same as {@link call} for routes that answer with another media type than JSON, such as a snapshot. */
  blob<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...rest: Rest<Input<P, Q, B>>
  ): Promise<Blob>
  /** Ends every call that only reads and is still under way: for leaving a page. */
  cancelReads(): void
}

type AnyInput = { params?: unknown; query?: unknown; body?: unknown }

/** The address of a call; a parameter that the path names and nobody gave is a bug of the caller. */
export function addressOf(apiServer: string, path: string, { params, query }: AnyInput): string {
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

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const over = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', over)
      resolve()
    }, ms)
    signal.addEventListener('abort', over, { once: true })
  })

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
  // A proxy's own error page, or a server that died half-way.
  const code = response.status >= 502 ? 20 : 15
  return failureWith({ code, title: `HTTP ${response.status}`, operation, status: response.status, retryAfter })
}

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
    ...[input, options]: Rest<Input<P, Q, B>>
  ): Promise<z.output<R>> {
    const { value } = await this.#json(route, input ?? {}, options ?? {})
    return value
  }

  async tagged<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...[input, options]: Rest<Input<P, Q, B>>
  ): Promise<Tagged<z.output<R>>> {
    const { value, headers } = await this.#json(route, input ?? {}, options ?? {})
    return { value, etag: headers.get('etag') ?? undefined }
  }

  async page<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    input: Input<P, Q, B>,
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
    throw await failureWith({ code: 15, title, operation, status: response.status }, { cause: parsed.error })
  }

  async blob<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
    route: Route<P, Q, B, R>,
    ...[input, options]: Rest<Input<P, Q, B>>
  ): Promise<Blob> {
    const response = await this.#send(route, input ?? {}, options ?? {}, route.media?.join(', ') ?? '*/*')
    return this.#read(route, () => response.blob())
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
      throw await failureWith({ code: 15, title, operation: route.operation, status: 200 }, { cause })
    }
  }

  async #send(route: Route, input: AnyInput, options: CallOptions, accept: string): Promise<Response> {
    const isWrite = route.method !== 'GET'
    const token = this.#settings.token()
    try {
      return await this.#sendOnce(route, input, options, { accept, token })
    } catch (failure) {
      if (!(failure instanceof ApiFailure && failure.sessionEnded)) throw failure
      // Nothing was done with a dead token, so that even what writes is sent again.
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
    options: CallOptions,
    { accept, token }: { accept: string; token: string | undefined },
  ): Promise<Response> {
    const address = addressOf(this.#settings.apiServer, route.path, input)
    const late = AbortSignal.timeout(options.timeoutMs ?? 30_000)
    const stop = [late, options.signal, route.method === 'GET' ? this.#reads.signal : undefined]
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
    if (response.ok) return response
    throw await failureOf(response, route.operation)
  }

  /** Fetches; a GET that did not get through is tried again, because reading twice harms nobody. */
  async #reach(route: Route, address: string, init: RequestInit, late: AbortSignal): Promise<Response> {
    const { operation, method } = route
    const pauses = method === 'GET' ? this.#settings.retryAfterMs : []
    // A screen asks for several things at once, and each takes a telephone some milliseconds.
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

/** Typed calls of the contract's routes against one API server. */
export const createClient = (settings: ClientSettings): Client => new FetchClient(settings)
