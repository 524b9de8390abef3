import { foldEmail } from '@sightline/contract/user-details'
import { createSemaphore, type Semaphore } from '@sightline/platform/limits'
import type { Failures, Subject } from '../factors/failures/index.ts'
import type { Passwords } from '../factors/passwords/index.ts'
import { type AuthUser, isInAudience, type Lookup, type UserMatches } from '../people/index.ts'

export type PasswordCheck =
  /**
   * All users who match address and password and may sign in; at least one. A user with a second factor isn't signed in
   * yet. `isOnlyOne`: they are all the users with the address.
   */
  | { readonly kind: 'fits'; readonly people: readonly AuthUser[]; readonly isOnlyOne: boolean }
  /** `known` are the users with the address; recorded only after the response, to avoid delaying it. */
  | { readonly kind: 'incorrect'; readonly known: readonly AuthUser[] }
  /** The password is right, and the user would be signed in if the account weren't suspended. */
  | { readonly kind: 'suspended'; readonly person: AuthUser }
  /** The password is right, but of staff, who have another application. */
  | { readonly kind: 'staff'; readonly person: AuthUser }
  | { readonly kind: 'locked'; readonly retryAfterS: number; readonly known: readonly AuthUser[] }
  | { readonly kind: 'busy' }

export interface Attempt {
  readonly email: string
  readonly password: string
  readonly among: Lookup
  /** Staff are recognized even if `among` has only members, so that they learn which application to use. */
  readonly recognizesStaff?: boolean
  readonly address: string
  /** An authenticated client's server that sends the password for a user. */
  readonly throughClient?: string
}

/** Concurrent password checks of sign-ins: one is hashed while the rows of others are read and counted. */
const ATTEMPTS = { concurrency: 3, queue: 60 }
export const signInAttempts = (): Semaphore<'attempt'> => createSemaphore<'attempt'>({ overall: ATTEMPTS })

export interface CheckDeps {
  readonly attempts: Semaphore<'attempt'>
  readonly failures: Failures
  readonly passwords: Passwords
  readonly findByEmail: (emailFolded: string, among: Lookup) => Promise<UserMatches>
}

/**
 * Checks the password. An unknown address, a wrong password and a blocked user take the same time and get the same
 * response. Rejects at once if many are waiting, so that a flood leaves time for other calls.
 */
export async function checkAttempt(attempt: Attempt, deps: CheckDeps): Promise<PasswordCheck> {
  const checked = await deps.attempts.run('attempt', () => checkNow(attempt, deps))
  return checked.ok ? checked.value : { kind: 'busy' }
}

async function checkNow(attempt: Attempt, deps: CheckDeps): Promise<PasswordCheck> {
  const emailFolded = foldEmail(attempt.email)
  const { among, recognizesStaff = false } = attempt
  const found = await deps.findByEmail(emailFolded, recognizesStaff ? { ...among, audience: 'both' } : among)
  const { people } = found
  const email: Subject = { kind: 'email', emailFolded }
  const subjects = [email, ...people.map(toSubject), ...nobodies(emailFolded, found)]
  const reservation = await deps.failures.reserve(subjects, attempt.address, attempt.throughClient)
  if (reservation.kind === 'locked') return { ...reservation, known: people }
  const right = await whomFits(attempt.password, found, deps.passwords)
  if (right === 'busy') {
    await reservation.takeBack()
    return { kind: 'busy' }
  }
  const meant = people.filter((person) => isInAudience(among.audience, person))
  const checked = verdict(right, { people, meant })
  if (checked.kind === 'incorrect') return checked
  const { cleared, halfway } = successOf(checked, { right, people, meant })
  const emailIf = (isTheirs: boolean): readonly Subject[] => (isTheirs ? [email] : [])
  await reservation.succeeded(
    [...emailIf(cleared.email), ...cleared.people.map(toSubject)],
    [...emailIf(halfway.email), ...halfway.people.map(toSubject)],
  )
  return checked
}

interface Meant {
  /** All users with the address. */
  readonly people: readonly AuthUser[]
  /** Those whom the application is for. */
  readonly meant: readonly AuthUser[]
}

type Right = Extract<PasswordCheck, { readonly kind: 'fits' | 'suspended' | 'staff' }>

/** Users who may sign in take precedence over those who only learn why they can't. */
function verdict(
  right: readonly AuthUser[],
  { people, meant }: Meant,
): Right | Extract<PasswordCheck, { readonly kind: 'incorrect' }> {
  const fits = right.filter((person) => person.maySignIn && meant.includes(person))
  if (fits.length > 0) return { kind: 'fits', people: fits, isOnlyOne: right.length === people.length }
  const suspended = right.find((person) => person.isSuspended && meant.includes(person))
  if (suspended !== undefined) return { kind: 'suspended', person: suspended }
  const staff = right.find((person) => person.maySignIn)
  return staff === undefined ? { kind: 'incorrect', known: people } : { kind: 'staff', person: staff }
}

interface Counted {
  readonly email: boolean
  readonly people: readonly AuthUser[]
}

/** The subjects whose earlier failures are cleared, and those for whom the try was no failure but clears nothing. */
function successOf(
  checked: Right,
  { right, people, meant }: Meant & { readonly right: readonly AuthUser[] },
): { readonly cleared: Counted; readonly halfway: Counted } {
  const fits = checked.kind === 'fits' ? checked.people : []
  const through = fits.filter((person) => !person.hasSecondFactor)
  // If a member matches, staff aren't mentioned, so it wasn't a try with their password.
  const isNoTry = (person: AuthUser): boolean => fits.length > 0 && !meant.includes(person)
  const isHalfway = (person: AuthUser): boolean =>
    !through.includes(person) && (right.includes(person) || isNoTry(person))
  // Otherwise a user with an account under a victim's address could clear the victim's count by signing in to their
  // own.
  const isOnlyOne = right.length === people.length
  const isCleared = isOnlyOne && through.length > 0 && right.every((person) => !person.hasSecondFactor)
  const isNoFailure = isOnlyOne || (fits.length > 0 && fits.length === meant.length)
  return {
    cleared: { email: isCleared, people: through },
    halfway: { email: isNoFailure && !isCleared, people: people.filter(isHalfway) },
  }
}

/** Each counter takes time, so their number doesn't depend on the address. */
const nobodies = (emailFolded: string, { people, comparisons }: UserMatches): readonly Subject[] =>
  Array.from({ length: Math.max(0, comparisons - people.length) }, (_, number) => ({
    kind: 'nobody',
    emailFolded,
    number,
  }))

const toSubject = ({ userId }: AuthUser): Subject => ({ kind: 'user', userId })

async function whomFits(
  password: string,
  { people, comparisons }: UserMatches,
  passwords: Passwords,
): Promise<readonly AuthUser[] | 'busy'> {
  const fitting: AuthUser[] = []
  for (let i = 0; i < comparisons; i += 1) {
    const person = people[i]
    const right = await passwords.verify(person?.passwordHash, password)
    if (!right.ok) return 'busy'
    if (right.value && person !== undefined && (person.maySignIn || person.isSuspended)) fitting.push(person)
  }
  return fitting
}
