import type { ApiError } from '@sightline/contract/errors'
import {
  blockPerson,
  deletePerson,
  invitePerson,
  patchPerson,
  patchPersonAccess,
  patchPersonCredentials,
  patchPersonDetails,
  patchPersonRights,
  toRightSwitches,
  type UserAccess,
  unblockPerson,
} from '@sightline/contract/sub-users'
import type { UserDetails } from '@sightline/contract/user-details'
import { type ServedRoute, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { HELD_MS, removeMember } from '../account-deletion/index.ts'
import { findProfile } from '../permission-profiles/index.ts'
import { languageFault } from '../reference-lists/index.ts'
import { applyPatch, loadDetails, saveDetails } from '../user-details/index.ts'
import {
  type ChangeContext,
  changeUser,
  type SubUsersDeps,
  toNamedUser,
  type UserChangeCall,
  userTarget,
} from './change.ts'
import { toReply } from './reply.ts'
import {
  applyAccessPatch,
  applyRightsPatch,
  type Grants,
  getUserGuard,
  guardError,
  isRightEnabled,
  isTheirOwn,
  removalError,
  type StoredAccess,
  visibleAccess,
} from './rules.ts'
import { loadZoneIds, type StoredUser, saveAccess, saveBlocked, saveGrants, saveNames } from './store.ts'

/** Why the caller can't change that user. */
function guardFault({ me, cameras }: ChangeContext, person: StoredUser): ApiError | undefined {
  const guard = getUserGuard(me, person.holder, cameras)
  return guard === null ? undefined : guardError(guard)
}

const detailsFixed: ApiError = {
  error: 'notAuthorized',
  detail: "the reseller doesn't allow users of this account to change their details",
}

const fixedFault = ({ preventEditUserDetails }: MemberCaller): ApiError | undefined =>
  preventEditUserDetails ? detailsFixed : undefined

const addressIsTheirs: ApiError = {
  error: 'notAuthorized',
  detail: 'only the user or the account owner can change the email address of a user who has already signed in',
}

/** Changes of a user's name, email address and details. */
export const changingWho = (deps: SubUsersDeps): readonly ServedRoute[] => [
  serveChange(patchPerson, (change, { params, body }) => {
    const { caller } = change
    return changeUser({ change, ...params }, async (context, person) => {
      const fault = fixedFault(caller) ?? guardFault(context, person)
      if (fault !== undefined) return fail(fault)
      const by = { caller: context.me, cameras: context.cameras }
      const before = toReply(person, by)
      change.ifMatch(before)
      const names = toNamedUser(person)
      const next = { ...names, ...body }
      const { email, firstName, lastName } = next
      if (email !== names.email && isTheirOwn(caller, person.row)) return fail(addressIsTheirs)
      await saveNames(context.tx, person.holder, next)
      await context.record({ action: patchPerson.name, target: userTarget(params.userId), before: names, after: next })
      // The old address gets a notice, because a password link can be sent to the new one.
      if (email !== names.email) await change.notify({ ...mailTo(person), kind: 'newEmail' })
      return ok({ ...before, ...next, name: `${firstName} ${lastName}` })
    })
  }),

  serveChange(patchPersonDetails, (change, { params, body }) => {
    const { caller } = change
    return changeUser({ change, ...params }, async (context, person): Promise<Result<UserDetails, ApiError>> => {
      const fault = guardFault(context, person) ?? languageFault(body.language, deps)
      if (fault !== undefined) return fail(fault)
      const before = await loadDetails(context.tx, person.holder)
      change.ifMatch(before)
      const next = applyPatch(before, body, caller)
      if (!next.ok) return next
      await saveDetails(context.tx, person.holder, next.value)
      const target = userTarget(params.userId)
      await context.record({ action: patchPersonDetails.name, target, before, after: next.value })
      return next
    })
  }),
]

const mailTo = ({ row }: StoredUser) => ({ userId: row.user_id, accountId: row.account_id, to: row.email })

/** Emails for choosing a password; only users choose their own. */
export const sendingLinks: readonly ServedRoute[] = [
  serveChange(patchPersonCredentials, (change, { params }) => {
    const { caller } = change
    return changeUser({ change, ...params }, async (context, person) => {
      const fault = fixedFault(caller) ?? guardFault(context, person)
      if (fault !== undefined) return fail(fault)
      await context.record({ action: patchPersonCredentials.name, target: userTarget(params.userId) })
      await change.notify({ ...mailTo(person), kind: 'reset' })
      return ok(undefined)
    })
  }),

  serveChange(invitePerson, (change, { params }) => {
    return changeUser({ change, ...params }, async (context, person) => {
      const fault = guardFault(context, person)
      if (fault !== undefined) return fail(fault)
      await context.record({ action: invitePerson.name, target: userTarget(params.userId) })
      await change.notify({ ...mailTo(person), kind: 'invitation' })
      return ok({ email: person.row.email })
    })
  }),
]

/** Changes of a user's rights and access. */
export const changingWhat: readonly ServedRoute[] = [
  serveChange(patchPersonRights, (change, { params, body }) => {
    const { caller } = change
    return changeUser({ change, ...params }, async (context, person) => {
      const fault = guardFault(context, person)
      if (fault !== undefined) return fail(fault)
      change.ifMatch(toRightSwitches((right) => isRightEnabled(person.holder, right)))
      const { permissionProfileId } = body
      const profile =
        typeof permissionProfileId === 'number'
          ? await findProfile(context.tx, { accountId: caller.accountId, permissionProfileId })
          : undefined
      const next = applyRightsPatch(person.grants, body, { caller: context.me, profile })
      if (!next.ok) return next
      if (next.value !== person.grants) await writeGrants(context, person, next.value)
      const granted = new Set<string>(next.value.rights)
      return ok(toRightSwitches((right) => isRightEnabled({ isSuperUser: false, granted }, right)))
    })
  }),

  serveChange(patchPersonAccess, (change, { params, body }) => {
    const { caller } = change
    return changeUser({ change, ...params }, async (context, person): Promise<Result<UserAccess, ApiError>> => {
      const fault = guardFault(context, person)
      if (fault !== undefined) return fail(fault)
      const by = { caller: context.me, cameras: context.cameras }
      change.ifMatch(visibleAccess(person.access, by))
      const zones = await loadZoneIds(context.tx, caller.accountId)
      const next = applyAccessPatch(person.access, body, { ...by, zones })
      if (!next.ok) return next
      await saveAccess(context.tx, person.holder, next.value)
      const target = userTarget(params.userId)
      const [before, after] = [toLists(person.access), toLists(next.value)]
      await context.record({ action: patchPersonAccess.name, target, before, after })
      return ok(visibleAccess(next.value, by))
    })
  }),
]

async function writeGrants({ tx, record }: ChangeContext, person: StoredUser, next: Grants): Promise<void> {
  await saveGrants(tx, person.holder, next)
  const target = userTarget(person.row.user_id)
  await record({ action: patchPersonRights.name, target, before: person.grants, after: next })
}

const toLists = ({ allCameras, cameraIds, zoneIds }: StoredAccess): UserAccess => ({
  allCameras,
  cameraIds: [...cameraIds],
  zoneIds: [...zoneIds],
})

/** Blocking and deleting, which end the user's sessions and streams. */
export const removing = (deps: SubUsersDeps): readonly ServedRoute[] => [
  serveChange(deletePerson, async (change, { params }) => {
    const gone = await changeUser({ change, ...params }, async (context, person) => {
      const guard = getUserGuard(context.me, person.holder, context.cameras)
      if (guard !== null) return fail(removalError(guard))
      const when = { removedAt: deps.now(), eraseAfter: deps.now() + HELD_MS }
      await removeMember(context.tx, { ...person.holder, ...when })
      const before = { ...toNamedUser(person), ...person.grants, ...toLists(person.access) }
      await context.record({ action: deletePerson.name, target: userTarget(params.userId), before })
      return ok(undefined)
    })
    if (gone.ok) await deps.auth.forgetUser({ userId: params.userId })
    return gone
  }),

  serveChange(blockPerson, async (change, { params }) => {
    const blocked = await setBlocked({ change, ...params }, { blocked: true, action: blockPerson.name })
    if (blocked.ok) await deps.auth.revokeSessions({ userId: params.userId })
    return blocked
  }),

  serveChange(unblockPerson, (change, { params }) => {
    return setBlocked({ change, ...params }, { blocked: false, action: unblockPerson.name })
  }),
]

const setBlocked = (
  asking: { readonly userId: number } & UserChangeCall,
  { blocked, action }: { readonly blocked: boolean; readonly action: string },
): Promise<Result<undefined, ApiError>> =>
  changeUser(asking, async (context, person) => {
    const guard = getUserGuard(context.me, person.holder, context.cameras)
    if (guard !== null) return fail(removalError(guard))
    if (person.row.blocked === blocked) return ok(undefined)
    await saveBlocked(context.tx, person.holder, blocked)
    const [before, after] = [{ blocked: person.row.blocked }, { blocked }]
    await context.record({ action, target: userTarget(asking.userId), before, after })
    return ok(undefined)
  })
