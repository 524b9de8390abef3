import type { Db, Tx } from '@sightline/platform/db'
import { removeLinks } from '../account-mails/action-links/index.ts'
import { removeCredentials, removeFactors } from '../factors/credentials/index.ts'
import {
  forgetEmailChange,
  forgetRest,
  loadApiKeys,
  loadConsents,
  loadEmailChanges,
  loadKnownDevices,
  loadLinks,
  loadLockdown,
  loadMails,
  loadPasskeys,
  loadPassword,
  loadSecondFactor,
  loadSessions,
  loadSignInHistory,
  loadUserSessions,
} from './store.ts'

type Source = (db: Db, userId: number) => Promise<unknown>

/**
 * What this plane holds about a person, by the name it has in what they download. A slice that keeps something more adds its
 * source here, and to {@link forgetUser} what it forgets; values that open anything are never among it.
 */
const sources: Readonly<Record<string, Source>> = {
  password: loadPassword,
  secondFactor: loadSecondFactor,
  passkeys: loadPasskeys,
  sessions: loadSessions,
  signedIn: loadUserSessions,
  signInHistory: loadSignInHistory,
  knownDevices: loadKnownDevices,
  lockdown: loadLockdown,
  applicationsLetIn: loadConsents,
  apiKeys: loadApiKeys,
  passwordLinks: loadLinks,
  emailChanges: loadEmailChanges,
  mails: loadMails,
}

export async function loadPersonalData(
  userId: number,
  { db }: { readonly db: Db },
): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(sources)) found[name] = await read(db, userId)
  return found
}

/** Everything of a person who is gone but tokens and sign-ins, which their caller ends with it. */
export async function forgetUser(tx: Tx, userId: number): Promise<void> {
  // In the order in which others take these rows: a lockdown the factors and the change, an answer the change and its link, and
  // who sets a password by a link the link and the password.
  await removeFactors(tx, userId)
  await forgetEmailChange(tx, userId)
  await removeLinks(tx, userId)
  await removeCredentials(tx, userId)
  await forgetRest(tx, userId)
}
