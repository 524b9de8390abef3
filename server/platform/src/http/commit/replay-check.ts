import type { ApiError } from '@sightline/contract/errors'
import type { Route } from '@sightline/contract/wire'
import * as z from 'zod/mini'
import { ok, type Result } from '../../result/index.ts'
import type { Caller } from '../../sessions/index.ts'
import type { Input } from '../request/input.ts'
import type { Handler, Request, ServedRoute } from '../serve.ts'
import type { StoredReply } from './idempotency-store.ts'

/** The call that reads what a route creates, if there is one. */
export const showing = (route: Route, served: readonly ServedRoute[]): ServedRoute | undefined =>
  route.created === undefined
    ? undefined
    : served.find((each) => each.route.method === 'GET' && each.route.path === route.created)

/**
 * Checks that the caller, who may make the call itself, can still see the object in a stored reply; returns the error
 * of the call that reads it. Checked each time, because a user may lose access to an object and keep the right to
 * create others.
 */
export async function checkReplay(
  { route, handler }: { readonly route: Route; readonly handler: Handler<Route> },
  of: { readonly reply: StoredReply; readonly params: unknown; readonly caller: Caller },
  ask: (input: Input) => Request,
): Promise<Result<undefined, ApiError>> {
  const named = { ...(of.params as object), ...(JSON.parse(of.reply.body) as object) }
  const [params, query] = [z.safeParse(route.params, texts(named)), z.safeParse(route.query, {})]
  if (!params.success || !query.success) throw new TypeError(`${route.name} has no reply for the object in its path`)
  const input = { params: params.data, query: query.data, body: undefined, fields: undefined, list: undefined }
  const answered = await handler(of.caller, ask(input) as never)
  return answered.ok ? ok(undefined) : answered
}

/** As parameters of an address are. */
const texts = (named: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name, String(value)]))
