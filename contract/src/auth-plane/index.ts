import type { ApiError } from '../errors/index.ts'

/** Seconds after which the queue of passwords has emptied. */
export const PASSWORDS_BUSY_RETRY_S = 2
/** The answer of a call that finds the queue of passwords full. */
export const PASSWORDS_BUSY: ApiError = {
  error: 'tooManyRequests',
  detail: 'too many passwords and recovery codes are being checked; try again in a few seconds',
  retryAfter: PASSWORDS_BUSY_RETRY_S,
}

/** More passwords are to be hashed than this server has room for at this moment; the same works a little later. */
export class PasswordsOverloaded extends Error {}

/** A mail about somebody's sign-in: to which address, in whose language, in the look of which host's brand. */
export interface SignInMail {
  userId: number
  accountId: number
  resellerId: number
  email: string
  language: string
  host: string
}

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
  /**
   * Is it the person who asks, for what cannot be taken back: as {@link verifyPassword}, and where the second factor is on the
   * code, which is used up. A code whose factor is newer than the session of that token proves nothing where another was on
   * before. `host` is where a mail about a used recovery code leads.
   */
  confirmPerson(question: {
    userId: number
    tokenId: number
    password: string
    code: string | undefined
    address: string
    host: string
  }): Promise<'right' | 'wrong' | 'wrongCode' | 'locked' | 'overloaded'>
  /** What this plane holds about somebody, by name, for whoever it is; nothing that opens anything. Times are date-times. */
  personalData(of: { userId: number }): Promise<Readonly<Record<string, unknown>>>
  /** Whether it is among the most used passwords, which nobody may choose. */
  isCommonPassword(password: string): Promise<boolean>
  /**
   * Sets the first password of a new user. The caller has checked it against {@link passwordProblem}.
   * @throws PasswordsOverloaded
   */
  createCredentials(given: { userId: number; accountId: number; password: string }): Promise<void>
  /**
   * Writes down a mail that a report is there, with a link to it; the mail has the report's number, so that asking twice
   * writes one.
   */
  tellOfReport(given: SignInMail & { reportId: number; type: string; from: string; till: string }): Promise<void>
  /** Ends every token and sign-in of a user, except the token named, and links that set the password. */
  revokeSessions(of: { userId: number; exceptTokenId?: number }): Promise<void>
  /** Of a user who is deleted: as {@link revokeSessions}, and the password goes too. */
  forgetUser(of: { userId: number }): Promise<void>
}
