/** Every call of the contract, as every caller, on every object (docs/design/security.md, "Tenancy is tested by a machine"). */
import { allRoutes } from '@sightline/contract/routes'
import { route } from '@sightline/contract/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { baseCase, listCases, listIdFields } from './cases.ts'
import { listUndeclared } from './declarations.ts'
import { entries, getRouteName, operations } from './entries/index.ts'
import { openFixture, type TenancyFixture } from './fixture.ts'
import { askList } from './lists.ts'
import { ALL_RIGHTS, MANDATORY_RIGHTS, type Who } from './principals.ts'
import { presumed, takesBody } from './read-only-fields.ts'
import { swappers } from './swappers.ts'
import { type CaseResult, describeFinding, type ObservedOutcome, type TenancyFinding, tryOperation } from './trial.ts'
import { ALL_PERMISSIONS } from './world.ts'

let fixture: TenancyFixture
const tried: CaseResult[] = []

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(async () => fixture?.[Symbol.asyncDispose]())

describe('the contract', () => {
  test('every route has an entry here, and every entry has a route', () => {
    const named = new Set(Object.keys(operations).map(getRouteName))
    const routes = allRoutes.map(({ name }) => name)
    expect(routes.filter((name) => !named.has(name))).toEqual([])
    expect([...named].filter((name) => !routes.includes(name))).toEqual([])
  })

  test('every route declares its callers, rights, support access and what each id refers to', () => {
    expect(
      allRoutes.flatMap((each) => listUndeclared(each).map((unsaid) => `${each.name} does not declare ${unsaid}`)),
    ).toEqual([])
  })

  test('a route with missing declarations is detected', () => {
    const bare = route({
      name: 'bare',
      summary: 'x',
      method: 'GET',
      path: 'things/{thingId}',
      access: 'tenant',
      support: 'yes',
      query: z.object({ cameraIds: z.optional(z.string()) }),
      reply: z.unknown(),
      errors: [],
    })
    expect(listUndeclared(bare)).toEqual([
      'what params.thingId refers to',
      'what query.cameraIds refers to',
      'which right of a member it needs',
    ])
    expect(listUndeclared({ ...bare, access: 'public', ids: {}, path: 'x', query: z.object({}) })).toEqual([
      'why anyone may call it',
    ])
  })

  test('both planes serve exactly the routes of the contract', () => {
    const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).toSorted()
    const served = fixture.served.map((each) => each.route)
    expect(names(served)).toEqual(names(allRoutes))
    expect(served.filter((each) => !allRoutes.includes(each)).map(({ name }) => name)).toEqual([])
  })

  test('every id that a route declares is swapped by some entry', () => {
    const unswapped = allRoutes.flatMap((each) => {
      const sent = entries.filter((entry) => entry.route === each)
      return listIdFields(each, 'body')
        .filter(([name]) => !sent.some((entry) => saysInBody(entry.title, name)))
        .map(([name]) => `${each.name} body.${name}`)
    })
    expect(unswapped.toSorted()).toEqual(NOT_SWAPPED)
  })
})

const NOT_SWAPPED = [
  // Subscriptions: the older name of a field that is swapped (product.md, decision 4).
  'addAccount body.subscriptionPackageId',
  // Always refused: only reseller staff can be limited to accounts.
  'addDistributorStaff body.accountIds',
  'addProviderStaff body.accountIds',
  'patchDistributorStaffUser body.accountIds',
  'patchProviderStaffUser body.accountIds',
  'patchSubscription body.nextSubscriptionId',
  'patchSubscription body.subscriptionPackageId',
  // The answer is the same whether there is such an account or none (camera-transfers.test.ts).
  'postCameraTransfer body.targetAccountId',
]

function saysInBody(title: string, name: string): boolean {
  const entry = entries.find((each) => each.title === title)
  const who = whoIs('owner') ?? fixture.everybody[0]
  if (entry === undefined || who === undefined) return false
  const staff = whoIs('admin') ?? who
  const tenancyCase = baseCase(entry, fixture.world, entry.operation.policy.callers === 'staff' ? staff : who)
  return Object.hasOwn((tenancyCase.call.body ?? {}) as object, name)
}

/** Allows for a busy machine; on an idle one it takes half a minute. */
const TWENTY_MINUTES_MS = 1_200_000

const whoIs = (name: string): Who | undefined => fixture.everybody.find((who) => who.name === name)

