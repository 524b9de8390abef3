import type { EpochMs } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { type AuthUser, findByUserId } from '../people/index.ts'
import type { Interaction } from './interaction.ts'

/**
 * The users matched by the password, stored in the interaction while the user picks an account or enters the second
 * factor. Ending all sign-ins of one of `fits` also ends the interaction.
 */
export interface VerifiedPassword {
  readonly fits: readonly Pick<AuthUser, 'userId' | 'generation'>[]
  /** They are all who have the address. */
  readonly isOnlyOne: boolean
  readonly checkedAt: EpochMs
  /** The picked user, who must enter a code. */
  readonly codeOf?: number
}

/** Has the lifetime of the interaction. */
export async function keepChecked(interaction: Interaction, password: VerifiedPassword): Promise<void> {
  interaction.result = { ...password }
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000))
}

/** Undefined if no right password was entered yet, or the sign-in is complete. */
export function passwordChecked({ result }: Interaction): VerifiedPassword | undefined {
  return result !== undefined && 'fits' in result ? (result as unknown as VerifiedPassword) : undefined
}

/** That user, if the password matched and they may sign in now; undefined if the sign-in ended meanwhile. */
export async function recheckUser(db: Db, password: VerifiedPassword, userId: number): Promise<AuthUser | undefined> {
  const person = await findFittingUser(db, password, userId)
  return person?.maySignIn ? person : undefined
}

/** That user, if the password was right and only a suspension of the account ended the sign-in. */
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
