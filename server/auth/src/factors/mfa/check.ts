import type { Clock } from '@sightline/platform/clock'
import type { WriteAudit } from '../../people/audit/index.ts'
import type { SignInMailDeps } from '../../people/email-templates/index.ts'
import type { AuthUser } from '../../people/index.ts'
import type { Failures, Subject } from '../failures/index.ts'
import { type CallingSession, olderThan } from './calling-session.ts'
import { notifyUser } from './notify.ts'
import { checkCodeProof, type Proof, type ProofDeps, spend } from './proof.ts'
import { findFactor, recoveryCodesLeft } from './store.ts'

export interface SecondFactorDeps extends ProofDeps, SignInMailDeps {
  readonly failures: Failures
  readonly audit: WriteAudit
  readonly clock: Clock
}

export type SecondFactorVerdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterS: number }
  | { readonly kind: 'busy' }

/** A user with a verified password signs in with an app code or a recovery code. */
export interface SecondFactorTry {
  readonly person: AuthUser
  readonly code: string
  readonly address: string
  readonly host: string
  readonly clientId: string | undefined
  /** The password matched every user with the address, so failures with the address were this user's. */
  readonly isOnlyOne: boolean
  /** An authenticated client's server that sends the code for a user. */
  readonly throughClient?: string
  /** For a signed-in user: only factors older than this count. */
  readonly session?: CallingSession | undefined
}

/** The subject that wrong codes count for: with the user's wrong passwords, and separately. */
export const listFailureSubjects = (userId: number): readonly Subject[] => [
  { kind: 'user', userId },
  { kind: 'code', userId },
]

/** Whether the code is right and unused. It is used up here: of several concurrent callers one succeeds. */
export async function checkSecondFactor(given: SecondFactorTry, deps: SecondFactorDeps): Promise<SecondFactorVerdict> {
  const { person, code, address } = given
  const { db, clock, failures } = deps
  const email: readonly Subject[] = given.isOnlyOne ? [{ kind: 'email', emailFolded: person.emailFolded }] : []
  const subjects = [...email, ...listFailureSubjects(person.userId)]
  const reservation = await failures.reserve(subjects, address, given.throughClient)
  if (reservation.kind === 'locked') return reservation
  const stored = await findFactor(db.plain, person.userId)
  const factor = stored === undefined || given.session === undefined ? stored : olderThan(given.session, stored)
  const proof = factor === undefined ? undefined : await checkCodeProof(code, { factor, now: clock.now() }, deps)
  if (proof === 'busy') {
    await reservation.takeBack()
    return { kind: 'busy' }
  }
  if (proof === undefined || !(await accept(proof, given, deps))) return { kind: 'wrong' }
  await reservation.succeeded(subjects)
  return { kind: 'right' }
}

/** Using a recovery code is logged and the user notified: it opens the account to anyone who found it. */
const accept = (proof: Proof, given: SecondFactorTry, deps: SecondFactorDeps): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    if (!(await spend(tx, proof))) return false
    if (proof.kind === 'app') return true
    const { person, host, clientId, address } = given
    const { accountId, userId } = person
    await deps.audit({ accountId, userId, action: 'recoveryCodeUsed', clientId, address }, tx)
    const left = await recoveryCodesLeft(tx, userId)
    await notifyUser(tx, { person, host, news: { kind: 'recoveryCodeUsed', left } }, deps)
    return true
  })
