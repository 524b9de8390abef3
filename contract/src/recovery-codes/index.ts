import * as z from 'zod/mini'
import { passkeyProof } from '../passkeys/index.ts'
import { route } from '../wire/index.ts'

/** The valid codes. They are in this response only. */
export const newRecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
export type NewRecoveryCodes = z.infer<typeof newRecoveryCodes>

export const renewRecoveryCodes = route({
  plane: 'auth',
  access: 'authenticated',
  callers: 'both',
  apiKey: 'no',
  support: 'no',
  name: 'renewRecoveryCodes',
  summary: 'Replace the recovery codes; the old ones stop working immediately, and two-factor authentication stays on',
  method: 'POST',
  path: 'users/self/mfa/recoveryCodes',
  /** As for changes of passkeys: `GET users/self/passkeys` says whether a code or the password is needed. */
  body: z.object({ proof: passkeyProof }),
  reply: newRecoveryCodes,
  notReplayed: 'the reply contains codes that are stored only as hashes',
  errors: ['validation', 'authenticationFailed', 'businessRule', 'tooManyRequests'],
})
