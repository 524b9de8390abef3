import * as z from 'zod/mini'
import { route } from '../wire/index.ts'
import { codeOrRecoveryProblem, codeProblem } from './rules.ts'

export {
  CODE_LENGTH,
  codeOrRecoveryProblem,
  codeProblem,
  formatRecoveryCode,
  parseCode,
  type SubmittedCode,
} from './rules.ts'

/** Number of recovery codes that are created when the second factor is turned on. */
export const RECOVERY_CODES = 10

/** The error for a wrong code, whatever the reason (specification §8). */
export const INVALID_CODE = 'Invalid authorization code provided'

const state = {
  enabled: z.boolean(),
  /**
   * `data:image/png;base64,…` of the address for authenticator apps; null once it is on, and for users who may not turn
   * it on.
   */
  qrCode: z.nullable(z.string()),
  /** The seed in base32, to type in if a picture can't be scanned; null if the picture is. */
  secret: z.nullable(z.string()),
  /** Number of unused codes; 0 while it is off. */
  recoveryCodesLeft: z.int(),
}

/** The second factor of the signed-in person. */
export const mfaState = z.object(state)
export type Mfa = z.infer<typeof mfaState>

const own = {
  path: 'users/self/mfa',
  plane: 'auth',
  access: 'authenticated',
  callers: 'both',
  apiKey: 'no',
  support: 'no',
} as const

export const getMfa = route({
  ...own,
  name: 'getMfa',
  summary: 'Get whether two-factor authentication is on; while it’s off, the seed for an authenticator app',
  method: 'GET',
  operation: 262,
  visitor: 'no',
  reply: mfaState,
  errors: [],
})

/**
 * Turning it on needs a code of the seed. Turning it off needs a code that sign-in would accept, or a recovery code.
 */
export const mfaPatch = z.object({ enabled: z.boolean(), code: z.string().check(z.maxLength(64)) }).check((ctx) => {
  const { enabled, code } = ctx.value
  const message = enabled ? codeProblem(code) : codeOrRecoveryProblem(code)
  if (message !== undefined) ctx.issues.push({ code: 'custom', path: ['code'], message, input: ctx.value })
})
export type MfaPatch = z.infer<typeof mfaPatch>

/** The new state. Recovery codes are in this response only. */
export const mfaChangeReply = z.object({ ...state, recoveryCodes: z.optional(z.array(z.string())) })
export type MfaChangeReply = z.infer<typeof mfaChangeReply>

export const patchMfa = route({
  ...own,
  name: 'patchMfa',
  summary: 'Turn two-factor authentication on or off; all other tokens and sign-ins of the user end',
  method: 'PATCH',
  operation: 263,
  body: mfaPatch,
  reply: mfaChangeReply,
  errors: ['validation', 'businessRule', 'tooManyRequests'],
})
