import { randomBytes } from 'node:crypto'
import type { PasskeyAnswer, RequestOptions } from '@sightline/contract/passkeys'
import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import type { WriteAudit } from '../../people/audit/index.ts'
import { type AuthUser, findByUserId } from '../../people/index.ts'
import type { Failures, Subject } from '../failures/index.ts'
import { buildRequestOptions, CEREMONY_MS, isCounterValid, type VerifiedAnswer, verifyAnswer } from './ceremonies.ts'
import type { RelyingParty } from './relying-party.ts'
import {
  type ChallengeContext,
  findByCredential,
  keepChallenge,
  listPasskeys,
  lockPasskey,
  noteUse,
  type StoredPasskey,
  takeChallenge,
} from './store.ts'

export interface PasskeyCheckDeps {
  readonly db: Db
  readonly clock: Clock
  readonly failures: Failures
  readonly audit: WriteAudit
}

/** After a password, having the device is enough; on its own, the passkey needs user verification. */
const verificationFor = ({ purpose }: ChallengeContext): RequestOptions['userVerification'] =>
  purpose === 'secondStep' ? 'preferred' : 'required'

/** A challenge for a known user, or for any passkey of that host. */
export async function askForPasskey(
  place: ChallengeContext,
  of: { readonly rp: RelyingParty; readonly userId?: number },
  { db, clock }: Pick<PasskeyCheckDeps, 'db' | 'clock'>,
): Promise<RequestOptions> {
  const { rp, userId } = of
  const challenge = randomBytes(32)
  const among = userId === undefined ? undefined : await findHostPasskeys(db, userId, rp)
  await keepChallenge(db, place, { challenge, userHandle: undefined, expiresAt: clock.now() + CEREMONY_MS })
  const userVerification = verificationFor(place)
  return buildRequestOptions({ rp, challenge, userVerification, ...(among === undefined ? {} : { among }) })
}

/** A user's passkeys for that host; empty if the host can't have any. */
export async function findHostPasskeys(
  db: Db,
  userId: number,
  rp: RelyingParty | undefined,
): Promise<readonly StoredPasskey[]> {
  if (rp === undefined) return []
  const all = await listPasskeys(db.plain, userId)
  return all.filter(({ rpId }) => rpId === rp.id)
}

export interface PasskeyTry {
  readonly place: ChallengeContext
  readonly rp: RelyingParty
  /** Undefined if it can't be read. */
  readonly answer: PasskeyAnswer | undefined
  readonly address: string
  readonly clientId: string | undefined
  /** The expected user; defaults to the passkey's owner. */
  readonly person?: AuthUser
  /** The subject that failures count for; defaults to the passkey's owner. */
  readonly subjects?: readonly Subject[]
  /** Whether that user can sign in here. */
  readonly isWelcome?: (person: AuthUser) => boolean
}

export type PasskeyVerdict =
  | { readonly kind: 'right'; readonly person: AuthUser }
  /** The passkey is right, and the user would be signed in if the account weren't suspended. */
  | { readonly kind: 'suspended'; readonly person: AuthUser }
  /** `known` is the owner of the named passkey, for the log. */
  | { readonly kind: 'wrong'; readonly known: AuthUser | undefined }
  | { readonly kind: 'locked'; readonly retryAfterS: number }

/** Verifies a passkey's answer to the challenge. The challenge is used up either way. */
export async function checkPasskey(given: PasskeyTry, deps: PasskeyCheckDeps): Promise<PasskeyVerdict> {
  const { answer, place, rp, address } = given
  const { db, clock, failures } = deps
  const asked = await takeChallenge(db, place, clock.now())
  const passkey = answer === undefined ? undefined : await findByCredential(db.plain, idOf(answer))
  const person = given.person ?? (passkey === undefined ? undefined : await findByUserId(db, passkey.userId))
  const subjects = given.subjects ?? ownSubjects(person)
  const reservation = await failures.reserve(subjects, address)
  if (reservation.kind === 'locked') return reservation
  const wrong: PasskeyVerdict = { kind: 'wrong', known: person }
  if (answer === undefined || asked === undefined || passkey === undefined) return wrong
  if (person?.userId !== passkey.userId || !mayTry(person) || given.isWelcome?.(person) === false) return wrong
  if (place.purpose === 'signIn' && typeof answer.response.userHandle !== 'string') return wrong
  const { challenge } = asked
  const verified = await verifyAnswer(answer, { rp, challenge, passkey, userVerification: verificationFor(place) })
  if (verified === undefined) return wrong
  if (!(await use({ passkey, verified, person }, given, deps))) return wrong
  if (!person.maySignIn) {
    // No failure, but earlier ones are not forgotten.
    await reservation.succeeded([], subjects)
    return { kind: 'suspended', person }
  }
  await reservation.succeeded(subjects)
  return { kind: 'right', person }
}

/** After the right signature, a user of a suspended account learns why sign-in fails. */
const mayTry = ({ maySignIn, isSuspended }: AuthUser): boolean => maySignIn || isSuspended

const idOf = ({ id }: PasskeyAnswer): Buffer => Buffer.from(id, 'base64url')

const ownSubjects = (person: AuthUser | undefined): readonly Subject[] =>
  person === undefined ? [] : [{ kind: 'user', userId: person.userId }]

/**
 * Records the use; false if the passkey was removed meanwhile or its counter didn't increase. In that case it, or a
 * copy, was used elsewhere; the two can't be distinguished, so the account's audit log records it.
 */
const use = (
  of: { readonly passkey: StoredPasskey; readonly verified: VerifiedAnswer; readonly person: AuthUser },
  { clientId, address }: PasskeyTry,
  { db, clock, audit }: PasskeyCheckDeps,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { passkey, verified, person } = of
    const held = await lockPasskey(tx, passkey)
    if (held === undefined) return false
    if (!isCounterValid(held.signCount, verified.signCount)) {
      const { userId, accountId } = person
      await audit({ userId, accountId, action: 'passkeyRefused', clientId, address }, tx)
      return false
    }
    await noteUse(tx, { passkeyId: held.passkeyId, ...verified, now: clock.now() })
    return true
  })
