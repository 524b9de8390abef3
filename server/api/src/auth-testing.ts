import { type AuthPlane, PasswordsOverloaded } from '@sightline/contract/auth-plane'
import type { SupportSession } from '@sightline/contract/support-sessions'

export type AuthCall = 'createCredentials' | 'notifyReport' | 'revokeSessions' | 'forgetUser'
export interface AuthCallRecord {
  readonly call: AuthCall
  readonly userId: number
}

/** Too many passwords are being hashed whenever this one is to be set. */
export const OVERLOADING_PASSWORD = 'Overload-the-server9'
/** Among the most used ones. */
export const COMMON_PASSWORD = 'password1'
export const RIGHT_PASSWORD = 'the right password'
/** The code of the second factor; leaving it out is also right. */
export const RIGHT_CODE = '123456'

/** The auth plane as the API knows it; it sends nothing and keeps nothing. */
export function authDouble(
  answer: Awaited<ReturnType<AuthPlane['verifyPassword']>>,
  asked: AuthCallRecord[],
  supportSessions: readonly SupportSession[] = [],
): AuthPlane {
  const note =
    (call: AuthCall) =>
    async ({ userId }: { userId: number }) => {
      asked.push({ call, userId })
    }
  return {
    verifyPassword: async ({ password }) => (answer === 'wrong' && password === RIGHT_PASSWORD ? 'right' : answer),
    confirmIdentity: async ({ password, code }) => {
      if (answer !== 'wrong' || password !== RIGHT_PASSWORD) return answer
      return code === undefined || code === RIGHT_CODE ? 'right' : 'wrongCode'
    },
    personalData: async () => ({ sessions: [] }),
    listSupportSessions: async () => [...supportSessions],
    isCommonPassword: async (password) => password === COMMON_PASSWORD,
    async createCredentials(given) {
      if (given.password === OVERLOADING_PASSWORD) throw new PasswordsOverloaded()
      await note('createCredentials')(given)
    },
    notifyReport: note('notifyReport'),
    revokeSessions: note('revokeSessions'),
    forgetUser: note('forgetUser'),
  }
}
