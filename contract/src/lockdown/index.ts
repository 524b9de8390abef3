import * as z from 'zod/mini'
import { nothing, route } from '../wire/index.ts'

/** Hours that the link in the email is valid. */
export const LOCKDOWN_LINK_HOURS = 72

const own = { plane: 'auth', access: 'authenticated', callers: 'both', apiKey: 'no', support: 'no' } as const

/** What a lockdown would end. */
export const lockdownLoss = z.object({
  /** The user's sessions, including that of the call. */
  sessions: z.int(),
  /** Names of API keys that the user created, which act for the user. */
  apiKeys: z.array(z.string()),
  /** Names of the user's passkeys. */
  passkeys: z.array(z.string()),
  /** Passkeys are the second factor, and there is no app: without them, only recovery codes and the password remain. */
  passkeysAreSecondFactor: z.boolean(),
  /** How many browsers receive push messages for the user. */
  pushDevices: z.int(),
  /** The user granted support access to the account. */
  supportAccess: z.boolean(),
  /** An email change waits for the user's confirmation. */
  emailChange: z.boolean(),
})
export type LockdownLoss = z.infer<typeof lockdownLoss>

export const getLockdown = route({
  ...own,
  name: 'getLockdown',
  summary: 'Preview what a lockdown of the user would end',
  method: 'GET',
  path: 'users/self/lockdown',
  visitor: 'no',
  reply: lockdownLoss,
  errors: [],
})

/**
 * For users who discover another person's sign-in. Ends all of the user's sessions, tokens and password links,
 * including those of the call. Sign-in is blocked until the user sets a new password with a link from an email, which
 * is sent immediately.
 */
export const postLockdown = route({
  ...own,
  name: 'postLockdown',
  summary: 'Sign the user out everywhere and block sign-in until a new password is set by email',
  method: 'POST',
  path: 'users/self/lockdown',
  endsAccess: true,
  notReplayed: 'the first call revokes the token that made it',
  body: z.object({
    /** Whether to end the user's API keys too. The remaining ones give no access until the new password is set. */
    endApiKeys: z.boolean(),
    /** Whether to remove passkeys too. If they are the second factor, it stays on, with its recovery codes. */
    removePasskeys: z.boolean(),
  }),
  reply: nothing,
  status: 204,
  errors: ['validation'],
})
