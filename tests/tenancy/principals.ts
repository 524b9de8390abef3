import {
  addApiKey,
  addStaff,
  addToken,
  addUser,
  type StaffUserInput,
  type TokenInput,
  type UserInput,
} from './arrange.ts'
import type { OwnedObject } from './canaries.ts'
import { ALL_PERMISSIONS, type World, type WorldAccount, type WorldReseller } from './world.ts'

/** A caller, with everything that decides what they may do. */
export interface Who {
  readonly name: string
  readonly token: string | undefined
  /** The token is invalid. */
  readonly dead: boolean
  readonly scopes: readonly string[]
  readonly isApiKey: boolean
  /** Only for keys. */
  readonly apiKeyId?: number
  /** A key with provisioning. */
  readonly isProvisioning?: true
  /** A key used from an address that it does not allow. */
  readonly isElsewhere?: true
  readonly is: Nobody | MemberPrincipal | StaffPrincipal
}

interface Nobody {
  readonly kind: 'nobody'
}

export interface MemberPrincipal {
  readonly kind: 'member'
  readonly account: WorldAccount
  readonly userId: number
  readonly isOwner: boolean
  readonly rights: ReadonlySet<string>
  readonly reach: 'all' | { readonly cameras: readonly number[]; readonly zones: readonly number[] }
  readonly isDemo: boolean
  /** A guest of a public demo, without a password. */
  readonly isGuest: boolean
  readonly isInactive: boolean
  readonly isWebAppDisabled: boolean
  /** The brand asks for its agreement, and this user has not accepted it. */
  readonly owesAgreement: boolean
  /** Both the brand and the account allow self-service subscriptions. */
  readonly isSelfServed: boolean
  readonly hasModules: boolean
  readonly support: { readonly staffId: number; readonly video: 'shown' | 'hidden' } | undefined
}

export interface StaffPrincipal {
  readonly kind: 'staff'
  readonly userId: number
  readonly level: 'reseller' | 'distributor' | 'admin'
  readonly organisationId: number
  readonly resellerId: number | undefined
  readonly distributorId: number | undefined
  readonly permissions: ReadonlySet<string>
  readonly hasModules: boolean
  /** Undefined: all accounts of the organization. */
  readonly accounts: readonly number[] | undefined
  /** The key that acts as this staff member. */
  readonly ownKeyId: number
  /** The reseller and account that the calls are about. */
  readonly reseller: WorldReseller
  readonly account: WorldAccount
}

/** The 43 rights of specification §6. */
export const ALL_RIGHTS = (
  'ptz microphone LiveCamera CameraView ZonesView playback deleteRecording lockRecording export addSequence editSequence ' +
  'deleteSequence addZone editZone deleteZone addCameraGroup editCameraGroup deleteCameraGroup addPnpCamera ' +
  'addCameraManually editCamera deleteCamera editSchedule receiveCameraAlerts motionDetection audioPIR ' +
  'cameraExposureControl cameraPrivacyButton cameraIllumination edgeStorageManagement addUser editUser deleteUser ' +
  'blockUser viewUserSettings demoUser localExceptions storageUsage logFiles userSettings deviceIORead deviceIOWrite ' +
  'manageWebhooks'
).split(' ')
/** Decision 15 of product.md. */
export const MANDATORY_RIGHTS = ['LiveCamera', 'CameraView', 'ZonesView']

const everyRight = ALL_RIGHTS.filter((right) => right !== 'demoUser')
const alive = { dead: false, scopes: ['read', 'write'], isApiKey: false } as const

/** All callers that every call is tried as. */
export async function arrangePrincipals(world: World): Promise<readonly Who[]> {
  const make = maker(world)
  return (
    await Promise.all([
      nobodies(make, world),
      members(make, world),
      supportSessions(make, world),
      staff(make, world),
      oddTokens(make, world),
    ])
  ).flat()
}

type Make = ReturnType<typeof maker>

