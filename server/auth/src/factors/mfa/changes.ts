import { PASSWORDS_BUSY } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import { formatRecoveryCode, INVALID_CODE, type Mfa, type MfaChangeReply, type MfaPatch } from '@sightline/contract/mfa'
import type { Tx } from '@sightline/platform/db'
import type { Change } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { Caller } from '@sightline/platform/sessions'
import type { AuthUser } from '../../people/index.ts'
import type { Sessions } from '../../sessions/index.ts'
import { listFailureSubjects, type SecondFactorDeps } from './check.ts'
import { notifyUser } from './notify.ts'
import { freshSeed, isOffered, type SeedLabel, toMfaState } from './offer.ts'
import { checkCodeProof, spend } from './proof.ts'
import { freshRecoveryCodes } from './recovery-codes.ts'
import { openSeed } from './seed.ts'
import { enableFactor, findFactor, lockFactor, recoveryCodesLeft, removeApp } from './store.ts'
import { findTotpStep } from './totp.ts'

export interface MfaDeps extends SecondFactorDeps {
  readonly sessions: Sessions
}

export interface MfaChange {
  readonly caller: Caller
  readonly person: AuthUser
  readonly patch: MfaPatch
  readonly address: string
  readonly host: string
  /** The brand and address under which an authenticator app lists the seed. */
  readonly shown: SeedLabel
  readonly change: Pick<Change<Caller, Mfa>, 'conditionFailure'>
}

type MfaChangeError = ApiError | 'wrong'
type Outcome = Result<MfaChangeReply, MfaChangeError>

const ON_ALREADY: ApiError = { error: 'businessRule', detail: 'two-factor authentication is already on' }
const OFF_ALREADY: ApiError = { error: 'businessRule', detail: 'two-factor authentication is already off' }

/**
 * Switches the second factor on or off. The change ends every other token and sign-in of the user: they were admitted
 * under weaker or different rules (OWASP ASVS 5.0, 7.4.3).
 */
export async function changeMfa(change: MfaChange, deps: MfaDeps): Promise<Result<MfaChangeReply, ApiError>> {
  const subjects = listFailureSubjects(change.caller.userId)
  const reservation = await deps.failures.reserve(subjects, change.address)
  if (reservation.kind === 'locked') {
    const { retryAfterS: retryAfter } = reservation
    return fail({ error: 'tooManyRequests', detail: 'too many wrong codes or passwords; try again later', retryAfter })
  }
  const outcome = await (change.patch.enabled ? enable(change, deps) : disable(change, deps))
  if (outcome.ok) {
    await reservation.succeeded(subjects)
    return outcome
  }
  if (outcome.failure === 'wrong') return fail({ error: 'notAuthorized', detail: INVALID_CODE })
  await reservation.takeBack()
  return fail(outcome.failure)
}

async function enable(change: MfaChange, deps: MfaDeps): Promise<Outcome> {
  const { db, clock, passwords, encryption } = deps
  const now = clock.now()
  const offered = await findFactor(db.plain, change.caller.userId)
  if (offered?.on !== undefined) return fail(ON_ALREADY)
  if (!isOffered(offered, now)) return fail('wrong')
  const { seedSealed } = offered
  const step = findTotpStep(change.patch.code, openSeed(encryption, offered), now)
  if (step === undefined) return fail('wrong')
  const fresh = await freshRecoveryCodes(passwords)
  if (fresh === undefined) return fail(PASSWORDS_BUSY)
  const { codes, recoverySalt, codeHashes } = fresh
  return ending(change, deps, async (tx) => {
    const held = await lockFactor(tx, change.caller.userId)
    if (held?.on !== undefined) return fail(ON_ALREADY)
    if (held?.seedSealed?.equals(seedSealed) !== true) return fail('wrong')
    const problem = change.change.conditionFailure(toMfaState(held, { ...change.shown, now, left: 0 }, deps))
    if (problem !== undefined) return fail(problem)
    await enableFactor(tx, { userId: held.userId, now, step, recoverySalt, codeHashes })
    const on = { enabled: true, qrCode: null, secret: null, recoveryCodesLeft: codes.length }
    return ok({ ...on, recoveryCodes: codes.map(formatRecoveryCode) })
  })
}

async function disable(change: MfaChange, deps: MfaDeps): Promise<Outcome> {
  const { db, clock } = deps
  const { userId } = change.caller
  const now = clock.now()
  const factor = await findFactor(db.plain, userId)
  if (factor?.on === undefined) return fail(OFF_ALREADY)
  const proof = await checkCodeProof(change.patch.code, { factor, now }, deps)
  if (proof === 'busy') return fail(PASSWORDS_BUSY)
  if (proof === undefined) return fail('wrong')
  return ending(change, deps, async (tx) => {
    const held = await lockFactor(tx, userId)
    const left = await recoveryCodesLeft(tx, userId)
    const problem = change.change.conditionFailure(toMfaState(held, { ...change.shown, now, left }, deps))
    if (problem !== undefined) return fail(problem)
    if (!(await spend(tx, proof))) return fail('wrong')
    if (held !== undefined) await removeApp(tx, held)
    const next = await freshSeed(tx, { userId, accountId: change.caller.accountId, now }, deps)
    return ok(toMfaState(next, { ...change.shown, now, left: 0 }, deps))
  })
}

/** Stores the change in one transaction with its audit entry, the email and the end of every other sign-in. */
async function ending(change: MfaChange, deps: MfaDeps, work: (tx: Tx) => Promise<Outcome>): Promise<Outcome> {
  const { caller, person, host, address, patch } = change
  const action = patch.enabled ? 'mfaEnabled' : 'mfaDisabled'
  let outcome: Outcome = fail('wrong')
  await deps.sessions.endUserWith(
    async (tx) => {
      outcome = await work(tx)
      if (!outcome.ok) return false
      await deps.audit({ ...caller, action, address }, tx)
      await notifyUser(tx, { person, host, news: { kind: action } }, deps)
      return true
    },
    caller.userId,
    caller.tokenId,
  )
  return outcome
}
