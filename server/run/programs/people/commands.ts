import {
  type AuthUser,
  findByEmail,
  findByUserId,
  resetSecondFactor,
  type SecondFactorResetDeps,
} from '@sightline/auth'
import { foldEmail } from '@sightline/contract/user-details'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { UserCommand, UserReference } from './options.ts'

export interface CommandDeps extends SecondFactorResetDeps {
  /** Asks the operator for confirmation. */
  readonly confirm: (question: string) => Promise<boolean>
}

/** Runs the operator's command as the database's owner; returns the text to print, or a sentence about the error. */
export async function runCommand(
  { who, isConfirmed }: Extract<UserCommand, { kind: 'resetSecondFactor' }>,
  deps: CommandDeps,
): Promise<Result<string, string>> {
  const people = await findPeople(who, deps)
  const [person, ...others] = people
  if (person === undefined) return fail('User not found.')
  if (others.length > 0)
    return fail(`Several users have this email address. Use one of these ids:\n${people.map(line).join('\n')}`)
  if (!person.hasSecondFactor) return fail(`Two-factor authentication is off for ${line(person)}`)
  const question = `${line(person)}\nMake sure that this person asked for it, and not someone who knows the password. Reset two-factor authentication?`
  if (!isConfirmed && !(await deps.confirm(question))) return fail('Canceled. Nothing was changed.')
  // It may have been switched off while the operator was deciding.
  const isReset = await resetSecondFactor(person, deps)
  if (!isReset) return fail(`Two-factor authentication is off for ${line(person)}`)
  return ok('Two-factor authentication is off, all sign-ins have ended, and the user is notified by email.\n')
}

async function findPeople(who: UserReference, { db }: Pick<CommandDeps, 'db'>): Promise<readonly AuthUser[]> {
  if (who.kind === 'email') {
    const { people } = await findByEmail(db, foldEmail(who.email), { resellerId: undefined, audience: 'both' })
    return people
  }
  const person = await findByUserId(db, who.userId)
  return person === undefined ? [] : [person]
}

const line = ({ userId, name, email, accountName, resellerName, isStaff }: AuthUser): string =>
  `${userId}  ${name} <${email}>, ${isStaff ? 'staff of' : `account ${accountName},`} ${resellerName}`
