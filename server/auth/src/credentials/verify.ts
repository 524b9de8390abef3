import type { Db } from '@sightline/platform/db'
import type { Failures } from '../failures/index.ts'
import type { Passwords } from '../passwords/index.ts'
import { loadPasswordHash } from './store.ts'

export interface VerifyParts {
  readonly db: Db
  readonly failures: Failures
  readonly passwords: Passwords
}

export type Verdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterS: number }
  | { readonly kind: 'overloaded' }

/** Is this the user's password? Shares the counter with signing in (security.md §2.3). */
export async function verifyPassword(
  question: { readonly userId: number; readonly password: string; readonly address: string },
  { db, failures, passwords }: VerifyParts,
): Promise<Verdict> {
  const { userId, password, address } = question
  const reservation = await failures.reserve([{ kind: 'user', userId }], address)
  if (reservation.kind === 'locked') return reservation
  const right = await passwords.verify(await loadPasswordHash(db, userId), password)
  if (!right.ok) {
    await reservation.takeBack()
    return { kind: 'overloaded' }
  }
  if (!right.value) return { kind: 'wrong' }
  await reservation.succeeded()
  return { kind: 'right' }
}