function maker({ arranger, barred, plain, sibling }: World) {
  const member = (account: WorldAccount, given: UserInput & { readonly userId: number }): MemberPrincipal => ({
    kind: 'member',
    account,
    userId: given.userId,
    isOwner: given.userId === account.accountId,
    rights: new Set(given.rights),
    reach:
      given.userId === account.accountId || given.allCameras === true
        ? 'all'
        : { cameras: given.cameras ?? [], zones: given.zones ?? [] },
    isDemo: given.rights?.includes('demoUser') ?? false,
    isGuest: false,
    isInactive: false,
    isWebAppDisabled: account === barred && given.userId !== account.accountId,
    owesAgreement: account === sibling.accounts[1],
    isSelfServed: true,
    hasModules: account.resellerId !== plain.resellerId,
    support: undefined,
  })
  return {
    member,
    async who(name: string, is: MemberPrincipal, given: TokenInput & { readonly dead?: boolean } = {}): Promise<Who> {
      const { token } = await addToken(arranger, { userId: is.userId, accountId: is.account.accountId }, given)
      return { name, token, ...alive, scopes: given.scopes ?? alive.scopes, dead: given.dead ?? false, is }
    },
    async subUser(name: string, account: WorldAccount, given: UserInput): Promise<Who> {
      const userId = await addUser(arranger, account, given)
      return this.who(name, member(account, { ...given, userId }), { dead: given.blocked ?? false })
    },
    async staff(name: string, at: StaffAt, given: TokenInput = {}): Promise<Who> {
      const { reseller, account, hasModules = true, ...row } = at
      const { level, organisationId, resellerId, distributorId, accounts } = row
      const userId = await addStaff(arranger, row)
      const of = { userId, accountId: organisationId }
      const { apiKeyId: ownKeyId } = await addApiKey(arranger, of, {
        ...(resellerId === undefined ? {} : { resellerId }),
        ...(distributorId === undefined ? {} : { distributorId }),
      })
      const { token } = await addToken(arranger, of, given)
      const tree = { level, organisationId, resellerId, distributorId, accounts, reseller, account }
      const permissions = new Set(row.permissions)
      const is = { kind: 'staff', userId, ...tree, permissions, hasModules, ownKeyId } as const
      return { name, token, ...alive, scopes: given.scopes ?? alive.scopes, is }
    },
  }
}

type StaffAt = StaffUserInput & {
  readonly reseller: WorldReseller
  readonly account: WorldAccount
  readonly hasModules?: boolean
}

async function nobodies(make: Make, { own, arranger, suspended }: World): Promise<Who[]> {
  const [account] = own.accounts
  const owner = make.member(account, { userId: account.accountId })
  const revoked = await make.who('revoked token', owner, { dead: true })
  await arranger.owner
    .deleteFrom('auth.access_sessions')
    .where('token_id', '=', Number(revoked.token?.replace('token-', '')))
    .execute()
  const none = { ...alive, dead: true, is: { kind: 'nobody' } } as const
  const ofSuspended = make.member(suspended, { userId: suspended.accountId })
  return [
    { ...none, name: 'anonymous', token: undefined },
    { ...none, name: 'unknown token', token: 'token-1' },
    { ...revoked, is: none.is },
    { ...(await make.who('expired token', owner, { hours: -1, dead: true })), is: none.is },
    { ...(await make.who('owner of a suspended account', ofSuspended, { dead: true })), is: none.is },
    { ...(await make.subUser('blocked sub-user', account, { allCameras: true, blocked: true })), is: none.is },
  ]
}

async function members(make: Make, { own, sibling, plain, demo, inactive, barred }: World): Promise<Who[]> {
  const [account] = own.accounts
  const ownerOf = (of: WorldAccount, more: Partial<MemberPrincipal> = {}) => ({
    ...make.member(of, { userId: of.accountId }),
    ...more,
  })
  const found = [
    await make.who('owner', ownerOf(account)),
    await make.who('owner of the sibling reseller', ownerOf(sibling.accounts[0])),
    await make.who('owner who has yet to accept the agreement', ownerOf(sibling.accounts[1])),
    await make.subUser('sub-user who has yet to accept the agreement', sibling.accounts[1], {
      rights: everyRight,
      allCameras: true,
    }),
    await make.who('owner where the brand has no modules', ownerOf(plain.accounts[0], { isSelfServed: false })),
    await make.who('owner of a demo account', ownerOf(demo, { isDemo: true })),
    await make.who('visitor of a demo account', ownerOf(demo, { isDemo: true, isGuest: true }), { visitor: true }),
    await make.who('owner of an inactive account', ownerOf(inactive, { isInactive: true })),
    await make.subUser('bare sub-user', account, { allCameras: true }),
    await make.subUser('sub-user with every right', account, { rights: everyRight, allCameras: true }),
    await make.subUser('sub-user with every right and no camera', account, { rights: everyRight }),
    await make.subUser('viewer of one camera', account, { rights: everyRight, cameras: [account.cameras.first] }),
    await make.subUser('viewer of one zone', account, {
      rights: everyRight,
      zones: [account.zones.first, account.zones.empty],
    }),
    await make.who('owner of an account that keeps sub-users out', ownerOf(barred)),
    await make.subUser('sub-user who is kept out', barred, { rights: everyRight, allCameras: true }),
    await make.subUser('demo user', account, { rights: [...everyRight, 'demoUser'], allCameras: true }),
  ]
  for (const right of ALL_RIGHTS) {
    found.push(await make.subUser(`sub-user with ${right}`, account, { rights: [right], allCameras: true }))
  }
  return found
}

