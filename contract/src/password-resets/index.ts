import * as z from 'zod/mini'
import { passwordProblem } from '../credentials/index.ts'
import { checkedText, emailProblem } from '../user-details/index.ts'

/**
 * Calls of the authorization server for clients with their own pages. The second one needs the token from the email.
 */
export const PASSWORD_RESETS_PATH = '/auth/passwordResets'

/** Operation 68: always 202, whether or not the address is known. */
export const passwordResetRequest = z.object({ email: checkedText(emailProblem) })

/** Operation 86. */
export const passwordResetInput = z.object({ newPassword: checkedText(passwordProblem) })
