import { allModules, allRights, type Member, type UserRights } from '../rights/index.ts'
import type { FeatureFlags, UserBase } from './index.ts'

interface Told {
  readonly user: UserBase
  readonly rights: UserRights
  readonly flags: FeatureFlags
}

const nothing: ReadonlySet<number> = new Set()

/**
 * The signed-in member for the rules of rights, built from what the server returns about the caller, so that an app
 * decides like the server. It has no cameras and zones, because lists contain only those in scope, and nothing that
 * concerns only API keys.
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
