import type { Module } from './modules.ts'
import { moduleOfRight } from './modules.ts'
import type { Permission, StaffLevel } from './permissions.ts'
import { allRights, mandatoryRights, type Right } from './rights.ts'

export type AccountStatus = 'active' | 'inactive' | 'suspended'
export type UserType = 'regular' | 'trial' | 'demo'

/** Which cameras a user may reach: all of the account, or those named and those of the zones named. */
export type CameraAccess =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'some'
      readonly cameraIds: ReadonlySet<number>
      readonly zoneIds: ReadonlySet<number>
    }

/** Helpdesk or dealer staff inside an account, while the owner's grant lasts (product.md "Support sessions"). */
export interface SupportContext {
  readonly staffId: number
  readonly staffName: string
  readonly video: 'shown' | 'hidden'
}

/** Somebody of an account: its owner, a sub-user, an API key of theirs, or staff in a support session as one of them. */
export interface Member {
  readonly kind: 'member'
  readonly userId: number
  readonly accountId: number
  readonly resellerId: number
  readonly isSuperUser: boolean
  /** What is switched on for the user, as stored. */
  readonly granted: ReadonlySet<string>
  readonly access: CameraAccess
  /** Of the brand. */
  readonly modules: ReadonlySet<Module>
  readonly accountStatus: AccountStatus
  readonly userType: UserType
  /** A sub-user of an account that keeps them out of everything but their own person (decision 25). */
  readonly isWebAppDisabled: boolean
  /** The brand asks for its subscription agreement, and this person has not accepted the version that holds (decision 20). */
  readonly owesAgreement: boolean
  /** Nobody in particular, who looks around a public demonstration as its owner (decision 0026). */
  readonly isGuest: boolean
  readonly scopes: readonly string[]
  readonly support: SupportContext | undefined
  readonly apiKeyId: number | undefined
  /** Of an API key: it may add and change accounts and what they subscribe to. */
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
  /** Of the own reseller; of levels above, each reseller's modules are looked at where it is reached. */
  readonly modules: ReadonlySet<Module>
  /** Undefined: every account of its part of the tree. */
  readonly accountIds: ReadonlySet<number> | undefined
  readonly scopes: readonly string[]
  readonly apiKeyId: number | undefined
  /** Of an API key: it may add and change accounts and what they subscribe to. */
  readonly provisioning: boolean
}

export type Principal = Member | Staff

/** A demo user changes nothing (specification §6), by the right `demoUser` or in an account that is a demonstration. */
export const isDemoUser = (who: Member): boolean => who.granted.has('demoUser') || who.userType === 'demo'

/**
 * Whether somebody gets no further before accepting the brand's agreement. Keys do, which only somebody who had accepted
 * could make and at which nobody reads; so do support and demo users, who may accept nothing.
 */
export const mustAgree = (who: Member): boolean =>
  who.owesAgreement && who.apiKeyId === undefined && who.support === undefined && !isDemoUser(who)

/** How a member comes to a right, or why not. */
export type RightSource = 'owner' | 'mandatory' | 'switch' | 'missing' | 'module' | 'demoUser'

const grants: ReadonlySet<RightSource> = new Set<RightSource>(['owner', 'mandatory', 'switch'])
export const isGranting = (source: RightSource): boolean => grants.has(source)

/**
 * How a member stands to a right: a super user has every one except `demoUser` (which takes others away), everybody has
 * the mandatory ones, others what was switched on; and none whose module the brand has not got.
 */
export function sourceOfRight(who: Pick<Member, 'isSuperUser' | 'granted' | 'modules'>, right: Right): RightSource {
  const module = moduleOfRight[right]
  if (module !== undefined && !who.modules.has(module)) return 'module'
  if (mandatoryRights.includes(right)) return 'mandatory'
  if (who.isSuperUser && !who.granted.has('demoUser')) return right === 'demoUser' ? 'missing' : 'owner'
  return who.granted.has(right) ? 'switch' : 'missing'
}

/** Every right that holds. */
export const effectiveRights = (who: Pick<Member, 'isSuperUser' | 'granted' | 'modules'>): ReadonlySet<Right> =>
  new Set(allRights.filter((right) => isGranting(sourceOfRight(who, right))))
