import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import type { Permissions, StaffLevel } from '@sightline/contract/rights'
import type { NewStaffUser, StaffPatch, StaffUser } from '@sightline/contract/staff'
import { toDateTime } from '@sightline/contract/wire'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { Change } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { applied, mapFailures } from '../distributors/index.ts'
import { languageFault } from '../reference-lists/index.ts'
import { type Organisation, toOrganisationScope } from './organisation.ts'
import { appliedGrants, grantFault, guardFault, limitVisibleAccounts } from './rules.ts'
import {
  countAccounts,
  findStaff,
  insertStaff,
  isStaffEmailTaken,
  listStaff,
  lockStaff,
  profileGrants,
  removeStaff,
  saveStaff,
  toPermissions,
} from './store.ts'

export interface StaffDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly auth: Pick<AuthPlane, 'revokeSessions' | 'forgetUser'>
  readonly now: () => number
  /** Whether the operator set up a dedicated translation host. */
  readonly isTranslated?: boolean
}

/** The caller and the staff they manage; an organization out of the caller's scope doesn't exist. */
export interface StaffContext {
  readonly caller: StaffCaller
  readonly of: Organisation | undefined
}

/** A call that writes about them. */
export interface ChangingStaff<Reply = unknown> extends StaffContext {
  readonly change: Change<StaffCaller, Reply>
}

type Reached<As extends StaffContext = ChangingStaff> = Omit<As, 'of'> & { readonly of: Organisation }
type Answer<T> = Promise<Result<T, ApiError>>

/** The actions on the staff of one organization, at any level. */
export interface StaffService {
  list(acting: StaffContext): Answer<StaffUser[]>
  add(acting: ChangingStaff, given: NewStaffUser): Answer<StaffUser>
  one(acting: StaffContext, userId: number): Answer<StaffUser>
  change(acting: ChangingStaff<StaffUser>, userId: number, patch: StaffPatch): Answer<StaffUser>
  remove(acting: ChangingStaff, userId: number): Answer<undefined>
}

const person = (userId: number) => ({ kind: 'staff', id: userId })

const action = (verb: 'add' | 'patch' | 'delete', level: StaffLevel): string => {
  const of: Readonly<Record<StaffLevel, string>> = {
    reseller: 'Reseller',
    distributor: 'Distributor',
    admin: 'Provider',
  }
  return `${verb}${of[level]}Staff${verb === 'add' ? '' : 'User'}`
}

export function staffService(deps: StaffDeps): StaffService {
  const { db } = deps
  const within = async <T>(
    acting: StaffContext,
    work: (tx: Tx, reached: Reached<StaffContext>) => Answer<T>,
  ): Answer<T> => {
    const { of } = acting
    if (of === undefined) return fail({ error: 'notFound' })
    return db.inOrganisation(toOrganisationScope(acting.caller, of), (tx) => work(tx, { ...acting, of }))
  }
  /** Changes of staff run one after another, each authorized for the caller's current permissions. */
  const changing = async <T>(acting: ChangingStaff, work: (tx: Tx, reached: Reached) => Answer<T>): Answer<T> => {
    const { of, change } = acting
    if (of === undefined) return fail({ error: 'notFound' })
    return change.tx(toOrganisationScope(acting.caller, of), async (tx) => {
      await lockStaff(tx, of.organisationId)
      const caller = await change.reauthorize()
      return caller.ok ? work(tx, { ...acting, of, caller: caller.value }) : caller
    })
  }
  return {
    list: (acting) =>
      within(acting, async (tx, { of }) =>
        ok((await listStaff(tx, of.organisationId)).map((found) => limitVisibleAccounts(acting.caller, found))),
      ),

    one: (acting, userId) =>
      within(acting, async (tx, { of }) => {
        const found = await findStaff(tx, { ...of, userId })
        return found === undefined ? fail({ error: 'notFound' }) : ok(limitVisibleAccounts(acting.caller, found))
      }),

    async add(acting, given) {
      const fault = languageFault(given.language, deps)
      if (fault !== undefined) return fail(fault)
      const userId = await deps.ids.next()
      return mapFailures(
        () => changing(acting, (tx, reached) => add(tx, { deps, reached, given, userId })),
        (error) =>
          isStaffEmailTaken(error)
            ? { error: 'duplicate', detail: 'a staff member with this email address already exists' }
            : undefined,
      )
    },

    async change(acting, userId, patch) {
      const fault = languageFault(patch.language, deps)
      if (fault !== undefined) return fail(fault)
      const changed = await changing(acting, (tx, reached) => change(tx, { deps, reached, userId, patch }))
      if (changed.ok && changed.value.blocked) await deps.auth.revokeSessions({ userId })
      return changed
    },

    async remove(acting, userId) {
      const removed = await changing(acting, (tx, reached) => remove(tx, { deps, reached, userId }))
      if (removed.ok) await deps.auth.forgetUser({ userId })
      return removed
    },
  }
}

