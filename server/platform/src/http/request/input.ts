import { Readable } from 'node:stream'
import { hasFields, isList } from '@sightline/contract/conventions'
import type { ApiError } from '@sightline/contract/errors'
import type { Route } from '@sightline/contract/wire'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { fail, ok, type Result } from '../../result/index.ts'
import { type FieldChoice, readFieldChoice } from './field-choice.ts'
import { IN_WORDS } from './field-faults.ts'
import { type ListQuestion, readListQuestion } from './paging.ts'
import type { StoreQuestion } from './store-page.ts'
import { isValidText, STORABLE } from './valid-text.ts'

/** A request's input, parsed by the route's schemas and the common conventions (api.md §2.3). */
export interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly fields: FieldChoice | undefined
  readonly list: ListQuestion | StoreQuestion | undefined
}

type InputReader = (request: FastifyRequest) => Result<Input, ApiError>

/** Reads the input of requests of one route. */
export function inputReader(route: Route): InputReader {
  const choosesFields = hasFields(route)
  const rules = isList(route) ? route.list : undefined
  return (request) => {
    const params = z.safeParse(route.params, request.params)
    // An impossible id is treated like the id of a nonexistent object.
    if (!params.success) return fail({ error: 'notFound' })
    const asked = request.query as Asked
    const query = readQuery(route, asked)
    if (!query.ok) return query
    const body = readBody(route, request.body)
    if (!body.ok) return body
    const fields = choosesFields ? readFieldChoice(asked) : ok(undefined)
    if (!fields.ok) return fields
    const list = rules === undefined ? ok(undefined) : readListQuestion(rules, asked)
    if (!list.ok) return list
    return ok({ params: params.data, query: query.value, body: body.value, fields: fields.value, list: list.value })
  }
}

function readBody(route: Route, given: unknown): Result<unknown, ApiError> {
  if (route.bodyMedia === undefined) {
    const body = z.safeParse(route.body, given, IN_WORDS)
    return body.success ? ok(body.data) : fail(invalid('body', body.error))
  }
  if (given instanceof Readable) return ok(undefined)
  return fail({
    error: 'parse',
    detail: `the body must be one of ${route.bodyMedia.join(', ')}, named by Content-Type`,
  })
}

/** Parameters of the address as received; a repeated one is a list. */
type Asked = Readonly<Record<string, string | readonly string[]>>

function readQuery(route: Route, asked: Asked): Result<unknown, ApiError> {
  const unstorable = unstorableIn(asked)
  if (unstorable !== undefined) return fail(unstorable)
  const query = z.safeParse(route.query, asked, IN_WORDS)
  return query.success ? ok(query.data) : fail(invalid('query', query.error))
}

function unstorableIn(asked: Asked): ApiError | undefined {
  const found = Object.entries(asked).find((parameter) => !parameter.flat().every(isValidText))
  if (found === undefined) return undefined
  // The name itself may be invalid.
  const field = isValidText(found[0]) ? found[0] : 'query'
  return { error: 'validation', detail: `query: ${field}: ${STORABLE}`, fields: [{ field, message: STORABLE }] }
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
