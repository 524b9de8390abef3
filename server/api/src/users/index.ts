import { type AuthPlane, PASSWORDS_BUSY } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import { allModules, allRights, type Modules, mustAgree, type UserRights } from '@sightline/contract/rights'
import {
  type AccessContext,
  getFeatureFlags,
  getOwnRights,
  getUser,
  patchUser,
  type UserBase,
} from '@sightline/contract/users'
import type { Db, Tx } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { applyPatch } from './rules.ts'
import { isEmailTaken, loadUser, readStaff, readUser, saveUser } from './store.ts'

export { lockUser } from './store.ts'

export const users = ({ db, auth }: { db: Db; auth: Pick<AuthPlane, 'verifyPassword'> }) => [
  serve(getUser, async (caller) => {
    if (caller.kind === 'member') return ok(await db.inTenant(caller, (tx) => readUser(tx, caller)))
    const scope = { organisationId: caller.accountId, userId: caller.userId }
    return ok(await db.inOrganisation(scope, (tx) => readStaff(tx, caller)))
  }),

  serveChange(patchUser, async (change, { body, address }) => {
    const { caller } = change
    const seen = await db.inTenant(caller, (tx) => readUser(tx, caller))
    const wanted = applyPatch(seen, body, caller)
    if (!wanted.ok) return wanted
    if (wanted.value.needsPassword) {
      const refusal = await passwordError(auth, { userId: caller.userId, password: body.password ?? '', address })
      if (refusal !== undefined) return fail(refusal)
    }
    // Checking a password takes long and must not lock a row, so the change is checked again on the current row.
    const save = async (tx: Tx): Promise<Result<UserBase, ApiError>> => {
      const before = await loadUser(tx, caller)
      change.ifMatch(before)
      const applied = applyPatch(before, body, caller)
      if (!applied.ok) return applied
      const { next, emailFolded } = applied.value
      await saveUser(tx, next, emailFolded)
      const target = { kind: 'user', id: caller.userId }
      await change.audit({ action: 'patchUser', target, before, after: next })
      // New passwords can be requested from the new address, so the old one is notified.
      if (next.email !== before.email) {
        await change.notify({ accountId: caller.accountId, userId: caller.userId, to: before.email, kind: 'newEmail' })
      }
      return ok(next)
    }
    try {
      return await change.tx(caller, save)
    } catch (error) {
      if (isEmailTaken(error))
        return fail({ error: 'duplicate', detail: 'another user already has this email address' })
      throw error
    }
  }),

  serve(getFeatureFlags, async (caller) =>
    ok({
      userSelfServiceManagement: caller.userSelfServiceManagement,
      preventEditUserDetails: caller.preventEditUserDetails,
      webAppBarred: caller.isWebAppDisabled,
      agreementOwed: mustAgree(caller),
      standing: standingOf(caller),
    }),
  ),

  serve(getOwnRights, async (caller) =>
    ok(Object.fromEntries(allRights.map((right) => [right, caller.rights.has(right)])) as UserRights),
  ),
]

const standingOf = ({ isGuest, modules, scopes, support, ...who }: MemberCaller): AccessContext => ({
  accountStatus: who.accountStatus,
  userType: who.userType,
  visitor: isGuest,
  modules: Object.fromEntries(allModules.map((module) => [module, modules.has(module)])) as Modules,
  scopes: [...scopes],
  support: support === undefined ? null : { video: support.video },
})

async function passwordError(
  auth: Pick<AuthPlane, 'verifyPassword'>,
  question: { userId: number; password: string; address: string },
): Promise<ApiError | undefined> {
  const answer = await auth.verifyPassword(question)
  if (answer === 'right') return undefined
  if (answer === 'wrong') return { error: 'authenticationFailed', detail: 'Incorrect password' }
  if (answer === 'overloaded') return PASSWORDS_BUSY
  return { error: 'tooManyRequests', detail: 'too many wrong passwords; try again in 15 minutes', retryAfter: 900 }
}
