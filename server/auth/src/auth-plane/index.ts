import { type AuthPlane, PasswordsOverloaded } from '@sightline/contract/auth-plane'
import { notifyReport } from '../account-mails/reports/index.ts'
import { isCommonPassword, savePasswordHash, verifyPassword } from '../factors/credentials/index.ts'
import type { SignInMailDeps } from '../people/email-templates/index.ts'
import { forgetUser, loadPersonalData } from '../personal-data/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { listSupportSessions } from '../sessions/support-sessions/index.ts'
import { type ConfirmDeps, confirmIdentity } from './confirm-identity.ts'

export interface PlaneDeps extends ConfirmDeps, SignInMailDeps {
  readonly sessions: Sessions
}

/** The functions that the other planes call. */
export const authPlane = (deps: PlaneDeps): AuthPlane => ({
  async verifyPassword(question) {
    const verdict = await verifyPassword(question, deps)
    return verdict.kind
  },
  confirmIdentity: (question) => confirmIdentity(question, deps),
  personalData: ({ userId }) => loadPersonalData(userId, deps),
  listSupportSessions: ({ accountId }) => listSupportSessions(accountId, deps),
  isCommonPassword: async (password) => isCommonPassword(password),
  async createCredentials({ userId, accountId, password }) {
    const hashed = await deps.passwords.hash(password)
    if (!hashed.ok) throw new PasswordsOverloaded('too many passwords are being hashed')
    await savePasswordHash(deps.db.plain, deps.clock, { userId, accountId, passwordHash: hashed.value })
  },
  notifyReport: (given) => notifyReport(given, deps),
  revokeSessions: ({ userId, exceptTokenId }) => deps.sessions.endUser(userId, exceptTokenId),
  async forgetUser({ userId }) {
    await deps.sessions.endUserWith(async (tx) => {
      await forgetUser(tx, userId)
      return true
    }, userId)
  },
})
