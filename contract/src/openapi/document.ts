import { isTagged, type SharedParameter, sharedErrors, sharedHeaders, sharedParameters } from '../conventions/index.ts'
import { type ErrorName, errorBody, errorCatalogue, oauthErrorBody } from '../errors/index.ts'
import type { Route } from '../wire/index.ts'
import { callText, parameterText, tagDescriptions } from './descriptions.ts'
import { exampleLike, makeExample } from './examples.ts'
import { type NamedSchemas, type SchemaJson, type SchemaWriter, schemaWriter } from './named-schemas.ts'

export interface ApiDescription {
  readonly routes: readonly Route[]
  /** Schemas with their own name in the contract. */
  readonly named: NamedSchemas
  /** `v2.4` */
  readonly version: string
  /** The base of all paths; relative, so that no host from the request is repeated. */
  readonly server: string
}

/** The OpenAPI 3.1 document of `routes`, for one version prefix. Schemas come from the routes themselves. */
export function openApi({ routes, named, version, server }: ApiDescription): SchemaJson {
  const writer = schemaWriter(routes, new Map([['Error', errorBody], ['OAuthError', oauthErrorBody], ...named]))
  for (const error of [errorBody, oauthErrorBody]) writer.write(error, 'output')
  const shared = new Map<string, SchemaJson>()
  const drafts = routes.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map((route) => draft(route, writer, shared))
  const schemas = writer.components()
  const paths: Record<string, SchemaJson> = {}
  for (const { route, operation } of drafts) {
    const path = `/${route.path}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: withExamples(operation, schemas) }
  }
  const tags = [...new Set(routes.map(tagOf))].sort((a, b) => a.localeCompare(b, 'en'))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sightline REST API',
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server, description: 'This installation' }],
    security: [{ bearer: [] }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] })),
    paths,
    components: {
      schemas,
      parameters: Object.fromEntries(shared),
      responses: Object.fromEntries(
        everyError
          .filter((name) => JSON.stringify(paths).includes(`"${responseReference(name)}"`))
          .map((name) => [componentOf(name), errorResponse(name)]),
      ),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An OAuth 2 access token from `/oauth/token` (RFC 6750).',
        },
      },
    },
  }
}

const ABOUT = [
  'Video surveillance: cameras, zones, recordings, users and their rights, brands and dealers.',
  'Every call accepts and returns JSON. All errors have the same shape: programs check `code`, people read `title` and `detail`.',
  'Lists are plain arrays; `limit` sets the page size, and the `Link` header points to the next page.',
].join(' ')

const tagOf = ({ path }: Route): string => path.split('/')[0] ?? path

const isNothing = (schema: Route['body']): boolean => schema._zod.def.type === 'undefined'

interface Draft {
  readonly route: Route
  readonly operation: SchemaJson
}

function draft(route: Route, writer: SchemaWriter, shared: Map<string, SchemaJson>): Draft {
  const operation = {
    operationId: route.name,
    summary: route.summary,
    description: callText(route),
    tags: [tagOf(route)],
    ...(route.access === 'public' ? { security: [] } : {}),
    parameters: [
      ...ownParameters(route, 'path', writer),
      ...ownParameters(route, 'query', writer),
      ...sharedParameters(route).map((parameter) => sharedParameter(route, parameter, shared)),
    ],
    ...requestBody(route, writer),
    responses: responses(route, writer),
    'x-access': route.access,
    'x-support-session': route.support,
    ...(route.visitor === undefined ? {} : { 'x-visitor': route.visitor }),
    ...(route.right === undefined ? {} : { 'x-right': route.right }),
    ...(route.orRight === undefined ? {} : { 'x-or-right': route.orRight }),
    ...(route.superUserOnly === undefined ? {} : { 'x-super-user-only': true }),
    ...(route.operation === undefined ? {} : { 'x-operation': route.operation }),
    ...(route.notReplayed === undefined ? {} : { 'x-not-replayed': route.notReplayed }),
    'x-ids': route.ids,
  }
  return { route, operation }
}

function requestBody(route: Route, writer: SchemaWriter): SchemaJson {
  if (route.bodyMedia !== undefined) {
    const content = Object.fromEntries(route.bodyMedia.map((type) => [type, {}]))
    return { requestBody: { required: true, content } }
  }
  const takesBody = !isNothing(route.body)
  if (!takesBody) return {}
  return {
    requestBody: { required: true, content: { 'application/json': { schema: writer.write(route.body, 'input') } } },
  }
}

function ownParameters(route: Route, place: 'path' | 'query', writer: SchemaWriter): SchemaJson[] {
  const { properties = {}, required = [] } = writer.write(place === 'path' ? route.params : route.query, 'input') as {
    properties?: Record<string, SchemaJson>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description: format, ...schema }]) => {
    const { description, example } = parameterText(route.name, name) ?? {}
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      description: [description, format].filter((text) => text !== undefined).join('. '),
      schema,
      example: exampleLike(example, schema, writer.components()),
    }
  })
}

/** Parameters of many calls are defined once, under `components`. */
function sharedParameter(route: Route, parameter: SharedParameter, shared: Map<string, SchemaJson>): SchemaJson {
  const example = parameterText(route.name, parameter.name)?.example
  const [first] = (parameter.schema.enum ?? []) as unknown[]
  const described = { ...parameter, required: false, example: example ?? first }
  // Only these differ between lists.
  if (parameter.name === 'sort' || parameter.name === 'limit') return described
  shared.set(parameter.name, described)
  return { $ref: `#/components/parameters/${parameter.name}` }
}

const everyError = (Object.keys(errorCatalogue) as ErrorName[]).toSorted()

const componentOf = (name: ErrorName): string => name.charAt(0).toUpperCase() + name.slice(1)

const responseReference = (name: ErrorName): string => `#/components/responses/${componentOf(name)}`

const errorContent = (example: SchemaJson): SchemaJson => ({
  'application/json': { schema: { $ref: '#/components/schemas/Error' }, example },
})

function errorResponse(name: ErrorName): SchemaJson {
  const { code, title } = errorCatalogue[name]
  return { description: `${title} (code ${code})`, content: errorContent({ code, title }) }
}

/** Errors that the HTTP layer can return for all calls. */
const everyCallErrors: readonly ErrorName[] = ['parse', 'tooManyRequests', 'overloaded', 'internal']

function responses(route: Route, writer: SchemaWriter): SchemaJson {
  const answers: Record<string, SchemaJson> = { [route.status]: success(route, writer) }
  if (route.reply._zod.def.type === 'optional') answers['204'] = { description: 'There is none' }
  if (route.access !== 'public') {
    answers['401'] = {
      description: 'The token is missing, expired or revoked',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/OAuthError' },
          example: { error: 'invalid_token', error_description: 'the token is unknown, expired or revoked' },
        },
      },
    }
  }
  if (route.method === 'GET' && isTagged(route)) {
    answers['304'] = { description: 'The object still has the ETag of If-None-Match', headers: headersOf(['ETag']) }
  }
  const denied = route.access === 'public' ? [] : (['notAuthorized'] as const)
  const names = new Set<ErrorName>([...denied, ...route.errors, ...sharedErrors(route), ...everyCallErrors])
  const byStatus = Map.groupBy(names, (name) => String(errorCatalogue[name].status))
  for (const [status, same] of byStatus) answers[status] = errorAnswer(same, answers[status])
  return answers
}

