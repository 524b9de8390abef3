import type { Tx } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { renderEmail } from '@sightline/platform/mail'
import { insertLink, newActionLink } from '../../account-mails/action-links/index.ts'
import type { WriteAudit } from '../../people/audit/index.ts'
import {
  chooseMailLanguage,
  findMailBrand,
  getOpenLinkText,
  type SignInMailDeps,
} from '../../people/email-templates/index.ts'
import type { AuthUser } from '../../people/index.ts'
import { type GeoLocator, type Sender, type SessionOrigin, toOrigin } from '../../sessions/request-origin/index.ts'
import { newSignInEmail } from './email.ts'
import { meetDevice, type SignInMethod, type SignInOutcome, writeEntry } from './store.ts'

export interface HistoryDeps extends SignInMailDeps {
  readonly geoLocator: GeoLocator
  readonly log: Logger
}

export interface SignInTry {
  readonly outcome: SignInOutcome
  readonly method: SignInMethod
  readonly clientId: string | undefined
  readonly sender: Sender
}

export type HistoryUser = Pick<AuthUser, 'userId' | 'accountId'>

/** Maps RFC 8176 methods to the sign-in method. */
export function getSignInMethod(amr: readonly string[]): SignInMethod {
  if (['hwk', 'swk', 'pop', 'fpt', 'user', 'webauthn'].some((way) => amr.includes(way)) && !amr.includes('pwd')) {
    return 'passkey'
  }
  return amr.includes('mfa') ? 'passwordAndCode' : 'password'
}

/**
 * Records failed tries for each user with the address; never throws. Call it after the response, to avoid delaying it.
 */
export async function recordFailures(
  people: readonly HistoryUser[],
  failed: SignInTry & { readonly outcome: Exclude<SignInOutcome, 'signedIn'> },
  deps: Pick<HistoryDeps, 'db' | 'ids' | 'clock' | 'geoLocator' | 'log'>,
): Promise<void> {
  const { sender, ...line } = failed
  try {
    const at = deps.clock.now()
    const origin = toOrigin(sender, deps.geoLocator)
    for (const { userId, accountId } of people) {
      await deps.db.transaction((tx) => writeEntry(tx, deps.ids, { ...line, userId, accountId, origin, at }))
    }
  } catch (err) {
    deps.log.error({ err }, 'could not add a failed sign-in to the history')
  }
}

/**
 * Records a sign-in, and once per new device or country an email, in one transaction. A failure must not block the
 * sign-in, so it never throws.
 */
export async function recordSignIn(
  person: AuthUser,
  given: Omit<SignInTry, 'outcome'> & { readonly cookie: string | undefined; readonly host: string },
  deps: HistoryDeps,
): Promise<void> {
  const { method, clientId, sender, cookie, host } = given
  const { userId, accountId } = person
  try {
    const at = deps.clock.now()
    const origin = toOrigin(sender, deps.geoLocator)
    await deps.db.transaction(async (tx) => {
      await writeEntry(tx, deps.ids, { userId, accountId, outcome: 'signedIn', method, clientId, origin, at })
      if (await meetDevice(tx, userId, { cookie, origin }, at)) await notify(tx, { person, origin, host, at }, deps)
    })
  } catch (err) {
    deps.log.error({ err }, 'could not add a sign-in to the history')
  }
}

/**
 * Records a guest: no email, no device, no address; and no more audit entries than history entries, because anyone can
 * visit any number of times.
 */
export async function recordGuestSignIn(
  { userId, accountId }: HistoryUser,
  given: Pick<SignInTry, 'clientId' | 'sender'>,
  deps: Pick<HistoryDeps, 'db' | 'ids' | 'clock' | 'geoLocator'> & { readonly audit: WriteAudit },
): Promise<void> {
  const { clientId, sender } = given
  const origin = toOrigin(sender, deps.geoLocator)
  const line = {
    userId,
    accountId,
    outcome: 'signedIn',
    method: 'visit',
    clientId,
    origin,
    at: deps.clock.now(),
  } as const
  await deps.db.transaction(async (tx) => {
    if (!(await writeEntry(tx, deps.ids, line))) return
    await deps.audit({ accountId, userId, action: 'visit', clientId, address: sender.address ?? '' }, tx)
  })
}

/** Queues an email with a link to report the sign-in. */
async function notify(
  tx: Tx,
  of: { readonly person: AuthUser; readonly origin: SessionOrigin; readonly host: string; readonly at: number },
  deps: HistoryDeps,
): Promise<void> {
  const { person, origin, host, at } = of
  const { accountId, email, language, resellerId, isStaff } = person
  const brand = await findMailBrand({ host, resellerId }, deps)
  const page = { origin: brand.origin, language: chooseMailLanguage(language), now: at }
  const { link, address: lockdownAddress } = newActionLink('lockdown', person, page)
  await insertLink(tx, link)
  const template = newSignInEmail({
    language,
    company: brand.theme.companyName,
    origin,
    at,
    // Staff have no account portal.
    listAddress: isStaff ? undefined : `${brand.origin}/sessions`,
    lockdownAddress,
    orOpen: getOpenLinkText(language),
  })
  const mail = { accountId, mailId: await deps.ids.next(), kind: 'newSignIn', to: email, uselessAt: link.expiresAt }
  await deps.outbox.add(tx, { ...renderEmail(template, brand), ...mail })
}
