import * as z from 'zod/mini'
import { nothing, route } from '../wire/index.ts'

/** Hours that the link of a mail works. */
export const LOCKDOWN_LINK_HOURS = 72

const own = { plane: 'auth', access: 'authenticated', callers: 'both', apiKey: 'no', support: 'no' } as const

/** What a lockdown would end. */
export const lockdownLoss = z.object({
  /** Where the user is signed in, that of the call included. */
  sessions: z.int(),
  /** Names of API keys that the user made, which act as the user. */
  apiKeys: z.array(z.string()),
  /** Names of the user's passkeys. */
  passkeys: z.array(z.string()),
  /** Passkeys are the second factor, and no app is: without them only a recovery code is left beside the password. */
  passkeysAreSecondFactor: z.boolean(),
  /** How many browsers get messages for the user. */
  pushDevices: z.int(),
  /** The user let the support into the account. */
  supportAccess: z.boolean(),
  /** Another e-mail address waits for the user's yes. */
  emailChange: z.boolean(),
})
export type LockdownLoss = z.infer<typeof lockdownLoss>

export const getLockdown = route({
  ...own,
  name: 'getLockdown',
  summary: 'What a lockdown of the user would end',
  method: 'GET',
  path: 'users/self/lockdown',
  visitor: 'no',
  reply: lockdownLoss,
  errors: [],
})

/**
 * For whoever finds somebody else signed in: ends every session, token and link for a password of the user, that of the
 * call included, and lets nobody sign in until a new password is set by the link of a mail, which is sent at once.
 */
export const postLockdown = route({
  ...own,
  name: 'postLockdown',
  summary: 'Signs the user out everywhere and lets nobody in until a new password is set by mail',
  method: 'POST',
  path: 'users/self/lockdown',
  endsAccess: true,
  notReplayed: 'the token that called is over after the first',
  body: z.object({
    /** API keys that the user made end as well; those that stay give no access until the new password is set. */
    endApiKeys: z.boolean(),
    /** Passkeys go as well. Where they are the second factor it stays on, and the recovery codes with it. */
    removePasskeys: z.boolean(),
  }),
  reply: nothing,
  status: 204,
  errors: ['validation'],
})
