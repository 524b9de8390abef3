/** Tests the tenancy test: it must find each planted mutant. */
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
  if (found === undefined) throw new Error(`no plane serves ${route}`)
  return found
}

/** The test's findings with one call served that way. */
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

// tenancy.test.ts proves that there are no findings without a mutant.
test.each(mutants)('finds a mutant: $kind ($route)', async ({ route, plant }) => {
  const bugs = fixture.bugs.length
  const found = await foundIn(plant(servedAs(route), fixture))
  expect(found.map(describeFinding)).not.toEqual([])
  // The findings must not come from a crash.
  expect(fixture.bugs.slice(bugs).map(String)).toEqual([])
  expect(found.filter(({ got }) => got.startsWith('500')).map(describeFinding)).toEqual([])
  expect(found.every(({ operation }) => getRouteName(operation) === route)).toBe(true)
})

describe('a list without a tenant filter', () => {
  test('is found under a role that sees everything', async () => {
    const found = await foundIn(forgetfulList(servedAs('getPermissionProfiles'), fixture, 'owner'))
    expect(found.map(({ got }) => got).join()).toContain('shows profile')
  })

  test('shows no other tenant’s rows under the application’s role: the database holds them back', async () => {
    const found = await foundIn(forgetfulList(servedAs('getPermissionProfiles'), fixture, 'app'))
    expect(found.map(describeFinding)).toEqual([])
  })
})
