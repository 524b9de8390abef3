import { HIDDEN_CHARACTERS, steersText } from '../user-details/index.ts'

/** Of each person, over all addresses of brands. */
export const MAX_PASSKEYS = 20

const MOST_OF_A_NAME = 64

/** The text to show under the name of a passkey, or undefined where it is fine. */
export function passkeyNameProblem(name: string): string | undefined {
  const length = [...name.trim()].length
  if (length < 1 || length > MOST_OF_A_NAME) return 'Name should be 1-64 characters'
  return steersText(name) ? HIDDEN_CHARACTERS : undefined
}
