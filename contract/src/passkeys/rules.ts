import { HIDDEN_CHARACTERS, steersText } from '../user-details/index.ts'

/** Per person, across all hosts of brands. */
export const MAX_PASSKEYS = 20

const MOST_OF_A_NAME = 64

/** The error for the name of a passkey; undefined if it is valid. */
export function passkeyNameProblem(name: string): string | undefined {
  const length = [...name.trim()].length
  if (length < 1 || length > MOST_OF_A_NAME) return 'Name should be 1-64 characters'
  return steersText(name) ? HIDDEN_CHARACTERS : undefined
}
