import type { ApiError } from '../errors/index.ts'
import type { SupportSession } from '../support-sessions/index.ts'

/** Seconds until the queue of password checks is empty. */
export const PASSWORDS_BUSY_RETRY_S = 2
/** The response of a call if the queue of password checks is full. */
export const PASSWORDS_BUSY: ApiError = {
  error: 'tooManyRequests',
  detail: 'too many passwords and recovery codes are being checked; try again in a few seconds',
  retryAfter: PASSWORDS_BUSY_RETRY_S,
}

/** This server has no capacity for more password hashes now. The same call works later. */
export class PasswordsOverloaded extends Error {}

/** An email about a sign-in: its address, language, and the host whose brand it uses. */
export interface SignInMail {
  userId: number
  accountId: number
  resellerId: number
  email: string
  language: string
  host: string
}

/**
 * The interface of the authorization server for the other planes. Only this plane has passwords and keys
 * (ARCHITECTURE.md). In one process this is a function call, on several machines a call with an internal token.
 */
export interface AuthPlane {
  /**
   * Checks a user's password. Counts failures per account and address. `locked` after too many of them (10 in 15
   * minutes), even with the correct password; `overloaded` if too many passwords are being checked now.
   */
  verifyPassword(question: {
    userId: number
    password: string
    address: string
  }): Promise<'right' | 'wrong' | 'locked' | 'overloaded'>
  /**
   * Checks that a request for an irreversible action comes from the user: like {@link verifyPassword}, and with a code
   * if the second factor is on, which is used up. If another factor was on before the session of that token, a code of
   * a newer factor is no proof. `host` is the host of links in an email about a used recovery code.
   */
  confirmIdentity(question: {
    userId: number
    tokenId: number
    password: string
    code: string | undefined
    address: string
    host: string
  }): Promise<'right' | 'wrong' | 'wrongCode' | 'locked' | 'overloaded'>
  /** This plane's data about a user, by name, without credentials. Times are date-times. */
  personalData(of: { userId: number }): Promise<Readonly<Record<string, unknown>>>
  /** The open support sessions in an account. */
  listSupportSessions(of: { accountId: number }): Promise<SupportSession[]>
  /** Whether it is one of the most common passwords, which are rejected. */
  isCommonPassword(password: string): Promise<boolean>
  /**
   * Sets the first password of a new user. The caller has already checked it with {@link passwordProblem}.
   *
   * @throws PasswordsOverloaded
   */
  createCredentials(given: { userId: number; accountId: number; password: string }): Promise<void>
  /**
   * Queues an email with a link to a new report. The email has the report's number, so a repeated request queues only
   * one.
   */
  notifyReport(given: SignInMail & { reportId: number; type: string; from: string; till: string }): Promise<void>
  /** Ends all tokens and sign-ins of a user except the given token, and all password links. */
  revokeSessions(of: { userId: number; exceptTokenId?: number }): Promise<void>
  /** For a deleted user: like {@link revokeSessions}, and removes the password. */
  forgetUser(of: { userId: number }): Promise<void>
}
