import type { ApiError } from '@sightline/contract/errors'
import {
  allModules,
  allRights,
  type CameraAccess,
  canAccessCamera,
  isGranting,
  type Right,
  sourceOfRight,
} from '@sightline/contract/rights'
import {
  type AccessPatch,
  isMandatory,
  mandatoryFault,
  type RightsPatch,
  storedRights,
  switched,
  type UserAccess,
  type UserGuard,
} from '@sightline/contract/sub-users'
import { fail, ok, type Result } from '@sightline/platform/result'

/** A user of an account as the guard rails of api.md §6 see them: granted rights, regardless of the brand's modules. */
export interface Holder {
  readonly userId: number
  readonly accountId: number
  readonly isSuperUser: boolean
  /** As stored: without the mandatory ones, which everyone has. */
  readonly granted: ReadonlySet<string>
  readonly access: CameraAccess
}

/** The zone of each camera of the account. */
export type CameraZones = ReadonlyMap<number, number>

/** `demoUser` removes rights, so everyone can switch it, and not having it is no lack. */
const isPower = (right: string): boolean => right !== 'demoUser' && !isMandatory(right)

/**
 * Whether a user can grant a right to others: only with that right. Modules don't matter, because the brand has them
 * for both.
 */
const mayGrant = (who: Pick<Holder, 'isSuperUser' | 'granted'>, right: string): boolean =>
  !isPower(right) || who.isSuperUser || who.granted.has(right)

function hasCameraAccess(who: Holder, cameraId: number, cameras: CameraZones): boolean {
  const zoneId = cameras.get(cameraId)
  return zoneId !== undefined && canAccessCamera(who, { accountId: who.accountId, cameraId, zoneId })
}

const hasFullAccess = (who: Pick<Holder, 'isSuperUser' | 'access'>): boolean =>
  who.isSuperUser || who.access.kind === 'all'

const holdsZone = (who: Holder, zoneId: number): boolean =>
  hasFullAccess(who) || (who.access.kind === 'some' && who.access.zoneIds.has(zoneId))

/** Whether one user's access includes all of the other's, also after cameras are added, removed or moved. */
function covers(who: Holder, access: CameraAccess, cameras: CameraZones): boolean {
  if (hasFullAccess(who)) return true
  if (access.kind === 'all') return false
  const zones = [...access.zoneIds].every((zoneId) => holdsZone(who, zoneId))
  return zones && [...access.cameraIds].every((cameraId) => hasCameraAccess(who, cameraId, cameras))
}

/** Why `caller` can't change `target`; null if they can. */
export function getUserGuard(caller: Holder, target: Holder, cameras: CameraZones): UserGuard | null {
  if (target.isSuperUser) return caller.userId === target.userId ? 'self' : 'owner'
  if (caller.userId === target.userId) return 'self'
  const isWithin =
    [...target.granted].every((right) => mayGrant(caller, right)) && covers(caller, target.access, cameras)
  return isWithin ? null : 'holdsMore'
}

/**
 * Whether only the user and the owner can change the email address. Password links go to it, so anyone else who changed
 * it could take over an existing user.
 */
export const isTheirOwn = (
  caller: Pick<Holder, 'userId' | 'isSuperUser'>,
  person: { readonly user_id: number; readonly last_login_at: number | null },
): boolean => !caller.isSuperUser && caller.userId !== person.user_id && person.last_login_at !== null

const guardSentences: Readonly<Record<UserGuard, string>> = {
  owner: "other users can't change, block or delete the account owner",
  self: "you can't do this to your own user: change your name, email address and password at users/self",
  holdsMore: "this user has a right, camera or zone that you don't have",
}
export const guardError = (guard: UserGuard): ApiError => ({ error: 'notAuthorized', detail: guardSentences[guard] })

/** Deleting and blocking the owner or oneself is impossible for every caller (code 6). */
export const removalError = (guard: UserGuard): ApiError =>
  guard === 'holdsMore' ? guardError(guard) : { error: 'businessRule', detail: guardSentences[guard] }

/** The granted rights, and the profile that they follow. */
export interface Grants {
  readonly rights: readonly Right[]
  readonly permissionProfileId: number | null
}

export interface ProfileRights {
  readonly permissionProfileId: number
  readonly rights: readonly Right[]
}

const lacking = (rights: readonly Right[]): ApiError => ({
  error: 'notAuthorized',
  detail: `you can't grant rights you don't have: ${rights.join(', ')}`,
})

const contradiction: ApiError = {
  error: 'validation',
  detail: 'send either switches, grantAll or a profile',
  fields: [{ field: 'rights', message: 'Choose either individual rights or a profile' }],
}

/**
 * The grants after `patch`, or why they are invalid. `profile` is the profile in the patch. A changed switch removes
 * the profile.
 */
