import {
  allModules,
  allPermissions,
  allRights,
  getDenyReason,
  type Member,
  type Principal,
  type Staff,
} from '@sightline/contract/rights'
import { allRoutes } from '@sightline/contract/routes'

const scopes = ['read', 'write']
const modules = new Set(allModules)

const member = (granted: readonly string[], more: Partial<Member> = {}): Member => ({
  kind: 'member',
  userId: 2,
  accountId: 1,
  resellerId: 255,
  isSuperUser: false,
  granted: new Set(granted),
  access: { kind: 'all' },
  modules,
  accountStatus: 'active',
  userType: 'regular',
  isWebAppDisabled: false,
  owesAgreement: false,
  isGuest: false,
  scopes,
  support: undefined,
  apiKeyId: undefined,
  provisioning: false,
  ...more,
})

const staff = (permissions: Staff['permissions']): Staff => ({
  kind: 'staff',
  userId: 3,
  level: 'reseller',
  distributorId: 1,
  resellerId: 255,
  permissions,
  modules,
  accountIds: undefined,
  scopes,
  apiKeyId: undefined,
  provisioning: false,
})

/** Every kind of caller: an owner, a sub-user per right, support, an API key, staff per permission. */
const principals: readonly Principal[] = [
  member([], { isSuperUser: true, userId: 1 }),
  member([], { support: { staffId: 4, staffName: 'Support', video: 'hidden' } }),
  member(['demoUser']),
  member(allRights, { apiKeyId: 5 }),
  ...allRights.map((right) => member([right])),
  ...allPermissions.map((permission) => staff(new Set([permission]))),
]

/** Decisions per second in one thread: every route for every principal, repeatedly. */
export function decisionsPerSecond(seconds: number): number {
  return perSecond(seconds, () => {
    let allowed = 0
    for (const who of principals)
      for (const route of allRoutes) if (getDenyReason(route, who) === undefined) allowed += 1
    return allowed
  })
}

/** The minimum for any decision: checking whether a name is in a set. */
export function lookupsPerSecond(seconds: number): number {
  const sets = principals.map((who) => (who.kind === 'member' ? who.granted : new Set<string>(who.permissions)))
  return perSecond(seconds, () => {
    let found = 0
    for (const set of sets) for (const route of allRoutes) if (set.has(route.right ?? '')) found += 1
    return found
  })
}

function perSecond(seconds: number, round: () => number): number {
  const inOneRound = principals.length * allRoutes.length
  let kept = 0
  const during = (ms: number): number => {
    const begun = performance.now()
    let rounds = 0
    while (performance.now() - begun < ms) {
      kept += round()
      rounds += 1
    }
    return (rounds * inOneRound * 1000) / (performance.now() - begun)
  }
  // Warm-up, until it is compiled.
  during(300)
  const best = Math.max(during(seconds * 500), during(seconds * 500))
  if (kept === 0) throw new Error('nothing was allowed: the principals of this bench fit no route')
  return best
}
