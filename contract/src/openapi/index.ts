import * as z from 'zod/mini'
import { isTagged, sharedErrors, sharedHeaders, sharedParameters } from '../conventions/index.ts'
import { errorBody, errorCatalogue, oauthErrorBody } from '../errors/index.ts'
import { type Route, route } from '../wire/index.ts'

type Json = Record<string, unknown>

export const getOpenApi = route({
  name: 'getOpenApi',
  summary: 'This description of the API (OpenAPI 3.1)',
  method: 'GET',
  path: 'openapi.json',
  access: 'public',
  support: 'yes',
  reply: z.record(z.string(), z.unknown()),
  errors: [],
})

/** The OpenAPI 3.1 document of `routes`, for one version prefix. Schemas come from the routes themselves. */
export function openApi(routes: readonly Route[], about: { version: string; server: string }): Json {
  const paths: Record<string, Json> = {}
  for (const route of [...routes].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const path = `/${route.path}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sightline REST API',
      version: about.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.server }],
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: { Error: schema(errorBody, 'output'), OAuthError: schema(oauthErrorBody, 'output') },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function schema(of: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(of, { io, unrepresentable: 'any' }) as Json
  return rest
}

const ref = (name: string): Json => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })

function operation(route: Route): Json {
  const takesBody = route.body._zod.def.type !== 'undefined'
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [route.path.split('/')[0]],
    ...(route.access === 'public' ? { security: [] } : {}),
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...sharedParameters(route).map((parameter) => ({ ...parameter, required: false })),
    ],
    ...(takesBody
      ? { requestBody: { required: true, content: { 'application/json': { schema: schema(route.body, 'input') } } } }
      : {}),
    responses: responses(route),
    'x-access': route.access,
    'x-support-session': route.support,
    ...(route.visitor === undefined ? {} : { 'x-visitor': route.visitor }),
    ...(route.right === undefined ? {} : { 'x-right': route.right }),
    ...(route.superUserOnly === undefined ? {} : { 'x-super-user-only': true }),
    ...(route.operation === undefined ? {} : { 'x-operation': route.operation }),
    ...(route.notReplayed === undefined ? {} : { 'x-not-replayed': route.notReplayed }),
    'x-ids': route.ids,
  }
}

function parameters(of: z.ZodMiniType, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schema(of, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function responses(route: Route): Json {
  const answers: Record<string, Json> = { [route.status]: success(route) }
  if (route.access !== 'public') {
    answers['401'] = { description: 'The token is missing, expired or revoked', content: ref('OAuthError') }
    answers['403'] = { description: 'Not authorized (code 9)', content: ref('Error') }
  }
  if (route.method === 'GET' && isTagged(route)) {
    answers['304'] = { description: 'Still the state that If-None-Match names', headers: headersOf(['ETag']) }
  }
  for (const name of new Set([...route.errors, ...sharedErrors(route), 'tooManyRequests' as const])) {
    const { code, status, title } = errorCatalogue[name]
    const line = `${title} (code ${code})`
    const before = answers[status]?.description
    answers[status] = { description: before === undefined ? line : `${before}; ${line}`, content: ref('Error') }
  }
  return answers
}

const headersOf = (names: readonly string[], about: Readonly<Record<string, string>> = {}): Json =>
  Object.fromEntries(
    names.map((name) => [
      name,
      { ...(about[name] === undefined ? {} : { description: about[name] }), schema: { type: 'string' } },
    ]),
  )

function success(route: Route): Json {
  if (route.status === 204) return { description: 'Done' }
  if (route.media !== undefined) {
    return { description: 'The file', content: Object.fromEntries(route.media.map((type) => [type, {}])) }
  }
  const headers = sharedHeaders(route)
  return {
    description: 'Done',
    ...(Object.keys(headers).length === 0 ? {} : { headers: headersOf(Object.keys(headers), headers) }),
    content: { 'application/json': { schema: schema(route.reply, 'output') } },
  }
}
