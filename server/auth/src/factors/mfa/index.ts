import { getMfa, type Mfa, patchMfa } from '@sightline/contract/mfa'
import { getDenyReason } from '@sightline/contract/rights'
import { type ServedRoute, serve, serveChange } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'
import type { Caller } from '@sightline/platform/sessions'
import { findMailBrand } from '../../people/email-templates/index.ts'
import { type AuthUser, findByUserId } from '../../people/index.ts'
import { changeMfa, type MfaDeps } from './changes.ts'
import { freshSeed, isOffered, type SeedLabel, toMfaState } from './offer.ts'
import { findFactor, recoveryCodesLeft } from './store.ts'

export { asksForCode, type CallingSession } from './calling-session.ts'
export type { MfaDeps } from './changes.ts'
export { checkSecondFactor, listFailureSubjects, type SecondFactorDeps } from './check.ts'
export type { SecondFactorNews } from './email.ts'
export { notifyUser } from './notify.ts'
export { type FreshRecoveryCodes, freshRecoveryCodes } from './recovery-codes.ts'
export { type ResetDeps, resetSecondFactor } from './reset.ts'
export {
  askForPasskeys,
  findFactor,
  lockFactor,
  recoveryCodesLeft,
  removeRecentFactors,
  replaceRecoveryCodes,
  type StoredFactor,
  stopAskingForPasskeys,
  takePasskeys,
} from './store.ts'

/** `users/self/mfa`: the second factor of the signed-in user. */
export const secondFactor = (deps: MfaDeps): readonly ServedRoute[] => [
  serve(getMfa, async (caller, { host }) => ok(await present(caller, host, deps))),
  serveChange(patchMfa, async (change, { body, address, host }) => {
    const { caller } = change
    const person = await personOf(caller, deps)
    const shown = await shownTo(person, host, deps)
    return changeMfa({ caller, person, patch: body, address, host, shown, change }, deps)
  }),
]

/** Callers that can't switch it on get no seed: demo users and read-only applications. */
async function present(caller: Caller, host: string, deps: MfaDeps): Promise<Mfa> {
  const { userId, accountId } = caller
  const { db, clock } = deps
  const now = clock.now()
  const stored = await findFactor(db.plain, userId)
  const left = stored?.on === undefined ? 0 : await recoveryCodesLeft(db.plain, userId)
  if (stored?.on !== undefined || getDenyReason(patchMfa, caller) !== undefined) {
    return { enabled: stored?.on !== undefined, qrCode: null, secret: null, recoveryCodesLeft: left }
  }
  const shown = await shownTo(await personOf(caller, deps), host, deps)
  const offered = isOffered(stored, now) ? stored : await freshSeed(db.plain, { userId, accountId, now }, deps)
  return toMfaState(offered, { ...shown, now, left }, deps)
}

async function personOf({ userId }: Caller, { db }: Pick<MfaDeps, 'db'>): Promise<AuthUser> {
  const person = await findByUserId(db, userId)
  if (person === undefined) throw new Error(`user ${userId} made a call but does not exist`)
  return person
}

async function shownTo({ email, resellerId }: AuthUser, host: string, deps: MfaDeps): Promise<SeedLabel> {
  const { theme } = await findMailBrand({ host, resellerId }, deps)
  return { issuer: theme.companyName, email }
}
