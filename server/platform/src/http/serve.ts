import type { Readable } from 'node:stream'
import type { ApiError } from '@sightline/contract/errors'
import type { Route } from '@sightline/contract/wire'
import type * as z from 'zod/mini'
import type { Result } from '../result/index.ts'
import type { Caller, MemberCaller, StaffCaller } from '../sessions/index.ts'
import type { Change, ChangeDeps } from './commit/change.ts'
import type { StorePage, StoreQuestion } from './request/store-page.ts'

/** A handler's context in addition to its parsed input. */
export interface Request<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Of a call with `bodyMedia`: the body while it arrives. @throws TypeError of any other call */
  readonly bodyStream: Readable
  /** Remote address as the edge saw it. */
  readonly address: string
  readonly host: string
  readonly header: (name: string) => string | undefined
  /**
   * The caller as the database has them now; undefined once they can't make this call any more. For replies that last:
   * nothing else checks the caller again.
   */
  readonly confirmCaller: () => Promise<Caller | undefined>
  /** Of a list that its store cuts into pages: which page. @throws TypeError of any other call */
  readonly page: StoreQuestion
}

/** A reply that isn't JSON, or that needs its own headers. */
export interface RawReply {
  /** A redirect instead of 200. */
  readonly status?: 302
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** A streamed reply, for content that may exceed memory. */
export interface StreamedReply {
  readonly contentType: string
  /** A failing stream breaks the connection, so that its reader doesn't mistake a part for the whole. */
  readonly chunks: AsyncIterable<string>
  readonly headers?: Readonly<Record<string, string>>
}

export const isStreamedReply = (value: unknown): value is StreamedReply =>
  typeof value === 'object' && value !== null && 'chunks' in value && 'contentType' in value

export const isRawReply = (value: unknown): value is RawReply =>
  typeof value === 'object' && value !== null && 'bytes' in value && 'contentType' in value

type Schema = z.ZodMiniType
interface CallersOf {
  members: MemberCaller
  staff: StaffCaller
  both: Caller
}
type CallerOf<R extends Route> = R['access'] extends 'public' ? Caller | undefined : CallersOf[R['callers']]

export type Handler<R extends Route> = (
  caller: CallerOf<R>,
  request: Request<z.output<R['params']>, z.output<R['query']>, z.output<R['body']>>,
) => Promise<Result<z.input<R['reply']> | RawReply | StreamedReply | StorePage<unknown>, ApiError>>

/** Handles a call that writes; all its writes go through `change`. */
export type ChangeHandler<R extends Route> = (
  change: Change<CallerOf<R>, z.input<R['reply']>>,
  request: Parameters<Handler<R>>[1],
) => ReturnType<Handler<R>>

type AnyRoute = Route<Schema, Schema, Schema, Schema>

/** A route and its handler: one that reads, or one that writes. */
export interface ServedRoute {
  readonly route: Route
  readonly handler?: Handler<AnyRoute>
  readonly changeHandler?: ChangeHandler<AnyRoute>
  /** What a change needs; see `withChangeDeps`. */
  readonly changeDeps?: ChangeDeps
}

/** Connects a route of the contract to its handler; their types must match. */
export function serve<R extends Route>(route: R, handler: Handler<R>): ServedRoute {
  return { route, handler: handler as unknown as Handler<AnyRoute> }
}

/** Connects a route that writes to its handler. */
export function serveChange<R extends Route>(route: R, changeHandler: ChangeHandler<R>): ServedRoute {
  return { route, changeHandler: changeHandler as unknown as ChangeHandler<AnyRoute> }
}

/** The same routes, with their changes in that database. */
export const withChangeDeps = (served: readonly ServedRoute[], changeDeps: ChangeDeps): readonly ServedRoute[] =>
  served.map((each) => ({ ...each, changeDeps }))