export function applyRightsPatch(
  current: Grants,
  patch: RightsPatch,
  { caller, profile }: { readonly caller: Holder; readonly profile: ProfileRights | undefined },
): Result<Grants, ApiError> {
  const { grantAll, permissionProfileId, ...switches } = patch
  const named = allRights.filter((right) => switches[right] !== undefined)
  const ways = [grantAll !== undefined, permissionProfileId !== undefined, named.length > 0]
  if (ways.filter(Boolean).length > 1) return fail(contradiction)
  if (permissionProfileId === null) return ok({ ...current, permissionProfileId: null })
  if (permissionProfileId !== undefined)
    return profile === undefined ? noProfile : within(caller, current, ofProfile(profile))
  const fault = mandatoryFault(switches)
  if (fault !== undefined) return fail(fault)
  const rights = grantAll ? allOf(current, caller) : switched(current.rights, switches)
  const isSame = rights.length === current.rights.length && rights.every((right) => current.rights.includes(right))
  return isSame ? ok(current) : within(caller, current, { rights, permissionProfileId: null })
}

const noProfile = fail({ error: 'notFound', detail: 'permission profile not found' } as const)
const ofProfile = ({ permissionProfileId, rights }: ProfileRights): Grants => ({
  permissionProfileId,
  rights: storedRights(rights),
})

/** All rights of the caller; `demoUser` doesn't change. */
const allOf = ({ rights }: Grants, caller: Holder): readonly Right[] =>
  storedRights(allRights.filter((right) => rights.includes(right) || (isPower(right) && mayGrant(caller, right))))

function within(caller: Holder, current: Grants, next: Grants): Result<Grants, ApiError> {
  const lacked = next.rights.filter((right) => !current.rights.includes(right) && !mayGrant(caller, right))
  return lacked.length > 0 ? fail(lacking(lacked)) : ok(next)
}

/** As stored. The lists are kept while all cameras are on, so turning that off restores them. */
export interface StoredAccess {
  readonly allCameras: boolean
  readonly cameraIds: ReadonlySet<number>
  readonly zoneIds: ReadonlySet<number>
}

export const toCameraAccess = ({ allCameras, cameraIds, zoneIds }: StoredAccess): CameraAccess =>
  allCameras ? { kind: 'all' } : { kind: 'some', cameraIds, zoneIds }

const noSuchObject: ApiError = { error: 'notFound', detail: "camera or zone not found, or you don't have access to it" }

/**
 * The access after `patch`. Cameras and zones out of the caller's scope are as unknown as those that there are not;
 * `zones` are those of the account.
 */
export function applyAccessPatch(
  current: StoredAccess,
  patch: AccessPatch,
  given: { readonly caller: Holder; readonly cameras: CameraZones; readonly zones: ReadonlySet<number> },
): Result<StoredAccess, ApiError> {
  const { caller, cameras, zones } = given
  const { allCameras = current.allCameras, cameraIds, zoneIds } = patch
  if (allCameras && !current.allCameras && !hasFullAccess(caller)) {
    return fail({
      error: 'notAuthorized',
      detail: "you can't grant access to all cameras because you don't have it yourself",
    })
  }
  const isKnown =
    (cameraIds ?? []).every((cameraId) => hasCameraAccess(caller, cameraId, cameras)) &&
    (zoneIds ?? []).every((zoneId) => zones.has(zoneId) && holdsZone(caller, zoneId))
  if (!isKnown) return fail(noSuchObject)
  return ok({
    allCameras,
    cameraIds: cameraIds === undefined ? current.cameraIds : new Set(cameraIds),
    zoneIds: zoneIds === undefined ? current.zoneIds : new Set(zoneIds),
  })
}

/** The part of a user's access that the caller has too; the caller must not even see the number of the rest. */
export function visibleAccess(
  { allCameras, cameraIds, zoneIds }: StoredAccess,
  { caller, cameras }: { readonly caller: Holder; readonly cameras: CameraZones },
): UserAccess {
  return {
    allCameras,
    cameraIds: [...cameraIds].filter((cameraId) => hasCameraAccess(caller, cameraId, cameras)).sort((a, b) => a - b),
    zoneIds: [...zoneIds].filter((zoneId) => holdsZone(caller, zoneId)).sort((a, b) => a - b),
  }
}

/** How many of the cameras in the caller's scope the user has access to. */
export function sharedCameras(caller: Holder, target: Holder, cameras: CameraZones): number {
  return [...cameras.keys()].filter(
    (cameraId) => hasCameraAccess(caller, cameraId, cameras) && hasCameraAccess(target, cameraId, cameras),
  ).length
}

/** All rights as switches: the granted ones, regardless of the brand's modules. */
export const isRightEnabled = (who: Pick<Holder, 'isSuperUser' | 'granted'>, right: Right): boolean =>
  isGranting(sourceOfRight({ ...who, modules: new Set(allModules) }, right))
