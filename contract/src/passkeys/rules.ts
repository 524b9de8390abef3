import { HIDDEN_CHARACTERS, steersText } from '../user-details/index.ts'

/** Per person, across all hosts of brands. */
export const MAX_PASSKEYS = 20

const MAX_NAME_LENGTH = 64

/** The error for the name of a passkey; undefined if it is valid. */
export function passkeyNameProblem(name: string): string | undefined {
  const length = [...name.trim()].length
  if (length < 1 || length > MAX_NAME_LENGTH) return 'Name should be 1-64 characters'
  return steersText(name) ? HIDDEN_CHARACTERS : undefined
}
