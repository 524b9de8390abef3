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

/** Shapes that occur everywhere have a name of their own, or no line could be read. */
const NAMED: readonly (readonly [shape: string, name: string])[] = [
  [spelledOut(schemaOf(idListText, 'input')), 'ids, with commas'],
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
  if (route.media !== undefined) return `- answers ${route.status} with ${route.media.join(' or ')}`
  if (route.status === 204 || isNothing(route.reply)) return `- answers ${route.status} without a body`
  return `- answers ${route.status}: \`${shapeOf(schemaOf(route.reply, 'output'))}\``
}

function whoLine(route: Route): string {
  const facts = [
    route.access,
    ...(route.right === undefined ? [] : [`right ${route.right}`]),
    ...(route.superUserOnly === undefined ? [] : ['owner of the account only']),
    `support session: ${route.support}`,
    ...(route.visitor === undefined ? [] : ['visitors of a demonstration: no']),
    ...(route.changesNothing === undefined ? [] : ['changes nothing']),
    ...(route.anyScope === undefined ? [] : ['with any scope']),
    `plane ${route.plane}`,
    ...(route.operation === undefined ? [] : [`operation ${route.operation}`]),
  ]
  return `\`${route.name}\` · ${facts.join(' · ')}`
}

function conventionLines(route: Route): readonly string[] {
  const { list, keptFor, notReplayed } = route
  const conditions = [
    ...(isConditional(route) ? ['takes If-Match'] : []),
    ...(isReplayed(route)
      ? [`takes ${IDEMPOTENCY_KEY}${route.replayedToTokenOnly === true ? ', of each token its own' : ''}`]
      : []),
    ...(notReplayed === undefined ? [] : [`takes no ${IDEMPOTENCY_KEY}: ${notReplayed}`]),
    ...(keptFor === undefined ? [] : ['caches may keep it']),
  ]
  return [
    ...(list === undefined ? [] : [`- a list: sorts by ${list.sort.join(', ')}; without limit ${list.defaultLimit}`]),
    ...(conditions.length === 0 ? [] : [`- ${conditions.join('; ')}`]),
  ]
}

/** What holds for every call alike, whatever it is about. */
const conventions = [
  '## Every call',
  '',
  '- JSON in and out; an `Accept` that leaves it out is answered 406. `OPTIONS` answers the methods of a path, 405 (code 10) names them in `Allow`.',
  '- Date-times come in with `Z`, `+0000`, `+00:00` or any other offset and go out as `2026-11-21T09:30:00.000+00:00`.',
  '- `includeFields` and `excludeFields` on every GET of objects: names with commas between them, dots lead into objects and lists; unknown names change nothing, both at once are refused.',
  `- Lists are plain arrays. \`limit\` (1 to ${MAX_PAGE_SIZE}) makes pages, \`Link\` leads to the next and the previous one by addresses relative to the one asked, \`count=true\` adds \`X-Total-Count\`, \`sort=field\` or \`sort=-field\` orders by the fields that the list names.`,
  '- Filters with several ids find any of them; ids that are unknown or out of reach find nothing, and a list without any id is empty.',
  '- `PATCH` changes the fields that are given; fields it does not know are ignored.',
  '- Single objects have an `ETag`. `If-None-Match` answers 304 while it holds; `If-Match` on a change is looked at under the lock of the object and answers 412 (code 6) where it is another by now.',
  `- \`${IDEMPOTENCY_KEY}\` on a POST (1 to 255 visible characters): within 24 hours the same key of the same user with the same body answers the first success again, with \`Idempotency-Replayed: true\`; with another body it is refused (409, code 6). Failures free the key. 10,000 keys of a user are kept.`,
  '- Too many calls of one user are answered 429 (code 16) with `Retry-After`; how many is set by `SIGHTLINE_CALLS_PER_SECOND`.',
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

/** Every call of the REST API, from the routes themselves. */
export function apiPage(): string {
  const sorted = allRoutes.toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, 'en'))
  const sections = Object.entries(Object.groupBy(sorted, sectionOf)).map(([name, routes = []]) =>
    [`## ${name}`, '', ...routes.map(routeSection)].join('\n'),
  )
  return [
    '# REST API',
    '',
    `Generated by \`npm run reference\` from contract/. ${allRoutes.length} calls, answered alike under ${apiVersions.map((version) => `\`/rest/${version}/\``).join(', ')}.`,
    'Every call may also answer internal (1), parse (2), notAuthorized (9), overloaded and tooManyRequests (16), and those with a token a 401 with an OAuth 2 body.',
    '',
    ...conventions,
    ...sections,
  ].join('\n')
}

/** Codes, HTTP statuses and texts of all errors. */
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
    'Generated by `npm run reference` from contract/src/errors. Clients key on `code`; texts may change.',
    '',
    '| code | name | HTTP | title | calls that list it |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '## Texts of single operations',
    '',
    'What a person reads where an operation has a better text than the title.',
    '',
    '| operation | code | text |',
    '|---|---|---|',
    ...texts,
    '',
  ].join('\n')
}

/** The machine-readable description, for generators of clients. */
export const openApiDocument = (): string =>
  `${JSON.stringify(openApi({ routes: allRoutes, named: namedSchemas, version: '2.4', server: '/rest/v2.4' }), null, 2)}\n`
