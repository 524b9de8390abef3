import type { Module } from './modules.ts'
import { moduleOfRight } from './modules.ts'
import type { Permission, StaffLevel } from './permissions.ts'
import { allRights, mandatoryRights, type Right } from './rights.ts'

export type AccountStatus = 'active' | 'inactive' | 'suspended'
export type UserType = 'regular' | 'trial' | 'demo'

/** The cameras that a user has access to: all of the account, or the listed ones and those of the listed zones. */
export type CameraAccess =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'some'
      readonly cameraIds: ReadonlySet<number>
      readonly zoneIds: ReadonlySet<number>
    }

/** Support or dealer staff inside an account, while the owner's grant lasts (product.md "Support sessions"). */
export interface SupportContext {
  readonly staffId: number
  readonly staffName: string
  readonly video: 'shown' | 'hidden'
}

/**
 * A member of an account: its owner, a sub-user, an API key of theirs, or staff in a support session for one of them.
 */
export interface Member {
  readonly kind: 'member'
  readonly userId: number
  readonly accountId: number
  readonly resellerId: number
  readonly isSuperUser: boolean
  /** The user's granted rights, as stored. */
  readonly granted: ReadonlySet<string>
  readonly access: CameraAccess
  /** Of the brand. */
  readonly modules: ReadonlySet<Module>
  readonly accountStatus: AccountStatus
  readonly userType: UserType
  /** A sub-user of an account that blocks them from everything but their own data (decision 25). */
  readonly isWebAppDisabled: boolean
  /** The brand requires its subscription agreement, and this user hasn't accepted the current version (decision 20). */
  readonly owesAgreement: boolean
  /** A guest of a public demo, who acts as its owner (decision 0026). */
  readonly isGuest: boolean
  readonly scopes: readonly string[]
  readonly support: SupportContext | undefined
  readonly apiKeyId: number | undefined
  /** For an API key: it can add and change accounts and their subscriptions. */
  readonly provisioning: boolean
}

/** Staff of a reseller, of a distributor or of the provider. */
export interface Staff {
  readonly kind: 'staff'
  readonly userId: number
  readonly level: StaffLevel
  /** Undefined above a distributor. */
  readonly distributorId: number | undefined
  /** Undefined above a reseller. */
  readonly resellerId: number | undefined
  readonly permissions: ReadonlySet<Permission>
  /**
   * The modules of the staff's reseller. For higher levels, each reseller's modules are checked where it is accessed.
   */
  readonly modules: ReadonlySet<Module>
  /** Undefined: all accounts of its part of the tree. */
  readonly accountIds: ReadonlySet<number> | undefined
  readonly scopes: readonly string[]
  readonly apiKeyId: number | undefined
  /** For an API key: it can add and change accounts and their subscriptions. */
  readonly provisioning: boolean
}

export type Principal = Member | Staff

/** A demo user can't change anything (specification §6), because of the right `demoUser` or in a demo account. */
export const isDemoUser = (who: Member): boolean => who.granted.has('demoUser') || who.userType === 'demo'

/**
 * Whether a user must accept the brand's agreement first. API keys don't, because only users who had accepted could
 * create them; support and demo users can't accept anything.
 */
export const mustAgree = (who: Member): boolean =>
  who.owesAgreement && who.apiKeyId === undefined && who.support === undefined && !isDemoUser(who)

/** How a member has a right, or why not. */
export type RightSource = 'owner' | 'mandatory' | 'switch' | 'missing' | 'module' | 'demoUser'

const grants: ReadonlySet<RightSource> = new Set<RightSource>(['owner', 'mandatory', 'switch'])
export const isGranting = (source: RightSource): boolean => grants.has(source)

/**
 * The status of a member's right: a super user has all except `demoUser` (which removes others), everyone has the
 * mandatory ones, others have what was granted. A right is off if the brand doesn't have its module.
 */
export function sourceOfRight(who: Pick<Member, 'isSuperUser' | 'granted' | 'modules'>, right: Right): RightSource {
  const module = moduleOfRight[right]
  if (module !== undefined && !who.modules.has(module)) return 'module'
  if (mandatoryRights.includes(right)) return 'mandatory'
  if (who.isSuperUser && !who.granted.has('demoUser')) return right === 'demoUser' ? 'missing' : 'owner'
  return who.granted.has(right) ? 'switch' : 'missing'
}

/** All rights that the member has. */
export const effectiveRights = (who: Pick<Member, 'isSuperUser' | 'granted' | 'modules'>): ReadonlySet<Right> =>
  new Set(allRights.filter((right) => isGranting(sourceOfRight(who, right))))
