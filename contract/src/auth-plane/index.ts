/**
 * What the other planes may ask of the authorization server; it alone holds passwords and keys (ARCHITECTURE.md). In one
 * process this is a function call, on many machines a call with an internal token.
 */
export interface AuthPlane {
  /**
   * Is this the password of that user? Counts failures per account and address; `locked` once there were too many
   * (10 in 15 minutes), whatever the password; `overloaded` when too many passwords are being checked at this moment.
   */
  verifyPassword(question: {
    userId: number
    password: string
    address: string
  }): Promise<'right' | 'wrong' | 'locked' | 'overloaded'>
  /** Sets the first password of a new user. The caller has checked it against {@link passwordProblem}. */
  createCredentials(given: { userId: number; accountId: number; password: string }): Promise<void>
  /** Ends every token and sign-in of a user, except the token named. */
  revokeSessions(of: { userId: number; exceptTokenId?: number }): Promise<void>
}
