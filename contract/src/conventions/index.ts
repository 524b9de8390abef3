import type * as z from 'zod/mini'
import type { ErrorName } from '../errors/index.ts'
import type { Route } from '../wire/index.ts'

/** The maximum number of items per page, and the maximum of `limit`. */
export const MAX_PAGE_SIZE = 500

/** RFC 9110 §8.8.3. It identifies the whole object, whatever fields the response contains. */
export const ETAG = 'ETag'
/** Chosen by the client, at most 255 visible characters. Within 24 hours, the same key means the same request. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key'

type Schema = z.ZodMiniType
/** The parts of a schema's definition that identify its type. */
interface Shape {
  readonly type: string
  readonly element?: Schema
  readonly innerType?: Schema
  readonly options?: readonly Schema[]
}

const shapeOf = (schema: Schema): Shape => schema._zod.def as unknown as Shape

function isObject(schema: Schema): boolean {
  const { type, innerType, options } = shapeOf(schema)
  if (type === 'object' || type === 'record') return true
  if (innerType !== undefined) return isObject(innerType)
  return options?.some(isObject) ?? false
}

const answersJson = (route: Route): boolean => route.media === undefined && route.status !== 204
const answersObject = (route: Route): boolean => answersJson(route) && isObject(route.reply)

/** Whether `Accept` must allow JSON. */
export const isJsonOnly = answersJson

/** A GET that returns a list of objects; such a route has `list`. */
export function isList(route: Route): boolean {
  const { type, element } = shapeOf(route.reply)
  return route.method === 'GET' && answersJson(route) && type === 'array' && element !== undefined && isObject(element)
}

/** Whether `includeFields` and `excludeFields` are supported. */
export const hasFields = (route: Route): boolean => route.method === 'GET' && (answersObject(route) || isList(route))

/** Whether responses have an ETag: single objects, and cacheable responses. */
export const isTagged = (route: Route): boolean =>
  (route.method === 'GET' && answersJson(route) && (answersObject(route) || route.keptFor !== undefined)) ||
  isConditional(route)

/** Whether `If-Match` is supported: changes that return the changed object. */
export const isConditional = (route: Route): boolean =>
  (route.method === 'PATCH' || route.method === 'PUT') && answersObject(route)

/** Whether the response for an `Idempotency-Key` is stored and returned again. */
export const isReplayed = (route: Route): boolean =>
  route.method === 'POST' && route.access !== 'public' && route.notReplayed === undefined && answersJson(route)

/** A parameter that routes accept without listing it, as OpenAPI describes it. */
export interface SharedParameter {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

const text = (maxLength: number) => ({ type: 'string', maxLength })

const fieldParameters: readonly SharedParameter[] = [
  {
    name: 'includeFields',
    in: 'query',
    description: 'Fields to return, separated by commas; use dots for nested fields. Unknown fields are ignored',
    schema: text(2000),
  },
  {
    name: 'excludeFields',
    in: 'query',
    description: 'Fields to leave out, written the same way. Can’t be combined with includeFields',
    schema: text(2000),
  },
]

function listParameters({ list }: Route): readonly SharedParameter[] {
  if (list === undefined) return []
  const sorts = list.sort.map((field) => field.replace(/^-/, '')).flatMap((field) => [field, `-${field}`])
  const unsaid = list.defaultLimit === 'all' ? 'all' : String(list.defaultLimit)
  return [
    {
      name: 'sort',
      in: 'query',
      description: 'Field to sort by; a leading - reverses the order',
      schema: { enum: sorts },
    },
    {
      name: 'limit',
      in: 'query',
      description: `Items per page; ${unsaid} by default`,
      schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE },
    },
    { name: 'pageToken', in: 'query', description: 'From the Link header of another page', schema: text(500) },
    {
      name: 'count',
      in: 'query',
      description: 'true adds the header X-Total-Count',
      schema: { enum: ['true', 'false'] },
    },
  ]
}

const condition = (name: string, description: string): SharedParameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
})

/** Everything that the HTTP layer supports for a route in addition to the route's own input. */
export function sharedParameters(route: Route): readonly SharedParameter[] {
  return [
    ...(hasFields(route) ? fieldParameters : []),
    ...(isList(route) ? listParameters(route) : []),
    ...(isTagged(route) && route.method === 'GET'
      ? [condition('If-None-Match', 'An ETag; answers 304 if the object still has it')]
      : []),
    ...(isConditional(route) ? [condition('If-Match', 'An ETag; answers 412 if the object has changed since')] : []),
    ...(isReplayed(route)
      ? [
          condition(
            IDEMPOTENCY_KEY,
            'A unique key you choose; repeating the request with the same key within 24 hours returns the first reply',
          ),
        ]
      : []),
  ]
}

/** Errors that the HTTP layer can return for a route in addition to the route's own and the general ones. */
export function sharedErrors(route: Route): readonly ErrorName[] {
  return [
    ...(isJsonOnly(route) ? (['notAcceptable'] as const) : []),
    ...(hasFields(route) || isReplayed(route) ? (['validation'] as const) : []),
    ...(route.method === 'GET' ? [] : (['preconditionFailed', 'payloadTooLarge'] as const)),
    ...(isReplayed(route) ? (['businessRule'] as const) : []),
  ]
}

/** Response headers of a success, with descriptions. */
export function sharedHeaders(route: Route): Readonly<Record<string, string>> {
  return {
    ...(isTagged(route) ? { [ETAG]: 'Identifies this version of the object' } : {}),
    ...(isList(route)
      ? {
          Link: 'The pages after (rel="next") and before (rel="prev"); no next at the end',
          'X-Total-Count': 'Number of items on all pages',
        }
      : {}),
    ...(route.created === undefined ? {} : { Location: 'Address of the created object' }),
    ...(isReplayed(route) ? { 'Idempotency-Replayed': 'true if this is the reply to an earlier request' } : {}),
  }
}