/** Errors with the same HTTP status. */
function errorAnswer(names: readonly ErrorName[], other: SchemaJson | undefined): SchemaJson {
  const [only, ...more] = names
  if (other === undefined && only !== undefined && more.length === 0) {
    return { $ref: responseReference(only) }
  }
  const lines = names.map((name) => `${errorCatalogue[name].title} (code ${errorCatalogue[name].code})`)
  const examples = Object.fromEntries(
    names.map((name) => [name, { value: { code: errorCatalogue[name].code, title: errorCatalogue[name].title } }]),
  )
  if (other === undefined) {
    return {
      description: lines.join('; '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } },
    }
  }
  const either = [{ $ref: '#/components/schemas/OAuthError' }, { $ref: '#/components/schemas/Error' }]
  return {
    description: [other.description, ...lines].join('; '),
    content: { 'application/json': { schema: { anyOf: either }, examples } },
  }
}

const headersOf = (names: readonly string[], about: Readonly<Record<string, string>> = {}): SchemaJson =>
  Object.fromEntries(
    names.map((name) => [
      name,
      { ...(about[name] === undefined ? {} : { description: about[name] }), schema: { type: 'string' } },
    ]),
  )

function success(route: Route, writer: SchemaWriter): SchemaJson {
  if (route.status === 204 || isNothing(route.reply)) return { description: 'Done' }
  if (route.media !== undefined) {
    return { description: 'The file', content: Object.fromEntries(route.media.map((type) => [type, {}])) }
  }
  const headers = sharedHeaders(route)
  return {
    description: 'Done',
    ...(Object.keys(headers).length === 0 ? {} : { headers: headersOf(Object.keys(headers), headers) }),
    content: { 'application/json': { schema: writer.write(route.reply, 'output') } },
  }
}

/** All bodies and JSON responses, with a valid example. */
function withExamples(operation: SchemaJson, schemas: Readonly<Record<string, SchemaJson>>): SchemaJson {
  const shown = (media: unknown): unknown => {
    const content = (media as { content?: Record<string, SchemaJson> } | undefined)?.content?.['application/json']
    if (content?.schema === undefined || 'example' in content || 'examples' in content) return media
    const example = makeExample(content.schema as SchemaJson, schemas)
    return { ...(media as SchemaJson), content: { 'application/json': { ...content, example } } }
  }
  const answers = Object.entries(operation.responses as Record<string, SchemaJson>)
  return {
    ...operation,
    ...(operation.requestBody === undefined ? {} : { requestBody: shown(operation.requestBody) }),
    responses: Object.fromEntries(answers.map(([status, answer]) => [status, shown(answer)])),
  }
}
