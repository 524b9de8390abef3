import { type VerifyParts, verifyPassword } from '../credentials/index.ts'
import { checkSecondFactor, type SecondFactorParts } from '../mfa/index.ts'
import { findByUserId } from '../people/index.ts'

export interface ConfirmParts extends VerifyParts, SecondFactorParts {}

type Verdict = 'right' | 'wrong' | 'wrongCode' | 'locked' | 'overloaded'

/** Whether somebody who is signed in already is the person: as at sign-in, the password and then the code, each counted there. */
export async function confirmPerson(
  question: {
    readonly userId: number
    readonly password: string
    readonly code: string | undefined
    readonly address: string
    readonly host: string
  },
  parts: ConfirmParts,
): Promise<Verdict> {
  const { userId, password, code, address, host } = question
  const verdict = await verifyPassword({ userId, password, address }, parts)
  if (verdict.kind !== 'right') return verdict.kind
  const person = await findByUserId(parts.db, userId)
  if (person === undefined) return 'wrong'
  if (!person.hasSecondFactor) return 'right'
  if (code === undefined || code === '') return 'wrongCode'
  const given = { person, code, address, host, clientId: undefined, isOnlyOne: true }
  const second = await checkSecondFactor(given, parts)
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
