import type { AuthPlane } from '@sightline/contract/auth-plane'
import { savePasswordHash, type VerifyParts, verifyPassword } from '../credentials/index.ts'
import { type LinkParts, sendPasswordLink } from '../password-links/index.ts'
import type { Sessions } from '../sessions/index.ts'

export interface PlaneParts extends VerifyParts, LinkParts {
  readonly sessions: Sessions
}

/** What the other planes may ask of this one, as function calls. */
export const authPlane = (parts: PlaneParts): AuthPlane => ({
  async verifyPassword(question) {
    const verdict = await verifyPassword(question, parts)
    return verdict.kind
  },
  async createCredentials({ userId, accountId, password }) {
    const hashed = await parts.passwords.hash(password)
    if (!hashed.ok) throw new Error('too many passwords are being hashed at this moment')
    await savePasswordHash(parts.db.plain, parts.clock, { userId, accountId, passwordHash: hashed.value })
  },
  invite: (invitation) => sendPasswordLink({ ...invitation, kind: 'invitation' }, parts),
  revokeSessions: ({ userId, exceptTokenId }) => parts.sessions.endUser(userId, exceptTokenId),
})
