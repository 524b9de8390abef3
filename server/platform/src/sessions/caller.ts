import {
  type AccountStatus,
  allPermissions,
  type CameraAccess,
  effectiveRights,
  listActiveModules,
  type Member,
  type Permission,
  type Right,
  type Staff,
  type SupportContext,
  type UserType,
} from '@sightline/contract/rights'
import type { SessionRow } from '../db/index.ts'

/** The token's own properties, regardless of its user. */
interface TokenFacts {
  readonly tokenSha256: Buffer
  readonly tokenId: number
  /** Of a member the account; of staff the organisation they belong to: reseller, distributor or the provider. */
  readonly accountId: number
  /** As people read it in the audit log. */
  readonly name: string
  readonly clientId: string
  readonly appId: string
  readonly language: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** Where an API key may be used from, as CIDR; empty allows any address. */
  readonly allowedAddresses: readonly string[]
}

export interface MemberCaller extends Member, TokenFacts {
  readonly accountId: number
  /** The caller's effective rights. */
  readonly rights: ReadonlySet<Right>
  readonly preventEditUserDetails: boolean
  readonly userSelfServiceManagement: boolean
}

export interface StaffCaller extends Staff, TokenFacts {}

/** The caller, according to the token and the user's present rights. Never built from client input. */
export type Caller = MemberCaller | StaffCaller

/**
 * The caller of a row, or undefined if the user is blocked, the account suspended, or a support session's preconditions
 * are gone: the owner's grant, the brand's module, the permission, the account's place in the tree.
 */
export function toCaller(row: SessionRow, sha256: Buffer, now: number): Caller | undefined {
  if (row.blocked || row.expires_at <= now) return undefined
  if (row.level !== null) return toStaff(row, row.level, sha256)
  if (row.account_status === 'suspended') return undefined
  const support = supportOf(row, now)
  return support === 'over' ? undefined : toMember(row, support, sha256)
}

/** Whether the token would open something if the account were not suspended. Support sessions end with it. */
export const isSuspendedOnly = (row: SessionRow, now: number): boolean =>
  row.account_status === 'suspended' &&
  row.level === null &&
  row.support_staff_id === null &&
  !row.blocked &&
  row.expires_at > now

const tokenFacts = (row: SessionRow, tokenSha256: Buffer): TokenFacts => ({
  tokenSha256,
  tokenId: row.token_id,
  accountId: row.account_id,
  name: row.name,
  clientId: row.client_id,
  appId: row.app_id,
  language: row.language,
  expiresAt: row.expires_at,
  allowedAddresses: row.allowed_addresses ?? [],
})

/** A row's data of a member, signed in or not. */
export type MemberRow = Pick<
  SessionRow,
  'user_id' | 'account_id' | 'grants' | 'modules' | 'all_cameras' | 'camera_ids' | 'zone_ids' | 'barred'
> & {
  readonly reseller_id: number
  readonly account_status: AccountStatus
  readonly user_type: UserType
}

/**
 * The member of a row for the rules of rights; `by` is what the token adds. A row can't show whether an agreement is
 * due, because the current version is in a file: `owingAgreement` adds it.
 */
export function buildMember(
  row: MemberRow,
  by: Pick<Member, 'scopes' | 'support' | 'apiKeyId' | 'provisioning' | 'isGuest'>,
): Member {
  const isSuperUser = row.user_id === row.account_id
  return {
    kind: 'member',
    userId: row.user_id,
    accountId: row.account_id,
    resellerId: row.reseller_id,
    isSuperUser,
    granted: new Set(row.grants),
    modules: listActiveModules(row.modules ?? {}),
    access: accessOf(row, isSuperUser),
    accountStatus: row.account_status,
    userType: row.user_type,
    isWebAppDisabled: row.barred,
    owesAgreement: false,
    ...by,
  }
}

function toMember(row: SessionRow, support: SupportContext | undefined, sha256: Buffer): MemberCaller | undefined {
  const { account_status, user_type, reseller_id } = row
  if (account_status === null || user_type === null || reseller_id === null) return undefined
  const { scopes, provisioning, visitor: isGuest } = row
  const by = { scopes, support, apiKeyId: row.api_key_id ?? undefined, provisioning, isGuest }
  const member = buildMember({ ...row, account_status, user_type, reseller_id }, by)
  return {
    ...tokenFacts(row, sha256),
    ...member,
    rights: effectiveRights(member),
    preventEditUserDetails: row.prevent_edit_user_details === true,
    userSelfServiceManagement: row.user_self_service_management === true && member.modules.has('selfServiceManagement'),
  }
}

function accessOf(row: Pick<MemberRow, 'all_cameras' | 'camera_ids' | 'zone_ids'>, isSuperUser: boolean): CameraAccess {
  if (isSuperUser || row.all_cameras === true) return { kind: 'all' }
  return { kind: 'some', cameraIds: new Set(row.camera_ids), zoneIds: new Set(row.zone_ids) }
}

const isPermission = (name: string): name is Permission => allPermissions.some((known) => known === name)
const permissionsOf = (grants: readonly string[] | null): ReadonlySet<Permission> =>
  new Set((grants ?? []).filter(isPermission))

function toStaff(row: SessionRow, level: Staff['level'], sha256: Buffer): StaffCaller {
  return {
    kind: 'staff',
    ...tokenFacts(row, sha256),
    userId: row.user_id,
    level,
    distributorId: row.distributor_id ?? undefined,
    resellerId: row.reseller_id ?? undefined,
    permissions: permissionsOf(row.grants),
    modules: listActiveModules(row.modules ?? {}),
    accountIds: row.all_accounts === false ? new Set(row.account_ids) : undefined,
    scopes: row.scopes,
    apiKeyId: row.api_key_id ?? undefined,
    provisioning: row.provisioning,
  }
}

/** The support session of a row; undefined if it isn't one, `over` if its preconditions are gone. */
function supportOf(row: SessionRow, now: number): SupportContext | undefined | 'over' {
  if (row.support_staff_id === null) return undefined
  const holds =
    row.helpdesk_expires_at !== null &&
    row.helpdesk_expires_at > now &&
    row.support_reaches === true &&
    permissionsOf(row.support_grants).has('generateAccessToken') &&
    listActiveModules(row.modules ?? {}).has('generateAccessToken')
  if (!holds) return 'over'
  const video = row.helpdesk_show_video === true ? 'shown' : 'hidden'
  return { staffId: row.support_staff_id, staffName: row.support_name ?? '', video }
}
