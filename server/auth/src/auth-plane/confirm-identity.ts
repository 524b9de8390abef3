import { type VerifyDeps, verifyPassword } from '../factors/credentials/index.ts'
import { asksForCode, checkSecondFactor, findFactor, type SecondFactorDeps } from '../factors/mfa/index.ts'
import { findByUserId } from '../people/index.ts'
import { findSignInTime } from '../sessions/index.ts'

export interface ConfirmDeps extends VerifyDeps, SecondFactorDeps {}

type Verdict = 'right' | 'wrong' | 'wrongCode' | 'locked' | 'overloaded'

/**
 * Confirms the identity of a signed-in user: the password and then the code, each counted as at sign-in. If the session
 * is older than every second factor, the password is enough and any code is accepted with it; if only some are older,
 * the code must be from one of those.
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