test(
  'every caller gets from every call what the specification allows, and nothing of another tenant',
  async ({ annotate }) => {
    const findings: TenancyFinding[] = []
    const served = new Set(fixture.served.map((each) => each.route.name))
    const began = performance.now()
    for (const entry of entries.filter((each) => served.has(each.route.name))) {
      const report = await tryOperation(entry, listCases(entry, fixture.world, fixture.everybody), fixture)
      tried.push(...report.tried)
      findings.push(...report.findings)
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    await annotate(
      `${entries.length} operations, ${fixture.everybody.length} principals, ${tried.length} cases, ${seconds} s, ${findings.length} findings`,
    )
    expect(tried.length).toBeGreaterThan(12_000)
    expect(fixture.bugs.map(String)).toEqual([])
    expect(findings.map(describeFinding)).toEqual([])
  },
  TWENTY_MINUTES_MS,
)

test('no field of a body decides who owns an object or what a user may do', async ({ annotate }) => {
  const findings: TenancyFinding[] = []
  let many = 0
  for (const entry of entries.filter(takesBody)) {
    const who = tried.find(
      ({ tenancyCase, observed }) =>
        tenancyCase.entry === entry &&
        tenancyCase.target === 'own' &&
        observed === 'allowed' &&
        !tenancyCase.who.isApiKey,
    )?.tenancyCase.who
    if (who === undefined) continue
    many += 1
    findings.push(...(await presumed(entry, fixture, who)))
  }
  await annotate(`${many} bodies`)
  expect(many).toBeGreaterThan(40)
  expect(findings.map(describeFinding)).toEqual([])
})

test('lists count and search only what the caller can see', async ({ annotate }) => {
  const findings: TenancyFinding[] = []
  const lists = tried.filter(
    ({ tenancyCase: { entry, target, who }, observed }) =>
      entry.route.list !== undefined && target === 'own' && observed === 'allowed' && swappers.has(who.name),
  )
  for (const { tenancyCase } of lists) findings.push(...(await askList(tenancyCase.entry, fixture, tenancyCase.who)))
  await annotate(`${lists.length} lists`)
  expect(lists.length).toBeGreaterThan(80)
  expect(findings.map(describeFinding)).toEqual([])
})

test('an Idempotency-Key has no effect for another user', async () => {
  const names: string[] = []
  for (const who of ['owner', 'sub-user with every right', 'owner of the sibling reseller'].map(whoIs)) {
    const headers = { 'idempotency-key': 'the-same' }
    const body = { name: `of ${who?.name}` }
    const answer = await fixture.frame.call({ method: 'POST', path: 'zones', token: who?.token, headers, body })
    expect(answer.headers).not.toContain('idempotency-replayed')
    names.push(JSON.parse(answer.text).name)
  }
  await fixture.journal.undo()
  expect(names).toEqual(['of owner', 'of sub-user with every right', 'of owner of the sibling reseller'])
})

describe('each grant changes exactly the calls that require it', () => {
  const observedOf = (who: string): ReadonlyMap<string, ObservedOutcome> =>
    new Map(
      tried
        .filter(({ tenancyCase }) => tenancyCase.who.name === who && tenancyCase.target === 'own')
        .map(({ tenancyCase, observed }) => [tenancyCase.entry.title, observed]),
    )
  const difference = (one: string, other: string): readonly string[] => {
    const others = observedOf(other)
    const mine = [...observedOf(one)]
    expect(mine.length).toBeGreaterThan(0)
    return mine.filter(([title, observed]) => others.get(title) !== observed).map(([title]) => title)
  }
  const titles = (isMeant: (entry: (typeof entries)[number]) => boolean): readonly string[] => {
    const served = new Set(fixture.served.map((each) => each.route.name))
    return entries.filter((entry) => served.has(entry.route.name) && isMeant(entry)).map(({ title }) => title)
  }

  test.each(ALL_RIGHTS.filter((right) => right !== 'demoUser'))('the right %s', (right) => {
    const meant = titles(
      ({ operation: { policy } }) =>
        [policy.right, policy.orRight].includes(right) &&
        policy.andRight === undefined &&
        !MANDATORY_RIGHTS.includes(right),
    )
    expect(difference(`sub-user with ${right}`, 'bare sub-user')).toEqual(meant)
  })

  test('the right demoUser blocks every change and grants nothing', () => {
    const bare = observedOf('bare sub-user')
    const changed = difference('sub-user with demoUser', 'bare sub-user')
    const meant = titles(
      ({ title, route: { method }, operation: { policy } }) =>
        // The bare sub-user does not find the owner's passkey; the demo user is refused before the lookup.
        method !== 'GET' &&
        policy.callers !== 'anybody' &&
        policy.harmless !== true &&
        ['allowed', 'absent'].includes(bare.get(title) ?? ''),
    )
    expect(changed).toEqual(meant)
  })

  test.each(ALL_PERMISSIONS)('the permission %s', (permission) => {
    // No permission lets staff change a colleague's key.
    const dealers = observedOf('dealer')
    const meant = titles(
      ({ title, operation: { policy } }) =>
        policy.permission === permission && policy.level === undefined && dealers.get(title) === 'allowed',
    )
    expect(difference(`dealer with ${permission}`, 'dealer without permissions')).toEqual(meant)
  })

  test('the modules of a brand', () => {
    // Calls for levels above a reseller are closed to dealers, with or without the module.
    const meant = (callers: string) =>
      titles(({ operation: { policy } }) => {
        return policy.module === true && policy.level === undefined && policy.callers === callers
      })
    expect(difference('dealer whose brand has no modules', 'dealer')).toEqual(meant('staff'))
  })

  test('acting by an API key', () => {
    const meant = titles(({ operation: { policy } }) => policy.apiKey !== undefined && policy.callers !== 'staff')
    expect(difference('API key', 'owner')).toEqual(meant)
  })

  test('the owner’s wish to hide video', () => {
    const meant = titles(({ operation: { policy } }) => policy.support === 'video')
    expect(difference('support, video hidden', 'support, video shown')).toEqual(meant)
  })
})
