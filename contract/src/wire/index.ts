import * as z from 'zod/mini'
import type { ErrorName } from '../errors/index.ts'
import type { Rule } from '../rights/index.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Who may call: `public` anyone, `authenticated` anyone with a token, `tenant` members of the call's account, `object`
 * members with access to the object of the id.
 */
export type Access = 'public' | 'authenticated' | 'tenant' | 'object'

/** What an id in path, query or body refers to; the tenancy test crosses every one with foreign objects. */
export type Referent =
  | 'account'
  | 'user'
  | 'camera'
  | 'zone'
  | 'device'
  | 'deviceJob'
  | 'cameraJob'
  /** Of the account that offers, and of the one that it is for. */
  | 'cameraTransfer'
  | 'cameraOffer'
  | 'reseller'
  | 'distributor'
  | 'staff'
  | 'permissionProfile'
  | 'subscriptionPackage'
  | 'mobileSubscription'
  | 'firmwareImage'
  | 'setupCode'
  | 'apiKey'
  | 'recordingLock'
  | 'recordingDeletion'
  | 'event'
  | 'export'
  | 'share'
  | 'cameraGroup'
  | 'sequence'
  | 'layout'
  | 'report'
  | 'reportSchedule'
  | 'token'
  | 'session'
  | 'pushDevice'
  | 'passkey'
  | 'job'

/** Which plane answers; the edge routes by it. Only the auth plane has passwords, codes and keys. */
export type Plane = 'api' | 'auth'

/**
 * How a list may be had in another order and in parts (`sort`, `limit`, `pageToken`, `count`). Fields are dot paths into
 * an item: `streamId.value`.
 */
export interface ListRules {
  /** The field that identifies an item; page tokens contain it. */
  readonly key: string
  /** What `sort` may name, with `-` before it for the other direction. */
  readonly sort: readonly string[]
  /** The number of items without `limit`; `all` if clients that never page would silently miss some. */
  readonly defaultLimit: number | 'all'
  /** The store finds each page, if there may be too many items for memory; the first sort is the list's own. */
  readonly pagedBy?: 'store'
}

/** How long caches may keep a reply: a number of seconds, or until the clock shows a multiple of them. */
export type CacheLifetime = { readonly seconds: number } | { readonly untilMultipleOfSeconds: number }

type Schema = z.ZodMiniType

export interface Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
  Callers extends Rule['callers'] = Rule['callers'],
> extends Omit<Rule, 'callers'> {
  /** Unique; the name of the call in client, documentation and audit. */
  readonly name: string
  readonly method: Method
  /** Relative to `/rest/v2.N/`, parameters in braces: `cameras/{cameraId}/status`. */
  readonly path: string
  readonly summary: string
  readonly plane: Plane
  readonly access: Access
  readonly callers: Callers
  /** What each id refers to, by place: `{ 'params.cameraId': 'camera' }`. */
  readonly ids: Readonly<Record<string, Referent>>
  /** Operation number of the error catalogue (specification §8; api.md §23). */
  readonly operation?: number
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** What the reply is parsed as by the client and encoded by on the server; `undefined` body is 204. */
  readonly reply: Reply
  readonly status: 200 | 201 | 202 | 204
  /**
   * For a 201: the path of what was created, with fields of the reply or the address in braces; it becomes the
   * Location.
   */
  readonly created?: string
  /** It may wait long for a camera or for something to happen, and not for the database. */
  readonly waitsForOthers?: true
  /** Existing clients put the token into its address (api.md §3); other routes don't accept it there. */
  readonly tokenInAddress?: true
  /** The body isn't JSON: it has one of these media types, and is read while it arrives. */
  readonly bodyMedia?: readonly string[]
  /** Other media types that the reply may have instead of JSON. */
  readonly media?: readonly string[]
  /** Every GET that returns a list of objects has them. */
  readonly list?: ListRules
  /** The reply is the same for everyone, so caches may keep it. If omitted, they may not. */
  readonly keptFor?: CacheLifetime
  /** Request headers, in addition to the address, that the reply depends on. */
  readonly variesBy?: readonly string[]
  /** Of a POST: why the same `Idempotency-Key` runs it again instead of replaying the first reply. */
  readonly notReplayed?: string
  /**
   * For a POST: the reply depends on the calling token, so an `Idempotency-Key` belongs to that token and not to the
   * user.
   */
  readonly replayedToTokenOnly?: true
  /** Its errors in addition to those that every call may return (internal, parse, overloaded, notAuthorized). */
  readonly errors: readonly ErrorName[]
}

export const nothing = z.undefined()
export const noParams = z.object({})

type Given<P extends Schema, Q extends Schema, B extends Schema, R extends Schema, C extends Rule['callers']> = Omit<
  Route<P, Q, B, R, C>,
  'params' | 'query' | 'body' | 'status' | 'plane' | 'ids' | 'callers'
> & {
  /** Members if omitted. */
  readonly callers?: C
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly status?: Route['status']
  readonly plane?: Plane
  readonly ids?: Route['ids']
}

/** Describes one call as data; server, client, documentation and tenancy test all come from it. */
export function route<
  R extends Schema,
  P extends Schema = typeof noParams,
  Q extends Schema = typeof noParams,
  B extends Schema = typeof nothing,
  C extends Rule['callers'] = 'members',
>(given: Given<P, Q, B, R, C>): Route<P, Q, B, R, C> {
  return {
    callers: 'members' as C,
    plane: 'api',
    ids: {},
    status: 200,
    params: noParams as unknown as P,
    query: noParams as unknown as Q,
    body: nothing as unknown as B,
    ...given,
  }
}

/** The versions that are answered alike; clients choose one per resource. */
export const newestApiVersion = 'v2.4'
export const apiVersions = ['v2.0', 'v2.1', 'v2.2', 'v2.3', newestApiVersion] as const

const isSafeId = (text: string): boolean => Number.isSafeInteger(Number(text))

/** An id in a path or query: decimal digits only, below 2^53. (`z.coerce` would turn '' into 0.) */
export const idText = z.pipe(
  z.string().check(z.regex(/^[1-9][0-9]{0,15}$/), z.refine(isSafeId, 'must be an id below 2^53')),
  z.transform((text) => Number(text)),
)
export const id = z.int().check(z.positive())

/**
 * Ids separated by commas, at most 500: any of them. An empty text names none, so nothing matches; an impossible id
 * doesn't match either.
 */
export const idListText = z.pipe(
  z.string().check(z.regex(/^([1-9][0-9]{0,15}(,[1-9][0-9]{0,15}){0,499})?$/)),
  z.transform((text) => (text === '' ? [] : text.split(',').filter(isSafeId).map(Number))),
)

/**
 * `2026-11-21T09:30:00.000+00:00`: the format of every date-time in replies; {@link dateTimeText} is the format of
 * requests.
 */
export const dateTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/))

export const toDateTime = (epochMs: number): string => new Date(epochMs).toISOString().replace('Z', '+00:00')

/**
 * A date-time from clients, ending in `Z`, `+0000`, `+00:00` or any offset; becomes milliseconds since 1970. A client
 * that writes `+` into an address without encoding it sends a space, which can mean nothing else here.
 */
export const dateTimeText = z.pipe(
  z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+ -]\d\d:?\d\d)$/)),
  z.transform((text, ctx) => {
    const at = Date.parse(text.replace(/ (?=\d\d:?\d\d$)/, '+').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
    if (Number.isNaN(at)) ctx.issues.push({ code: 'custom', message: 'must be a valid date-time', input: text })
    return at
  }),
)
