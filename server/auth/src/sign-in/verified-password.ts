import type { EpochMs } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { type AuthUser, findByUserId } from '../people/index.ts'
import type { Interaction } from './interaction.ts'

/**
 * Whom the password fitted, kept in the interaction while the person is asked which account is meant or for the second
 * factor. Whatever ends every sign-in of one of `fits` takes the interaction away.
 */
export interface VerifiedPassword {
  readonly fits: readonly Pick<AuthUser, 'userId' | 'generation'>[]
  /** They are all who have the address. */
  readonly isOnlyOne: boolean
  readonly checkedAt: EpochMs
  /** Who it is, and is to give a code. */
  readonly codeOf?: number
}

/** Lasts as long as the interaction would have anyway. */
export async function keepChecked(interaction: Interaction, password: VerifiedPassword): Promise<void> {
  interaction.result = { ...password }
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000))
}

/** Undefined where no password was right yet, or the sign-in is done. */
export function passwordChecked({ result }: Interaction): VerifiedPassword | undefined {
  return result !== undefined && 'fits' in result ? (result as unknown as VerifiedPassword) : undefined
}

/** That person, where the password fitted and who may sign in at this moment; undefined where anything ended the sign-in meanwhile. */
export async function recheckUser(db: Db, password: VerifiedPassword, userId: number): Promise<AuthUser | undefined> {
  const person = await findFittingUser(db, password, userId)
  return person?.maySignIn ? person : undefined
}

/** That person, where the password fitted and a suspension of the account is all that ended the sign-in meanwhile. */
export async function findSuspendedUser(
  db: Db,
  password: VerifiedPassword,
  userId: number,
): Promise<AuthUser | undefined> {
  const person = await findFittingUser(db, password, userId)
  return person?.isSuspended ? person : undefined
}

async function findFittingUser(db: Db, password: VerifiedPassword, userId: number): Promise<AuthUser | undefined> {
  const fitting = password.fits.find((one) => one.userId === userId)
  const person = fitting === undefined ? undefined : await findByUserId(db, userId)
  return person?.generation === fitting?.generation ? person : undefined
}
