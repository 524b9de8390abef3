import * as z from 'zod/mini'
import { checkedText } from '../user-details/index.ts'
import { nothing, route } from '../wire/index.ts'
import { passwordProblem } from './rules.ts'

export {
  confirmationProblem,
  decodePasswordHeader,
  encodePasswordHeader,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  passwordProblem,
} from './rules.ts'

/** Contains the current password, base64url of its UTF-8. A password in the address is rejected (decision 5). */
export const PASSWORD_HEADER = 'X-Password'

/** An existing password, possibly set under older rules; only its length is limited. */
export const currentPassword = z.string().check(z.minLength(1, 'Please enter your current password'), z.maxLength(128))

export const checkCredentials = route({
  name: 'checkCredentials',
  summary: 'Check the current password, sent in the header X-Password as base64url of its UTF-8 bytes',
  method: 'GET',
  path: 'users/self/credentials',
  plane: 'auth',
  access: 'authenticated',
  callers: 'both',
  apiKey: 'no',
  support: 'no',
  operation: 74,
  // The query must be empty; above all, it must not contain a password.
  query: z.strictObject({}),
  visitor: 'no',
  reply: nothing,
  status: 204,
  errors: ['validation', 'authenticationFailed', 'tooManyRequests'],
})

export const credentialsPatch = z.object({ password: currentPassword, newPassword: checkedText(passwordProblem) })
export type CredentialsPatch = z.infer<typeof credentialsPatch>

export const patchCredentials = route({
  name: 'patchCredentials',
  summary: 'Change your password; all other tokens and sign-ins of the user end',
  method: 'PATCH',
  path: 'users/self/credentials',
  plane: 'auth',
  access: 'authenticated',
  callers: 'both',
  apiKey: 'no',
  support: 'no',
  operation: 216,
  body: credentialsPatch,
  reply: nothing,
  status: 204,
  errors: ['validation', 'authenticationFailed', 'tooManyRequests'],
})
