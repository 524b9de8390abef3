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
 * The data this plane stores about a user, under the names used in the download. A slice that stores more adds its
 * source here and its deletion to {@link forgetUser}; secrets are never included.
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

/** Deletes a removed user's data except tokens and sign-ins, which the caller ends. */
export async function forgetUser(tx: Tx, userId: number): Promise<void> {
  // Lock order as in other transactions: a lockdown takes the factors and the change, an answer the change and its
  // link, setting a password the link and the password.
  await removeFactors(tx, userId)
  await forgetEmailChange(tx, userId)
  await removeLinks(tx, userId)
  await removeCredentials(tx, userId)
  await forgetRest(tx, userId)
}
