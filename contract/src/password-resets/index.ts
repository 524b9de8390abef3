import * as z from 'zod/mini'
import { passwordProblem } from '../credentials/index.ts'
import { checkedText, emailProblem } from '../user-details/index.ts'

/** The authorization server's calls for clients with pages of their own; the token of the mail stands behind for the second. */
export const PASSWORD_RESETS_PATH = '/auth/passwordResets'

/** Operation 68: answered 202 whoever has the address. */
export const passwordResetRequest = z.object({ email: checkedText(emailProblem) })

/** Operation 86. */
export const passwordResetInput = z.object({ newPassword: checkedText(passwordProblem) })
