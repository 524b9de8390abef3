import type { ApiError } from '@sightline/contract/errors'
import {
  addPermissionProfile,
  deletePermissionProfile,
  getPermissionProfile,
  getPermissionProfiles,
  type PermissionProfile,
  patchPermissionProfile,
} from '@sightline/contract/permission-profiles'
import type { Right } from '@sightline/contract/rights'
import {
  isMandatory,
  mandatoryFault,
  patchPersonRights,
  switched,
  toRightSwitches,
} from '@sightline/contract/sub-users'
import type { AuditEntry } from '@sightline/platform/audit'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type Change, type ServedRoute, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { MAX_PROFILES, profileFault } from './rules.ts'
import {
  countOwnProfiles,
  findProfile,
  insertProfile,
  isNameTaken,
  listProfiles,
  lockUsers,
  removeProfile,
  type StoredProfile,
  saveProfile,
} from './store.ts'

export { findProfile, lockUsers, shareLockUsers } from './store.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
}

/** Permission profiles of an account (api.md §6), and the standard ones. */
export const permissionProfiles = (deps: Deps): readonly ServedRoute[] => [...reading(deps), ...changing(deps)]

const toReply = (profile: StoredProfile): PermissionProfile => ({
  permissionProfileId: profile.permissionProfileId,
  name: profile.name,
  scope: 'account',
  rights: toRightSwitches((right) => isMandatory(right) || profile.rights.includes(right)),
  users: profile.users,
  builtin: profile.builtin,
})

const noSuchProfile = fail({ error: 'notFound' } as const)

const reading = ({ db }: Deps): readonly ServedRoute[] => [
  serve(getPermissionProfiles, (caller) =>
    db.inTenant(caller, async (tx) => ok((await listProfiles(tx, caller.accountId)).map(toReply))),
  ),

  serve(getPermissionProfile, (caller, { params }) =>
    db.inTenant(caller, async (tx) => {
      const profile = await findProfile(tx, { accountId: caller.accountId, ...params })
      return profile === undefined ? noSuchProfile : ok(toReply(profile))
    }),
  ),
]

const targetOf = (permissionProfileId: number) => ({ kind: 'permissionProfile', id: permissionProfileId })
const fieldsOf = ({ name, rights }: StoredProfile) => ({ name, rights })

const changing = ({ ids }: Pick<Deps, 'ids'>): readonly ServedRoute[] => [
  serveChange(addPermissionProfile, async (change, { body }) => {
    const { caller } = change
    const fault = mandatoryFault(body.rights)
    if (fault !== undefined) return fail(fault)
    const permissionProfileId = await ids.next()
    const fields = { name: body.name.trim(), rights: switched([], body.rights) }
    return changeProfiles(change, async (tx) => {
      if ((await countOwnProfiles(tx, caller.accountId)) >= MAX_PROFILES) {
        return fail({
          error: 'businessRule',
          detail: `an account can have at most ${MAX_PROFILES} permission profiles: delete one first`,
        })
      }
      await insertProfile(tx, { accountId: caller.accountId, permissionProfileId }, fields)
      const entry = { action: addPermissionProfile.name, target: targetOf(permissionProfileId), after: fields }
      await change.audit(entry)
      return ok(toReply({ permissionProfileId, ...fields, users: 0, builtin: false }))
    })
  }),

  serveChange(patchPermissionProfile, (change, { params, body }) => {
    const { caller } = change
    return changeProfiles(change, async (tx) => {
      const key = { accountId: caller.accountId, ...params }
      const before = await findProfile(tx, key)
      if (before === undefined) return noSuchProfile
      const fault = profileFault(before, 'change') ?? mandatoryFault(body.rights ?? {})
      if (fault !== undefined) return fail(fault)
      change.ifMatch(toReply(before))
      const rights = switched(before.rights, body.rights ?? {})
      const next = { ...before, name: body.name?.trim() ?? before.name, rights }
      const having = await saveProfile(tx, key, next)
      const target = targetOf(params.permissionProfileId)
      const after = { ...fieldsOf(next), users: before.users }
      const entry = { action: patchPermissionProfile.name, target, before: fieldsOf(before), after }
      await change.audit(entry)
      for (const line of linesOfPeople(having, params, { before: before.rights, after: rights })) {
        await change.audit(line)
      }
      return ok(toReply(next))
    })
  }),

  serveChange(deletePermissionProfile, (change, { params }) => {
    const { caller } = change
    return changeProfiles(change, async (tx) => {
      const key = { accountId: caller.accountId, ...params }
      const before = await findProfile(tx, key)
      if (before === undefined) return noSuchProfile
      const fault = profileFault(before, 'deletion')
      if (fault !== undefined) return fail(fault)
      await removeProfile(tx, key)
      const target = targetOf(params.permissionProfileId)
      const entry = { action: deletePermissionProfile.name, target, before: fieldsOf(before) }
      await change.audit(entry)
      return ok(undefined)
    })
  }),
]

/** An entry per user, so that a search for one user finds the change. */
function linesOfPeople(
  having: readonly number[],
  { permissionProfileId }: { readonly permissionProfileId: number },
  rights: { readonly before: readonly Right[]; readonly after: readonly Right[] },
): readonly AuditEntry[] {
  if (isSame(rights.before, rights.after)) return []
  return having.map((userId) => ({
    action: patchPersonRights.name,
    target: { kind: 'user', id: userId },
    before: { rights: rights.before, permissionProfileId },
    after: { rights: rights.after, permissionProfileId },
  }))
}

const isSame = (one: readonly Right[], other: readonly Right[]): boolean =>
  one.length === other.length && one.every((right) => other.includes(right))

/** Keeps a profile from being assigned while it changes or is deleted. */
async function changeProfiles<Value>(
  change: Pick<Change<MemberCaller>, 'caller' | 'tx' | 'reauthorize'>,
  work: (tx: Tx) => Promise<Result<Value, ApiError>>,
): Promise<Result<Value, ApiError>> {
  const { caller } = change
  try {
    return await change.tx(caller, async (tx) => {
      await lockUsers(tx, caller.accountId)
      const now = await change.reauthorize()
      return now.ok ? work(tx) : now
    })
  } catch (error) {
    if (!isNameTaken(error)) throw error
    return fail({ error: 'duplicate', detail: 'a permission profile with this name already exists' })
  }
}
