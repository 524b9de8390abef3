import type { Db } from '@sightline/platform/db'
import type { Failures, Subject } from '../failures/index.ts'
import type { Passwords } from '../passwords/index.ts'
import { loadCredentials } from './store.ts'

export interface VerifyDeps {
  readonly db: Db
  readonly failures: Failures
  readonly passwords: Passwords
}

export type PasswordVerdict =
  /** `passwordHash` is the hash that was compared; it may have been replaced meanwhile. */
  | { readonly kind: 'right'; readonly passwordHash: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterS: number }
  | { readonly kind: 'overloaded' }

/** Is this the user's password? Shares the counter with signing in (security.md §2.3). */
export async function verifyPassword(
  question: { readonly userId: number; readonly password: string; readonly address: string },
  { db, failures, passwords }: VerifyDeps,
): Promise<PasswordVerdict> {
  const { userId, password, address } = question
  const known = await loadCredentials(db, userId)
  const email: readonly Subject[] = known === undefined ? [] : [{ kind: 'email', emailFolded: known.emailFolded }]
  const subjects: readonly Subject[] = [...email, { kind: 'user', userId }]
  const reservation = await failures.reserve(subjects, address)
  if (reservation.kind === 'locked') return reservation
  const passwordHash = known?.passwordHash
  const right = await passwords.verify(passwordHash, password)
  if (!right.ok) {
    await reservation.takeBack()
    return { kind: 'overloaded' }
  }
  if (!right.value || passwordHash === undefined) return { kind: 'wrong' }
  await reservation.succeeded(subjects)
  return { kind: 'right', passwordHash }
}
