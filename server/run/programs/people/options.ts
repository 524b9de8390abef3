import { fail, ok, type Result } from '@sightline/platform/result'

/** The operator's command for a user. */
export type UserCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'resetSecondFactor'; readonly who: UserReference; readonly isConfirmed: boolean }

/** A user or staff member, by id or by email address, which users of several brands may share. */
export type UserReference =
  | { readonly kind: 'id'; readonly userId: number }
  | { readonly kind: 'email'; readonly email: string }

export const USAGE = `npm run person -- <command>

  reset-second-factor <id or email>   turn off two-factor authentication for a user who lost access to it: removes
                                      the authenticator app, passkeys and recovery codes; the password alone signs in
      --yes                               don't ask for confirmation
`

const RESET = 'reset-second-factor'
const CONFIRMED = '--yes'

/** The command, or a sentence about what cannot be understood. */
export function readCommand(words: readonly string[]): Result<UserCommand, string> {
  const [command, ...rest] = words
  if (command === undefined || command === 'help' || command === '--help') return ok({ kind: 'help' })
  if (command !== RESET) return fail(`Unknown command ${command}.`)
  const named = rest.filter((word) => word !== CONFIRMED)
  const [text = '', ...more] = named
  const who = more.length > 0 ? undefined : parseUserReference(text)
  if (who === undefined) return fail(`${RESET} needs the id or the email address of one user.`)
  return ok({ kind: 'resetSecondFactor', who, isConfirmed: named.length < rest.length })
}

function parseUserReference(text: string): UserReference | undefined {
  if (/^[1-9][0-9]{0,15}$/.test(text)) return { kind: 'id', userId: Number(text) }
  return text.includes('@') ? { kind: 'email', email: text } : undefined
}
