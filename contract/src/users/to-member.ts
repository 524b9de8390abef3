import { allModules, allRights, type Member, type UserRights } from '../rights/index.ts'
import type { FeatureFlags, UserBase } from './index.ts'

interface Told {
  readonly user: UserBase
  readonly rights: UserRights
  readonly flags: FeatureFlags
}

const nothing: ReadonlySet<number> = new Set()

/**
 * The signed-in member as the evaluator of rights knows one, out of what the server tells everybody of themselves: with it
 * an app asks the same questions as the server does. Which cameras and zones are reached is not in it, because lists hold
 * no others, nor what only concerns API keys.
 */
export function toMember({ user: { userId, accountId }, rights, flags }: Told): Member {
  const { accountStatus, userType, visitor, modules, scopes, support } = flags.standing
  const isSuperUser = userId === accountId
  return {
    kind: 'member',
    userId,
    accountId,
    resellerId: 0,
    isSuperUser,
    // The effective rights instead of the stored ones: a right from another source counts as switched on.
    granted: new Set(allRights.filter((right) => rights[right])),
    access: isSuperUser ? { kind: 'all' } : { kind: 'some', cameraIds: nothing, zoneIds: nothing },
    modules: new Set(allModules.filter((module) => modules[module])),
    accountStatus,
    userType,
    isWebAppDisabled: flags.webAppBarred,
    owesAgreement: flags.agreementOwed,
    isGuest: visitor,
    scopes,
    support: support === null ? undefined : { staffId: 0, staffName: '', video: support.video },
    apiKeyId: undefined,
    provisioning: false,
  }
}