interface Working {
  readonly deps: StaffDeps
  readonly reached: Reached
  readonly userId: number
}

async function add(tx: Tx, work: Working & { readonly given: NewStaffUser }): Answer<StaffUser> {
  const { deps, reached, given, userId } = work
  const { of, change } = reached
  const nothing: Permissions = toPermissions(new Set())
  const none = { permissions: nothing, permissionProfileId: null, allAccounts: true, accountIds: [] }
  const grants = await decideGrants(tx, { reached, current: none, given })
  if (!grants.ok) return grants
  const { email, firstName, lastName, phone, language = 'en' } = given
  const added: StaffUser = {
    userId,
    level: of.level,
    resellerId: of.resellerId,
    distributorId: of.distributorId,
    email,
    firstName,
    lastName,
    phone: phone === undefined || phone === '' ? null : phone,
    language,
    ...grants.value,
    blocked: false,
    mfaEnabled: false,
    createdAt: toDateTime(deps.now()),
  }
  await insertStaff(tx, added)
  const entry = { action: action('add', of.level), accountId: of.organisationId, target: person(userId), after: added }
  await change.audit(entry)
  await change.notify({ kind: 'invitation', userId, accountId: of.organisationId, to: email })
  return ok(added)
}

async function change(tx: Tx, work: Working & { readonly patch: StaffPatch }): Answer<StaffUser> {
  const { reached, userId, patch } = work
  const before = await loadForChange(tx, work)
  if (!before.ok) return before
  reached.change.ifMatch(before.value)
  const grants = await decideGrants(tx, { reached, current: before.value, given: patch })
  if (!grants.ok) return grants
  const { firstName, lastName, phone, language, blocked } = patch
  const plain = { firstName, lastName, phone: phone === '' ? null : phone, language, blocked }
  const after = { ...applied(before.value, plain), ...grants.value }
  await saveStaff(tx, after)
  const { of } = reached
  const entry = { action: action('patch', of.level), accountId: of.organisationId, target: person(userId) }
  await reached.change.audit({ ...entry, before: before.value, after })
  return ok(after)
}

async function remove(tx: Tx, work: Working): Answer<undefined> {
  const { reached, userId } = work
  const before = await loadForChange(tx, work)
  if (!before.ok) return before
  const { of } = reached
  await removeStaff(tx, userId)
  const entry = { action: action('delete', of.level), accountId: of.organisationId, target: person(userId) }
  await reached.change.audit({ ...entry, before: before.value })
  return ok(undefined)
}

/** The staff member, if the caller may change them. */
async function loadForChange(tx: Tx, { reached, userId }: Working): Answer<StaffUser> {
  const { caller, of } = reached
  const found = await findStaff(tx, { ...of, userId })
  if (found === undefined) return fail({ error: 'notFound' })
  const fault = guardFault(caller, found)
  return fault === undefined ? ok(found) : fail(fault)
}

type Grants = Pick<StaffUser, 'permissions' | 'permissionProfileId' | 'allAccounts' | 'accountIds'>

async function decideGrants(
  tx: Tx,
  work: { readonly reached: Reached; readonly current: Grants; readonly given: NewStaffUser | StaffPatch },
): Answer<Grants> {
  const { reached, current, given } = work
  const { caller, of } = reached
  const { permissionProfileId } = given
  const ofProfile =
    permissionProfileId === undefined ? undefined : await profileGrants(tx, { ...of, permissionProfileId })
  if (permissionProfileId !== undefined && ofProfile === undefined) return fail({ error: 'notFound' })
  const accounts = await accountFault(tx, { caller, of, given })
  if (accounts !== undefined) return fail(accounts)
  const next = appliedGrants(current, given, ofProfile)
  const fault = grantFault(caller, next)
  return fault === undefined ? ok(next) : fail(fault)
}

/** Only a reseller's staff can be limited to accounts, and only to accounts that the caller may manage. */
async function accountFault(
  tx: Tx,
  work: { readonly caller: StaffCaller; readonly of: Organisation; readonly given: NewStaffUser | StaffPatch },
): Promise<ApiError | undefined> {
  const { resellerId } = work.of
  const { allAccounts, accountIds } = work.given
  if (resellerId === null) {
    const isLimited = accountIds !== undefined || allAccounts === false
    const field = { field: 'accountIds', message: 'Only reseller staff can be limited to specific accounts' }
    return isLimited ? { error: 'validation', detail: field.message, fields: [field] } : undefined
  }
  if (accountIds === undefined) return undefined
  const wanted = [...new Set(accountIds)]
  const mine = work.caller.accountIds
  const isReached = mine === undefined || wanted.every((accountId) => mine.has(accountId))
  const found = isReached ? await countAccounts(tx, resellerId, wanted) : 0
  return isReached && found === wanted.length ? undefined : { error: 'notFound' }
}
