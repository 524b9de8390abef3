import { IDEMPOTENCY_KEY, isConditional, isReplayed, MAX_PAGE_SIZE } from '@sightline/contract/conventions'
import { type ErrorName, errorCatalogue } from '@sightline/contract/errors'
import { openApi } from '@sightline/contract/openapi'
import { allRoutes, namedSchemas } from '@sightline/contract/routes'
import { apiVersions, dateTime, dateTimeText, idListText, idText, type Route } from '@sightline/contract/wire'
import * as z from 'zod/mini'
import { customMessages } from '../../contract/src/errors/messages.ts'
import { type JsonSchema, describeShape as spelledOut } from './shape.ts'

type Schema = Route['reply']

const schemaOf = (of: Schema, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(of, { io, unrepresentable: 'any' }) as JsonSchema

/** Frequent shapes have a name, so that lines stay readable. */
const NAMED: readonly (readonly [shape: string, name: string])[] = [
  [spelledOut(schemaOf(idListText, 'input')), 'ids, separated by commas'],
  [spelledOut(schemaOf(idText, 'input')), 'id'],
  [spelledOut(schemaOf(dateTimeText, 'input')), 'date-time (any offset)'],
  [spelledOut(schemaOf(dateTime, 'output')), 'date-time'],
]

const shapeOf = (schema: JsonSchema): string =>
  NAMED.reduce((text, [shape, name]) => text.replaceAll(shape, name), spelledOut(schema))

const isNothing = (of: Schema): boolean => of._zod.def.type === 'undefined'

function given(label: string, of: Schema): readonly string[] {
  if (isNothing(of)) return []
  const shape = shapeOf(schemaOf(of, 'input'))
  return shape === '{}' ? [] : [`- ${label}: \`${shape}\``]
}

function replyLine(route: Route): string {
  if (route.media !== undefined) return `- returns ${route.status} with ${route.media.join(' or ')}`
  if (route.status === 204 || isNothing(route.reply)) return `- returns ${route.status} without a body`
  return `- returns ${route.status}: \`${shapeOf(schemaOf(route.reply, 'output'))}\``
}

function whoLine(route: Route): string {
  const facts = [
    route.access,
    ...(route.right === undefined
      ? []
      : [`right ${[route.right, ...(route.orRight === undefined ? [] : [route.orRight])].join(' or ')}`]),
    ...(route.superUserOnly === undefined ? [] : ['account owner only']),
    `support session: ${route.support}`,
    ...(route.visitor === undefined ? [] : ['demo visitors: no']),
    ...(route.changesNothing === undefined ? [] : ['changes nothing']),
    ...(route.anyScope === undefined ? [] : ['any scope']),
    `plane ${route.plane}`,
    ...(route.operation === undefined ? [] : [`operation ${route.operation}`]),
  ]
  return `\`${route.name}\` · ${facts.join(' · ')}`
}

function conventionLines(route: Route): readonly string[] {
  const { list, keptFor, notReplayed } = route
  const conditions = [
    ...(isConditional(route) ? ['accepts If-Match'] : []),
    ...(isReplayed(route)
      ? [`accepts ${IDEMPOTENCY_KEY}${route.replayedToTokenOnly === true ? ', separate for each token' : ''}`]
      : []),
    ...(notReplayed === undefined ? [] : [`doesn’t accept ${IDEMPOTENCY_KEY}: ${notReplayed}`]),
    ...(keptFor === undefined ? [] : ['can be cached']),
  ]
  return [
    ...(list === undefined ? [] : [`- list: sort by ${list.sort.join(', ')}; default limit ${list.defaultLimit}`]),
    ...(conditions.length === 0 ? [] : [`- ${conditions.join('; ')}`]),
  ]
}

/** Conventions of all calls. */
const conventions = [
  '## All calls',
  '',
  '- Calls accept and return JSON. An `Accept` header without JSON gets 406. `OPTIONS` returns the methods of a path; other methods get 405 (code 10) with an `Allow` header.',
  '- Date-times are accepted with `Z`, `+0000`, `+00:00` or any other offset, and returned as `2026-11-21T09:30:00.000+00:00`.',
  '- Every GET of objects accepts `includeFields` or `excludeFields`: field names separated by commas, with dots for fields of nested objects and lists. Unknown names are ignored; the two can’t be combined.',
  `- Lists are plain arrays. \`limit\` (1 to ${MAX_PAGE_SIZE}) sets the page size, and the \`Link\` header contains the relative addresses of the next and previous page. \`count=true\` adds \`X-Total-Count\`. \`sort=field\` or \`sort=-field\` sorts by one of the fields listed for the call.`,
  '- Filters accept several ids and match any of them. Unknown ids and ids the caller can’t access match nothing; an empty filter returns an empty list.',
  '- `PATCH` updates only the fields sent; unknown fields are ignored.',
  '- Single objects have an `ETag`. `If-None-Match` returns 304 if the object hasn’t changed. `If-Match` on an update is checked while the object is locked, and returns 412 (code 6) if it has changed.',
  `- \`${IDEMPOTENCY_KEY}\` on a POST (1 to 255 visible characters): within 24 hours, repeating a request with the same key, user and body returns the first successful reply with \`Idempotency-Replayed: true\`. A different body gets 409 (code 6). A failed request releases its key. Up to 10,000 keys are stored per user.`,
  '- Too many calls by one user get 429 (code 16) with `Retry-After`. `SIGHTLINE_CALLS_PER_SECOND` sets the limit.',
  '',
]

function routeSection(route: Route): string {
  const ids = Object.entries(route.ids).map(([place, referent]) => `${place} is a ${referent}`)
  return [
    `### ${route.method} ${route.path}`,
    '',
    `${route.summary}.`,
    '',
    `${whoLine(route)}`,
    '',
    ...given('path', route.params),
    ...given('query', route.query),
    ...given('body', route.body),
    replyLine(route),
    ...conventionLines(route),
    ...(ids.length === 0 ? [] : [`- ids: ${ids.join(', ')}`]),
    ...(route.errors.length === 0
      ? []
      : [`- errors: ${route.errors.map((name) => `${name} (${errorCatalogue[name].code})`).join(', ')}`]),
    '',
  ].join('\n')
}

const sectionOf = (route: Route): string =>
  route.path
    .split('/')
    .slice(0, route.path.startsWith('users/self') ? 2 : 1)
    .join('/')

/** All calls of the REST API, from the routes. */
export function apiPage(): string {
  const sorted = allRoutes.toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, 'en'))
  const sections = Object.entries(Object.groupBy(sorted, sectionOf)).map(([name, routes = []]) =>
    [`## ${name}`, '', ...routes.map(routeSection)].join('\n'),
  )
  return [
    '# REST API',
    '',
    `Generated by \`npm run reference\` from contract/. ${allRoutes.length} calls, the same under ${apiVersions.map((version) => `\`/rest/${version}/\``).join(', ')}.`,
    'Every call can also return internal (1), parse (2), notAuthorized (9), overloaded and tooManyRequests (16). Calls that need a token can return 401 with an OAuth 2 body.',
    '',
    ...conventions,
    ...sections,
  ].join('\n')
}

/** Codes, HTTP statuses and messages of all errors. */
export function errorsPage(): string {
  const rows = (Object.keys(errorCatalogue) as ErrorName[]).map((name) => {
    const { code, status, title } = errorCatalogue[name]
    const routes = allRoutes.filter((route) => route.errors.includes(name)).length
    return `| ${code} | ${name} | ${status} | ${title} | ${routes} |`
  })
  const texts = Object.entries(customMessages).flatMap(([operation, byCode]) =>
    Object.entries(byCode).map(([code, text]) => `| ${operation} | ${code} | ${text.replaceAll('|', '\\|')} |`),
  )
  return [
    '# Errors',
    '',
    'Generated by `npm run reference` from contract/src/errors. Programs should check `code`; texts can change.',
    '',
    '| code | name | HTTP | title | calls |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '## Messages for specific operations',
    '',
    'Shown to people instead of the title.',
    '',
    '| operation | code | text |',
    '|---|---|---|',
    ...texts,
    '',
  ].join('\n')
}

/** The machine-readable description, for client generators. */
export const openApiDocument = (): string =>
  `${JSON.stringify(openApi({ routes: allRoutes, named: namedSchemas, version: '2.4', server: '/rest/v2.4' }), null, 2)}\n`
