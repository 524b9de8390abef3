/** The machine test is tested: each hole that is planted on purpose, it must find. */
import type { ServedRoute } from '@sightline/platform/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Entry, listCases } from './cases.ts'
import { entries, getRouteName } from './entries/index.ts'
import { openFixture, type WholeFixture } from './fixture.ts'
import { askList } from './lists.ts'
import { forgetfulList, holes } from './mutants.ts'
import { presumed, takesBody } from './read-only-fields.ts'
import { swappers } from './swappers.ts'
import { describeFinding, type TenancyFinding, tryOperation } from './trial.ts'

let ground: WholeFixture
beforeAll(async () => {
  ground = await openFixture()
})
afterAll(async () => ground?.[Symbol.asyncDispose]())

const servedAs = (route: string): ServedRoute => {
  const found = ground.served.find((each) => each.route.name === route)
  if (found === undefined) throw new Error(`nobody serves ${route}`)
  return found
}

/** What the test finds where one call is served like that. */
async function foundIn(served: ServedRoute, among: (name: string) => boolean = () => true): Promise<TenancyFinding[]> {
  await using frame = await ground.openFrame([served])
  const found: TenancyFinding[] = []
  for (const entry of entries.filter(({ title }) => getRouteName(title) === served.route.name)) {
    const everybody = ground.everybody.filter(({ name }) => among(name))
    const cells = listCases(entry, ground.world, everybody)
    const { findings, tried } = await tryOperation(entry, cells, { ...ground, frame })
    found.push(...findings, ...(await presumedOf(entry)))
    if (served.route.list === undefined) continue
    const allowed = tried.filter(({ cell, observed }) => cell.target === 'own' && observed === 'allowed')
    const askers = allowed.map(({ cell }) => cell.who).filter(({ name }) => swappers.has(name))
    for (const who of askers) found.push(...(await askList(entry, { ...ground, frame }, who)))
  }
  return found

  async function presumedOf(entry: Entry): Promise<TenancyFinding[]> {
    const boss = ground.everybody.find(
      ({ name }) => name === (entry.operation.law.callers === 'staff' ? 'admin' : 'owner'),
    )
    return boss === undefined || !takesBody(entry) ? [] : presumed(entry, { ...ground, frame }, boss)
  }
}

// That nothing is found where no hole is planted, tenancy.test.ts proves.
test.each(holes)('$kind ($route): found', async ({ route, plant }) => {
  const bugs = ground.bugs.length
  const found = await foundIn(plant(servedAs(route), ground))
  expect(found.map(describeFinding)).not.toEqual([])
  // Not for breaking down.
  expect(ground.bugs.slice(bugs).map(String)).toEqual([])
  expect(found.filter(({ got }) => got.startsWith('500')).map(describeFinding)).toEqual([])
  expect(found.every(({ operation }) => getRouteName(operation) === route)).toBe(true)
})

describe('a list that forgets whose rows it wants', () => {
  test('under a role that sees everything: found', async () => {
    const found = await foundIn(forgetfulList(servedAs('getPermissionProfiles'), ground, 'owner'))
    expect(found.map(({ got }) => got).join()).toContain('shows profile')
  })

  test('under the application’s role: the database keeps what is foreign back', async () => {
    const found = await foundIn(forgetfulList(servedAs('getPermissionProfiles'), ground, 'app'))
    expect(found.map(describeFinding)).toEqual([])
  })
})
