import type { Tx } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { Caller } from '@sightline/platform/sessions'
import { takePasskeys } from '../../factors/mfa/index.ts'
import { holdPasskeys } from '../../factors/passkeys/index.ts'
import type { WriteAudit } from '../../people/audit/index.ts'
import type { SignInMailDeps } from '../../people/email-templates/index.ts'
import { type AuthUser, findByUserId } from '../../people/index.ts'
import type { Sessions } from '../../sessions/index.ts'
import { type LiveLink, removeLink, removeLinks } from '../action-links/index.ts'
import { addPasswordLink, type PasswordLinkMail, passwordLinkMail } from '../password-links/index.ts'
import { TooManyMails } from '../sign-in-mails/index.ts'
import { beginLockdown, closeSupportAccess, endUserKeys, forgetPushDevices, removeNewFactors } from './store.ts'

export interface LockdownDeps extends SignInMailDeps {
  readonly sessions: Sessions
  readonly audit: WriteAudit
  readonly log: Logger
}

/** The reporter of the intruder: the signed-in user, or the holder of a link from an email. */
export type LockdownInitiator =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'link'; readonly link: LiveLink }

export interface Lockdown {
  readonly by: LockdownInitiator
  readonly endApiKeys: boolean
  /** All of them. A link from an email about a sign-in removes those added since then in any case. */
  readonly removePasskeys: boolean
  /** Of the brand that was asked. */
  readonly host: string
  readonly address: string
}

/**
 * Ends all access as this user and blocks sign-in until a new password is set with an email, which is queued in the
 * same transaction. `mailed`: it is queued. `notMailed`: the address may have been set by the intruder, or the email
 * limit is reached. Of several concurrent uses of a link one locks; the others find it expired.
 */
export async function startLockdown(given: Lockdown, deps: LockdownDeps): Promise<'mailed' | 'notMailed' | 'over'> {
  const { by } = given
  const { userId } = by.kind === 'caller' ? by.caller : by.link
  const person = await findByUserId(deps.db, userId)
  if (person === undefined) return 'over'
  const isSame = by.kind === 'caller' || by.link.emailFolded === person.emailFolded
  const mail = isSame ? await linkMailOf(person, given.host, deps) : undefined
  let isMailed = false
  const before = (tx: Tx) => lockIn(tx, { ...given, person }, deps)
  const after = async (tx: Tx) => {
    isMailed = mail !== undefined && (await isWritten(tx, { userId, mail }, deps))
  }
  if (!(await deps.sessions.endUserBetween({ before, after }, userId))) return 'over'
  return isMailed ? 'mailed' : 'notMailed'
}

async function lockIn(tx: Tx, given: Lockdown & { readonly person: AuthUser }, deps: LockdownDeps): Promise<boolean> {
  const { by, person, address } = given
  const { userId, accountId } = person
  // A passkey that is being added is either stored before this and removed with the others, or refused after it. Locked
  // before the link, as everywhere that takes both.
  await holdPasskeys(tx, userId)
  if (by.kind === 'link' && !(await removeLink(tx, by.link))) return false
  await forgetPushDevices(tx, userId)
  const emailFolded = by.kind === 'link' ? by.link.emailFolded : person.emailFolded
  await beginLockdown(tx, { userId, accountId, emailFolded, now: deps.clock.now() })
  await removeLinks(tx, userId, ['lockdown'])
  if (by.kind === 'link') await removeNewFactors(tx, userId, by.link.createdAt)
  const hadPasskeys = given.removePasskeys && (await takePasskeys(tx, userId))
  if (given.endApiKeys) await endUserKeys(tx, userId)
  await closeSupportAccess(tx, userId)
  const who = by.kind === 'caller' ? by.caller : { userId, accountId, clientId: undefined }
  await deps.audit({ ...who, action: 'lockedDown', address }, tx)
  if (given.endApiKeys) await deps.audit({ ...who, action: 'apiKeysEnded', address }, tx)
  if (hadPasskeys) await deps.audit({ ...who, action: 'passkeyRemoved', address }, tx)
  return true
}

/** The email with the way back. An error while it is built doesn't weaken the lock. */
async function linkMailOf(person: AuthUser, host: string, deps: LockdownDeps): Promise<PasswordLinkMail | undefined> {
  const { userId, accountId, resellerId, email, language } = person
  try {
    return await passwordLinkMail({ userId, accountId, resellerId, email, language, host, kind: 'reset' }, deps)
  } catch (error) {
    deps.log.error({ err: error }, 'could not create the email with a password link')
    return undefined
  }
}

/** False if the email limit is reached; the user can request an email on the sign-in page later. */
async function isWritten(
  tx: Tx,
  { userId, mail }: { readonly userId: number; readonly mail: PasswordLinkMail },
  deps: LockdownDeps,
): Promise<boolean> {
  try {
    await addPasswordLink(tx, mail, deps)
    return true
  } catch (error) {
    if (!(error instanceof TooManyMails)) throw error
    await removeLinks(tx, userId, ['reset'])
    return false
  }
}
