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
  /**
   * Sends a new user a mail with a link, valid for 7 days, by which the first password is set; a link of an earlier
   * invitation ends. Resolves once link and mail are written down, together; sending follows by itself. The user need
   * not be committed yet: the link is void until there is a user with that address, who is not blocked.
   * `language` is the user's, `host` the one the request came to (its brand is shown where it is the user's own),
   * `invitedBy` a name for the reader. The address has been checked.
   */
  invite(given: {
    userId: number
    accountId: number
    resellerId: number
    email: string
    language: string
    host: string
    invitedBy: string
  }): Promise<void>
  /** Ends every token and sign-in of a user, except the token named, and links that set the password. */
  revokeSessions(of: { userId: number; exceptTokenId?: number }): Promise<void>
}
