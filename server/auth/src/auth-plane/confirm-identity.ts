import { type VerifyDeps, verifyPassword } from '../factors/credentials/index.ts'
import { asksForCode, checkSecondFactor, findFactor, type SecondFactorDeps } from '../factors/mfa/index.ts'
import { findByUserId } from '../people/index.ts'
import { findSignInTime } from '../sessions/index.ts'

export interface ConfirmDeps extends VerifyDeps, SecondFactorDeps {}

type Verdict = 'right' | 'wrong' | 'wrongCode' | 'locked' | 'overloaded'

/**
 * Whether somebody who is signed in already is the person: as at sign-in, the password and then the code, each counted there.
 * Where the session is older than every second factor the password alone proves it, and any code will do beside it; where
 * only some are older, it is a code of these.
 */
export async function confirmIdentity(
  question: {
    readonly userId: number
    readonly tokenId: number
    readonly password: string
    readonly code: string | undefined
    readonly address: string
    readonly host: string
  },
  deps: ConfirmDeps,
): Promise<Verdict> {
  const { userId, tokenId, password, code, address, host } = question
  const verdict = await verifyPassword({ userId, password, address }, deps)
  if (verdict.kind !== 'right') return verdict.kind
  const person = await findByUserId(deps.db, userId)
  if (person === undefined) return 'wrong'
  if (!person.hasSecondFactor) return 'right'
  if (code === undefined || code === '') return 'wrongCode'
  const { plain } = deps.db
  const calling = { signedInAt: await findSignInTime(plain, tokenId) }
  const session = asksForCode(await findFactor(plain, userId), calling) ? calling : undefined
  const given = { person, session, code, address, host, clientId: undefined, isOnlyOne: true }
  const second = await checkSecondFactor(given, deps)
  switch (second.kind) {
    case 'right':
    case 'locked':
      return second.kind
    case 'wrong':
      return 'wrongCode'
    case 'busy':
      return 'overloaded'
  }
}
