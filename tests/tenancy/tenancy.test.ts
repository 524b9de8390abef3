import { allRoutes } from '@sightline/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseCell, swapCells } from './cells.ts'
import { entries, operations, routeNameOf } from './entries/index.ts'
import { openGround, type WholeGround } from './ground.ts'
import { type Finding, sentenceOf, type Tried, tryOperation } from './trial.ts'

/** Those who try foreign ids one by one: one of each kind that reaches something. */
const swappers = new Set([
  'owner',
  'sub-user with every right',
  'sub-user with every right and no camera',
  'viewer of one camera',
  'viewer of one zone',
  'support, video shown',
  'API key',
  'dealer',
  'dealer of one account',
  'API key of a dealer',
  'distributor',
  'other distributor',
  'admin',
])

let ground: WholeGround
const tried: Tried[] = []
const findings: Finding[] = []

beforeAll(async () => {
  ground = await openGround()
})
afterAll(async () => ground?.[Symbol.asyncDispose]())

test('every route of the contract has an entry here, and every entry a route', () => {
  const named = new Set(Object.keys(operations).map(routeNameOf))
  const routes = allRoutes.map(({ name }) => name)
  expect(routes.filter((name) => !named.has(name))).toEqual([])
  expect([...named].filter((name) => !routes.includes(name))).toEqual([])
})

test('every caller gets from every call what the specification gives them, and nothing of anybody else', async ({
  annotate,
}) => {
  const served = new Set(ground.served.map(({ route }) => route.name))
  const began = performance.now()
  for (const entry of entries) {
    if (!served.has(entry.route.name)) continue
    const cells = ground.everybody.flatMap((who) => [
      baseCell(entry, ground.world, who),
      ...(swappers.has(who.name) ? swapCells(entry, ground.world, who) : []),
    ])
    const report = await tryOperation(entry, cells, ground)
    tried.push(...report.tried)
    findings.push(...report.findings)
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  await annotate(
    `${entries.length} operations, ${ground.everybody.length} principals, ${tried.length} cells, ${seconds} s`,
  )
  expect(ground.bugs.map(String)).toEqual([])
  expect(findings.map(sentenceOf)).toEqual([])
})