async function supportSessions(make: Make, world: World): Promise<Who[]> {
  const session = (
    name: string,
    account: WorldAccount,
    given: { video: 'shown' | 'hidden'; dead?: boolean; scopes?: readonly string[] },
  ) =>
    make.who(
      name,
      {
        ...make.member(account, { userId: account.accountId }),
        support: { staffId: account.supportStaffId, video: given.video },
      },
      { supportStaffId: account.supportStaffId, dead: given.dead ?? false, scopes: given.scopes ?? alive.scopes },
    )
  return [
    await session('support, video shown', world.videoShown, { video: 'shown' }),
    await make.who('owner who lets support in', make.member(world.videoShown, { userId: world.videoShown.accountId })),
    await session('support, video hidden', world.videoHidden, { video: 'hidden' }),
    await session('support, read only', world.videoShown, { video: 'shown', scopes: ['read'] }),
    await session('support, grant over', world.grantOver, { video: 'shown', dead: true }),
    await session('support, grant withdrawn', world.grantWithdrawn, { video: 'shown', dead: true }),
  ]
}

async function staff(make: Make, world: World): Promise<Who[]> {
  const { own, sibling, plain, foreign, near, far } = world
  const dealerOf = (of: WorldReseller, permissions: readonly string[], accounts?: readonly number[]): StaffAt => ({
    level: 'reseller',
    organisationId: of.resellerId,
    resellerId: of.resellerId,
    distributorId: of.distributorId,
    permissions,
    ...(accounts === undefined ? {} : { accounts }),
    reseller: of,
    account: of.accounts[0],
    hasModules: of !== plain,
  })
  const above = (of: { distributorId: number }, reseller: WorldReseller): StaffAt => ({
    level: 'distributor',
    organisationId: of.distributorId,
    distributorId: of.distributorId,
    permissions: ALL_PERMISSIONS,
    reseller,
    account: reseller.accounts[0],
  })
  const found = [
    await make.staff('dealer', dealerOf(own, ALL_PERMISSIONS)),
    await make.staff('dealer of one account', dealerOf(own, ALL_PERMISSIONS, [own.accounts[0].accountId])),
    await make.staff('dealer of the sibling reseller', dealerOf(sibling, ALL_PERMISSIONS)),
    await make.staff('dealer whose brand has no modules', dealerOf(plain, ALL_PERMISSIONS)),
    await make.staff('dealer without permissions', dealerOf(own, [])),
    await make.staff('distributor', above(near, own)),
    await make.staff('other distributor', above(far, foreign)),
    await make.staff('admin', {
      level: 'admin',
      organisationId: 2,
      permissions: ALL_PERMISSIONS,
      reseller: own,
      account: own.accounts[0],
    }),
  ]
  for (const permission of ALL_PERMISSIONS) {
    found.push(await make.staff(`dealer with ${permission}`, dealerOf(own, [permission])))
  }
  return found
}

