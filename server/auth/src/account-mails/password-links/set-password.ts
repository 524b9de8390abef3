import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { savePasswordHash } from '../../factors/credentials/index.ts'
import type { Passwords } from '../../factors/passwords/index.ts'
import type { WriteAudit } from '../../people/audit/index.ts'
import type { Sessions } from '../../sessions/index.ts'
import { findLink, type LiveLink, removeLink } from '../action-links/index.ts'
import { endLockdown } from './store.ts'

export type PasswordLinkKind = 'invitation' | 'reset'

const KINDS: readonly PasswordLinkKind[] = ['invitation', 'reset']

export interface SetPasswordDeps {
  readonly clock: Clock
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly audit: WriteAudit
}

export interface ResetByLinkDeps extends SetPasswordDeps {
  readonly db: Db
}

interface PasswordChosen {
  /** Checked against the rules. */
  readonly password: string
  readonly address: string
}

/** As {@link setPasswordByLink}, for a program that has a token and no page; checked against the rules. */
export async function resetByToken(
  given: PasswordChosen & { readonly tokenSha256: Buffer },
  deps: ResetByLinkDeps,
): Promise<'set' | 'over' | 'busy'> {
  const link = await findLink(deps.db.plain, { ...given, kinds: KINDS }, deps.clock.now())
  return link === undefined ? 'over' : setPasswordByLink({ ...given, link }, deps)
}

/**
 * Uses the link up, sets the password and ends all the user's sign-ins in one transaction. Of several concurrent
 * callers one succeeds; the others find the link expired.
 */
export async function setPasswordByLink(
  { link, password, address }: PasswordChosen & { readonly link: LiveLink },
  { clock, passwords, sessions, audit }: SetPasswordDeps,
): Promise<'set' | 'over' | 'busy'> {
  const hashed = await passwords.hash(password)
  if (!hashed.ok) return 'busy'
  const { userId, accountId, kind, tokenSha256 } = link
  const isSet = await sessions.endUserWith(async (tx) => {
    // Checked again, because the link may have ended since; the row lock orders this against the transaction that ends
    // it.
    const isLive = (await findLink(tx, { tokenSha256, kinds: KINDS }, clock.now())) !== undefined
    if (!isLive || !(await removeLink(tx, link))) return false
    await savePasswordHash(tx, clock, { userId, accountId, passwordHash: hashed.value })
    await endLockdown(tx, userId)
    return true
  }, userId)
  if (!isSet) return 'over'
  const action = kind === 'invitation' ? 'invitationAccepted' : 'passwordReset'
  await audit({ accountId, userId, action, clientId: undefined, address })
  return 'set'
}
