import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import type { WriteAudit } from '../audit/index.ts'
import { savePasswordHash } from '../credentials/index.ts'
import type { Passwords } from '../passwords/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { endLockdown, findLink, type LiveLink, removeLink } from './store.ts'

export interface SetPasswordParts {
  readonly clock: Clock
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly audit: WriteAudit
}

export interface ResetByLinkParts extends SetPasswordParts {
  readonly db: Db
}

/** As {@link setPasswordByLink}, for a program that has a token and no page; checked against the rules. */
export async function resetByToken(
  given: Omit<PasswordGiven, 'link'>,
  parts: ResetByLinkParts,
): Promise<'set' | 'over' | 'busy'> {
  const link = await findLink(parts.db.plain, given.tokenSha256, parts.clock.now())
  return link === undefined ? 'over' : setPasswordByLink({ ...given, link }, parts)
}

export interface PasswordGiven {
  readonly link: LiveLink
  readonly tokenSha256: Buffer
  /** Checked against the rules. */
  readonly password: string
  readonly address: string
}

/**
 * Uses the link up, sets the password and ends every sign-in of the user: all of it or nothing. Of many at once one does;
 * the others find the link over.
 */
export async function setPasswordByLink(
  { link, tokenSha256, password, address }: PasswordGiven,
  { clock, passwords, sessions, audit }: SetPasswordParts,
): Promise<'set' | 'over' | 'busy'> {
  const hashed = await passwords.hash(password)
  if (!hashed.ok) return 'busy'
  const { userId, accountId, kind } = link
  const isSet = await sessions.endUserWith(async (tx) => {
    // Asked again, because it may have ended since; whoever ends it waits for us or we for them at its row.
    const isLive = (await findLink(tx, tokenSha256, clock.now())) !== undefined
    if (!isLive || !(await removeLink(tx, tokenSha256))) return false
    await savePasswordHash(tx, clock, { userId, accountId, passwordHash: hashed.value })
    await endLockdown(tx, userId)
    return true
  }, userId)
  if (!isSet) return 'over'
  const action = kind === 'invitation' ? 'invitationAccepted' : 'passwordReset'
  await audit({ accountId, userId, action, clientId: undefined, address })
  return 'set'
}
