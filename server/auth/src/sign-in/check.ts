import { foldEmail } from '@sightline/contract/user-details'
import { createSemaphore, type Semaphore } from '@sightline/platform/limits'
import type { Failures, Subject } from '../failures/index.ts'
import type { Passwords } from '../passwords/index.ts'
import type { Found, Lookup, Person } from '../people/index.ts'

export type Checked =
  /**
   * Everybody whom address and password fit and who may sign in; at least one. Who has a second factor is not in by that.
   * `isOnlyOne`: they fit everybody who has the address.
   */
  | { readonly kind: 'fits'; readonly people: readonly Person[]; readonly isOnlyOne: boolean }
  /** `known` are the people whose address it is; to be written down only after the answer, which it would delay. */
  | { readonly kind: 'incorrect'; readonly known: readonly Person[] }
  | { readonly kind: 'locked'; readonly retryAfterS: number; readonly known: readonly Person[] }
  | { readonly kind: 'busy' }

export interface Attempt {
  readonly email: string
  readonly password: string
  readonly among: Lookup
  readonly address: string
  /** The server of a client, which has proved that it is one, that sends the password for somebody. */
  readonly throughClient?: string
}

/** Passwords of sign-ins that are checked at once: one is hashed while the rows of others are read and counted. */
const ATTEMPTS = { concurrency: 3, queue: 60 }
export const signInAttempts = (): Semaphore<'attempt'> => createSemaphore<'attempt'>({ overall: ATTEMPTS })

export interface CheckParts {
  readonly attempts: Semaphore<'attempt'>
  readonly failures: Failures
  readonly passwords: Passwords
  readonly findByEmail: (emailFolded: string, among: Lookup) => Promise<Found>
}

/**
 * Does the password fit? Takes as long and answers the same for an unknown address, a wrong password, a blocked person
 * and a suspended account. Refused at once where many wait already, so that a flood leaves other calls their time.
 */
export async function checkAttempt(attempt: Attempt, parts: CheckParts): Promise<Checked> {
  const checked = await parts.attempts.run('attempt', () => checkNow(attempt, parts))
  return checked.ok ? checked.value : { kind: 'busy' }
}

async function checkNow(attempt: Attempt, parts: CheckParts): Promise<Checked> {
  const emailFolded = foldEmail(attempt.email)
  const found = await parts.findByEmail(emailFolded, attempt.among)
  const { people } = found
  const email: Subject = { kind: 'email', emailFolded }
  const subjects = [email, ...people.map(toSubject), ...nobodies(emailFolded, found)]
  const reservation = await parts.failures.reserve(subjects, attempt.address, attempt.throughClient)
  if (reservation.kind === 'locked') return { ...reservation, known: people }
  const fits = await whomFits(attempt.password, found, parts.passwords)
  if (fits === 'busy') {
    await reservation.takeBack()
    return { kind: 'busy' }
  }
  if (fits.length > 0) {
    const halfway = fits.filter((person) => person.hasSecondFactor)
    const through = fits.filter((person) => !person.hasSecondFactor)
    // Who has an account under somebody else's address would clear that one's count by signing in to the own.
    const isOnlyOne = fits.length === people.length
    const emailOf = (isTheirs: boolean): readonly Subject[] => (isOnlyOne && isTheirs ? [email] : [])
    await reservation.succeeded(
      [...emailOf(halfway.length === 0), ...through.map(toSubject)],
      [...emailOf(halfway.length > 0), ...halfway.map(toSubject)],
    )
    return { kind: 'fits', people: fits, isOnlyOne }
  }
  return { kind: 'incorrect', known: people }
}

/** Each place to count in takes a moment, so there are as many of them whoever has the address. */
const nobodies = (emailFolded: string, { people, comparisons }: Found): readonly Subject[] =>
  Array.from({ length: Math.max(0, comparisons - people.length) }, (_, number) => ({
    kind: 'nobody',
    emailFolded,
    number,
  }))

const toSubject = ({ userId }: Person): Subject => ({ kind: 'user', userId })

async function whomFits(
  password: string,
  { people, comparisons }: Found,
  passwords: Passwords,
): Promise<readonly Person[] | 'busy'> {
  const fitting: Person[] = []
  for (let i = 0; i < comparisons; i += 1) {
    const person = people[i]
    const right = await passwords.verify(person?.passwordHash, password)
    if (!right.ok) return 'busy'
    if (right.value && person?.maySignIn) fitting.push(person)
  }
  return fitting
}
