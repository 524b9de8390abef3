import { type AuthPlane, PasswordsOverloaded } from '@sightline/contract/auth-plane'
import { tellOfReport } from '../account-mails/reports/index.ts'
import { isCommonPassword, savePasswordHash, verifyPassword } from '../factors/credentials/index.ts'
import type { SignInMailParts } from '../people/letters/index.ts'
import { forgetPerson, personalDataOf } from '../personal-data/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { type ConfirmParts, confirmPerson } from './confirm-person.ts'

export interface PlaneParts extends ConfirmParts, SignInMailParts {
  readonly sessions: Sessions
}

/** What the other planes may ask of this one, as function calls. */
export const authPlane = (parts: PlaneParts): AuthPlane => ({
  async verifyPassword(question) {
    const verdict = await verifyPassword(question, parts)
    return verdict.kind
  },
  confirmPerson: (question) => confirmPerson(question, parts),
  personalData: ({ userId }) => personalDataOf(userId, parts),
  isCommonPassword: async (password) => isCommonPassword(password),
  async createCredentials({ userId, accountId, password }) {
    const hashed = await parts.passwords.hash(password)
    if (!hashed.ok) throw new PasswordsOverloaded('too many passwords are being hashed at this moment')
    await savePasswordHash(parts.db.plain, parts.clock, { userId, accountId, passwordHash: hashed.value })
  },
  tellOfReport: (given) => tellOfReport(given, parts),
  revokeSessions: ({ userId, exceptTokenId }) => parts.sessions.endUser(userId, exceptTokenId),
  async forgetUser({ userId }) {
    await parts.sessions.endUserWith(async (tx) => {
      await forgetPerson(tx, userId)
      return true
    }, userId)
  },
})
