/** The machine test is tested: each mutant that is planted on purpose, it must find. */
import type { ServedRoute } from '@sightline/platform/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Entry, listCases } from './cases.ts'
import { entries, getRouteName } from './entries/index.ts'
import { openFixture, type TenancyFixture } from './fixture.ts'
import { askList } from './lists.ts'
import { forgetfulList, mutants } from './mutants.ts'
import { presumed, takesBody } from './read-only-fields.ts'
import { swappers } from './swappers.ts'
import { describeFinding, type TenancyFinding, tryOperation } from './trial.ts'

let fixture: TenancyFixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(async () => fixture?.[Symbol.asyncDispose]())

const servedAs = (route: string): ServedRoute => {
  const found = fixture.served.find((each) => each.route.name === route)
  if (found === undefined) throw new Error(`nobody serves ${route}`)
  return found
}

/** What the test finds where one call is served like that. */
async function foundIn(served: ServedRoute, among: (name: string) => boolean = () => true): Promise<TenancyFinding[]> {
  await using frame = await fixture.openFrame([served])
  const found: TenancyFinding[] = []
  for (const entry of entries.filter(({ title }) => getRouteName(title) === served.route.name)) {
    const everybody = fixture.everybody.filter(({ name }) => among(name))
    const cases = listCases(entry, fixture.world, everybody)
    const { findings, tried } = await tryOperation(entry, cases, { ...fixture, frame })
    found.push(...findings, ...(await presumedOf(entry)))
    if (served.route.list === undefined) continue
    const allowed = tried.filter(({ tenancyCase, observed }) => tenancyCase.target === 'own' && observed === 'allowed')
    const askers = allowed.map(({ tenancyCase }) => tenancyCase.who).filter(({ name }) => swappers.has(name))
    for (const who of askers) found.push(...(await askList(entry, { ...fixture, frame }, who)))
  }
  return found

  async function presumedOf(entry: Entry): Promise<TenancyFinding[]> {
    const boss = fixture.everybody.find(
      ({ name }) => name === (entry.operation.policy.callers === 'staff' ? 'admin' : 'owner'),
    )
    return boss === undefined || !takesBody(entry) ? [] : presumed(entry, { ...fixture, frame }, boss)
  }
}

// That nothing is found where no mutant is planted, tenancy.test.ts proves.
test.each(mutants)('$kind ($route): found', async ({ route, plant }) => {
  const bugs = fixture.bugs.length
  const found = await foundIn(plant(servedAs(route), fixture))
  expect(found.map(describeFinding)).not.toEqual([])
  // Not for breaking down.
  expect(fixture.bugs.slice(bugs).map(String)).toEqual([])
  expect(found.filter(({ got }) => got.startsWith('500')).map(describeFinding)).toEqual([])
  expect(found.every(({ operation }) => getRouteName(operation) === route)).toBe(true)
})

describe('a list that forgets whose rows it wants', () => {
  test('under a role that sees everything: found', async () => {
    const found = await foundIn(forgetfulList(servedAs('getPermissionProfiles'), fixture, 'owner'))
    expect(found.map(({ got }) => got).join()).toContain('shows profile')
  })

  test('under the application’s role: the database keeps other tenants’ rows back', async () => {
    const found = await foundIn(forgetfulList(servedAs('getPermissionProfiles'), fixture, 'app'))
    expect(found.map(describeFinding)).toEqual([])
  })
})