async function oddTokens(make: Make, { own, sibling, arranger }: World): Promise<Who[]> {
  const [account] = own.accounts
  const owner = make.member(account, { userId: account.accountId })
  const place = { accountId: account.accountId, resellerId: own.resellerId, distributorId: own.distributorId }
  const { clientId, apiKeyId } = await addApiKey(
    arranger,
    { userId: account.accountId, accountId: account.accountId },
    place,
  )
  const key = async (name: string, scopes: readonly string[]): Promise<Who> => ({
    ...(await make.who(name, owner, { scopes, clientId })),
    isApiKey: true,
    apiKeyId,
  })
  const [, unagreed] = sibling.accounts
  const ofUnagreed = { userId: unagreed.accountId, accountId: unagreed.accountId }
  const { resellerId, distributorId } = sibling
  const agreedOnce = await addApiKey(arranger, ofUnagreed, { ...ofUnagreed, resellerId, distributorId })
  const bound = await addApiKey(arranger, { userId: account.accountId, accountId: account.accountId }, place, {
    allowedAddresses: ['198.51.100.0/24'],
  })
  const provisioning = await addApiKey(arranger, { userId: account.accountId, accountId: account.accountId }, place, {
    provisioning: true,
  })
  const dealer = await make.staff('API key of a dealer', {
    level: 'reseller',
    organisationId: own.resellerId,
    resellerId: own.resellerId,
    distributorId: own.distributorId,
    permissions: ALL_PERMISSIONS,
    reseller: own,
    account,
  })
  const of = { userId: (dealer.is as StaffPrincipal).userId, accountId: own.resellerId }
  const ofReseller = { resellerId: own.resellerId, distributorId: own.distributorId }
  const staffKey = await addApiKey(arranger, of, ofReseller)
  const provisioningKey = await addApiKey(arranger, of, ofReseller, { provisioning: true })
  return [
    await make.who('read-only token', owner, { scopes: ['read'] }),
    await make.who('write-only token', owner, { scopes: ['write'] }),
    await key('API key that reads', ['read']),
    await key('API key that writes', ['write']),
    await key('API key', ['read', 'write']),
    {
      ...(await make.who('API key of who has yet to accept the agreement', make.member(unagreed, ofUnagreed), {
        clientId: agreedOnce.clientId,
      })),
      isApiKey: true,
      apiKeyId: agreedOnce.apiKeyId,
    },
    {
      ...(await make.who('API key for provisioning', owner, { clientId: provisioning.clientId })),
      isApiKey: true,
      apiKeyId: provisioning.apiKeyId,
      isProvisioning: true,
    },
    {
      ...(await make.who('API key used from elsewhere', owner, { clientId: bound.clientId })),
      isApiKey: true,
      apiKeyId: bound.apiKeyId,
      isElsewhere: true,
    },
    {
      ...dealer,
      isApiKey: true,
      apiKeyId: staffKey.apiKeyId,
      token: (await addToken(arranger, of, { clientId: staffKey.clientId })).token,
    },
    {
      ...dealer,
      name: 'API key of a dealer for provisioning',
      isApiKey: true,
      apiKeyId: provisioningKey.apiKeyId,
      isProvisioning: true,
      token: (await addToken(arranger, of, { clientId: provisioningKey.clientId })).token,
    },
  ]
}

/** Whether the caller may see the object, in whatever reply. */
export function maySee({ is, dead }: Who, owned: OwnedObject): boolean {
  if (dead || is.kind === 'nobody' || owned.kind === 'secret') return false
  if (is.kind === 'member') return memberSees(is, owned)
  return staffSees(is, owned)
}

function memberSees(who: MemberPrincipal, owned: OwnedObject): boolean {
  const { account } = who
  if (owned.accountId !== undefined) return owned.accountId === account.accountId && seesOfAccount(who, owned)
  // Above their account, users can see the brand, its packages, and the staff in a support session.
  if (owned.kind === 'staff') return owned.id === account.supportStaffId
  return owned.resellerId === account.resellerId && (owned.kind === 'reseller' || owned.kind === 'package')
}

/** Objects of a user; in this world only the owner has any. */
const personal = ['token', 'session', 'pushDevice', 'passkey', 'export', 'share'] as const
const OF_THE_PERSON: ReadonlySet<OwnedObject['kind']> = new Set(personal)

function seesOfAccount({ account, reach, isOwner }: MemberPrincipal, owned: OwnedObject): boolean {
  if (OF_THE_PERSON.has(owned.kind)) return isOwner
  if (reach === 'all') return true
  const { cameras, zones } = reach
  const zoneOf = (cameraId: number) => (cameraId === account.cameras.first ? account.zones.first : account.zones.second)
  if (owned.cameraId !== undefined) return cameras.includes(owned.cameraId) || zones.includes(zoneOf(owned.cameraId))
  if (owned.kind === 'device' || owned.kind === 'deviceJob') return zones.includes(owned.zoneId ?? 0)
  const { zoneId } = owned
  return zoneId === undefined || zones.includes(zoneId) || cameras.some((id) => zoneOf(id) === zoneId)
}

function staffSees(who: StaffPrincipal, owned: OwnedObject): boolean {
  if (owned.kind === 'token' || owned.kind === 'passkey') return false
  if (who.level === 'admin') return true
  if (owned.distributorId !== who.distributorId) return false
  if (who.level === 'distributor') return true
  if (owned.kind === 'distributor') return true
  if (owned.resellerId !== who.resellerId) return false
  return owned.accountId === undefined || (who.accounts?.includes(owned.accountId) ?? true)
}
