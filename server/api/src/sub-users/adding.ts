import { PASSWORDS_BUSY, PasswordsOverloaded } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import { addUser, type ManagedUser, mandatoryFault, type NewUser } from '@sightline/contract/sub-users'
import { type ServedRoute, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { findProfile } from '../permission-profiles/index.ts'
import { languageFault } from '../reference-lists/index.ts'
import { type ChangeContext, changeUsers, type SubUsersDeps, type UserChangeCall, userTarget } from './change.ts'
import { toReply } from './reply.ts'
import { applyAccessPatch, applyRightsPatch, type Grants, type StoredAccess } from './rules.ts'
import { findUser, insertUser, loadZoneIds, saveAccess } from './store.ts'

const commonPassword: ApiError = {
  error: 'validation',
  detail: 'password: too common, choose another one',
  fields: [{ field: 'password', message: 'This password is too common' }],
}

const nothingGranted: Grants = { rights: [], permissionProfileId: null }
const noAccess: StoredAccess = { allCameras: false, cameraIds: new Set(), zoneIds: new Set() }

/** A new sub-user, with at most the caller's rights and access. */
export const adding = (deps: SubUsersDeps): readonly ServedRoute[] => [
  serveChange(addUser, async (change, { body }) => {
    const { caller } = change
    const { password, language } = body
    const fault = languageFault(language, deps)
    if (fault !== undefined) return fail(fault)
    if (password !== undefined && (await deps.auth.isCommonPassword(password))) return fail(commonPassword)
    const userId = await deps.ids.next()
    const { accountId } = caller
    // Before any row or connection is locked, because hashing takes long. Without the user, the password gives no
    // access.
    const unset = password === undefined ? undefined : await setPassword(deps, { userId, accountId, password })
    if (unset !== undefined) return fail(unset)
    const added = await addNewUser({ change, userId, body }).catch(async (error: unknown) => {
      if (password !== undefined) await deps.auth.forgetUser({ userId })
      throw error
    })
    if (!added.ok && password !== undefined) await deps.auth.forgetUser({ userId })
    return added
  }),
]

const addNewUser = ({
  change,
  userId,
  body,
}: UserChangeCall & { readonly userId: number; readonly body: NewUser }): Promise<Result<ManagedUser, ApiError>> =>
  changeUsers({ change }, async (context) => {
    const { caller } = change
    const { accountId } = caller
    const given = await decide(context, accountId, body)
    if (!given.ok) return given
    await write(context, { caller, userId, body }, given.value)
    const person = await findUser(context.tx, { accountId, userId })
    if (person === undefined) throw new Error(`user ${userId} not found after it was created`)
    const { email: to } = person.row
    if (body.password === undefined) await change.notify({ kind: 'invitation', userId, accountId, to })
    return ok(toReply(person, { caller: context.me, cameras: context.cameras }) satisfies ManagedUser)
  })

interface Given {
  readonly grants: Grants
  readonly access: StoredAccess
}

async function decide(context: ChangeContext, accountId: number, body: NewUser): Promise<Result<Given, ApiError>> {
  const { tx, me, cameras } = context
  const { userType, permissionProfileId, allCameras, cameraIds, zoneIds } = body
  const switches = { ...body.rights, ...(userType === 'demo' ? { demoUser: true } : {}) }
  const fault = mandatoryFault(switches)
  if (fault !== undefined) return fail(fault)
  const profile =
    permissionProfileId === undefined ? undefined : await findProfile(tx, { accountId, permissionProfileId })
  const patch = { ...switches, ...(permissionProfileId === undefined ? {} : { permissionProfileId }) }
  const grants = applyRightsPatch(nothingGranted, patch, { caller: me, profile })
  if (!grants.ok) return grants
  const zones = await loadZoneIds(tx, accountId)
  const access = applyAccessPatch(noAccess, { allCameras, cameraIds, zoneIds }, { caller: me, cameras, zones })
  return access.ok ? ok({ grants: grants.value, access: access.value }) : access
}

async function write(
  { tx, record }: ChangeContext,
  { caller, userId, body }: { readonly caller: MemberCaller; readonly userId: number; readonly body: NewUser },
  { grants, access }: Given,
): Promise<void> {
  const { accountId, resellerId } = caller
  const { email, firstName, lastName, phone = null, language } = body
  const key = { accountId, userId }
  await insertUser(tx, { ...key, resellerId, email, firstName, lastName, language, phone, grants })
  await saveAccess(tx, key, access)
  const { allCameras, cameraIds, zoneIds } = access
  const lists = { cameraIds: [...cameraIds], zoneIds: [...zoneIds] }
  const after = {
    email,
    firstName,
    lastName,
    phone,
    ...grants,
    allCameras,
    ...lists,
    isInvited: body.password === undefined,
  }
  await record({ action: addUser.name, target: userTarget(userId), after })
}

/** Why it was not set. */
async function setPassword(
  { auth }: SubUsersDeps,
  given: { readonly userId: number; readonly accountId: number; readonly password: string },
): Promise<ApiError | undefined> {
  try {
    await auth.createCredentials(given)
    return undefined
  } catch (error) {
    if (!(error instanceof PasswordsOverloaded)) throw error
    return PASSWORDS_BUSY
  }
}
