// Compares the responses that tests saw with the contract: each route responded, each of its errors and each code of
// the catalogue was returned, and nothing outside the contract. Gaps known when a check began are in the ledger, which
// may only shrink; `--accept` rewrites it, `--strict` ignores it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedErrors } from '@sightline/contract/conventions'
import { type ErrorName, errorCatalogue } from '@sightline/contract/errors'
import { allRoutes } from '@sightline/contract/routes'
import type { Route } from '@sightline/contract/wire'
import { readJson } from './tree.ts'
import { report, skip } from './verdict.ts'

const LEDGER = 'tools/checks/error-coverage.json'
const names = Object.keys(errorCatalogue) as ErrorName[]

/** One line of tools/test/record-replies.mjs. */
interface Reply {
  readonly method: string
  /** `/rest/v2.0/users/:userId` */
  readonly url: string
  readonly status: number
  readonly code: number | null
}

function replies(folder: string): readonly Reply[] {
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Reply),
  )
}

const keyOf = (route: Route): string => `${route.method} ${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`
const byKey = new Map(allRoutes.map((route) => [keyOf(route), route]))
const routeOf = ({ method, url }: Reply): Route | undefined =>
  byKey.get(`${method} ${url.replace(/^\/rest\/v2\.\d\//, '')}`)
const errorOf = ({ status, code }: Reply): ErrorName | undefined =>
  names.find((name) => errorCatalogue[name].status === status && errorCatalogue[name].code === code)

/** Errors that every call may return in addition to its own (contract/src/wire/index.ts). */
const GENERAL: ReadonlySet<ErrorName> = new Set([
  'internal',
  'parse',
  'overloaded',
  'tooManyRequests',
  'notAuthorized',
  'notFound',
  'validation',
])

function judge(seen: readonly Reply[]): { readonly gaps: readonly string[]; readonly undocumented: readonly string[] } {
  const answered = new Set<string>()
  const returned = new Set<ErrorName>()
  const undocumented = new Set<string>()
  for (const reply of seen) {
    const route = routeOf(reply)
    const error = errorOf(reply)
    if (error !== undefined) returned.add(error)
    if (route === undefined) continue
    if (reply.status < 400) answered.add(route.name)
    if (error === undefined) continue
    answered.add(`${route.name}: ${error}`)
    if (![...route.errors, ...sharedErrors(route)].includes(error) && !GENERAL.has(error))
      undocumented.add(`${route.name} answered ${error}, which contract/ does not list for it`)
  }
  return {
    gaps: [
      ...allRoutes
        .flatMap((route) => [route.name, ...route.errors.map((error) => `${route.name}: ${error}`)])
        .filter((gap) => !answered.has(gap)),
      ...names.filter((name) => !returned.has(name)).map((name) => `catalogue: ${name}`),
    ],
    undocumented: [...undocumented],
  }
}

/** Where a whole run of `npm test` stores the responses it saw, so that the ledger can be written from them. */
const LAST_RUN = 'node_modules/.cache/sightline/replies'

const folder = process.env.SIGHTLINE_TEST_REPLIES ?? LAST_RUN
if (!existsSync(folder)) skip('replies are recorded by `npm test` only')
else {
  const { gaps, undocumented } = judge(replies(folder))
  if (process.argv.includes('--accept'))
    writeFileSync(LEDGER, `${JSON.stringify({ gaps: [...gaps].sort() }, null, 2)}\n`)
  const ledger = process.argv.includes('--strict') ? [] : (readJson(LEDGER) as { gaps: readonly string[] }).gaps
  const known = new Set(ledger)
  const closed = [...known].filter((gap) => !gaps.includes(gap)).length
  console.log(
    `${allRoutes.length} routes; ${gaps.length} gaps, of which ${gaps.filter((gap) => known.has(gap)).length} are in the ledger; ${closed} of the ledger are closed`,
  )
  report([...gaps.filter((gap) => !known.has(gap)).map((gap) => `no test saw ${gap}`), ...undocumented])
}
