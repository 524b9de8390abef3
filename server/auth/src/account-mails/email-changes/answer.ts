import { renderEmail } from '@sightline/platform/mail'
import { findMailBrand, type SignInMailDeps } from '../../people/email-templates/index.ts'
import { type LiveLink, listEndedKinds, removeLink, removeLinks } from '../action-links/index.ts'
import { emailChangedEmail } from '../sign-in-mails/index.ts'
import { confirmedEmail } from './email.ts'
import { appendAnswer, holdChange, isTaken, type LiveChange, moveEmail, removeChange } from './store.ts'

export interface EmailChangeAnswer {
  readonly change: LiveChange
  readonly link: LiveLink
  /** Of the brand that was asked. */
  readonly host: string
  readonly address: string
}

/**
 * Changes the address, ends password links, notifies both addresses and writes the audit entry, all in one transaction.
 * Of several concurrent callers one succeeds; the others find the link expired.
 */
export async function confirmChange(
  given: EmailChangeAnswer,
  deps: SignInMailDeps,
): Promise<'confirmed' | 'taken' | 'over'> {
  const { change, link, address } = given
  const { db, ids, clock, outbox } = deps
  const [toOld, toNew] = await mailsOf(given, deps)
  try {
    return await db.transaction(async (tx) => {
      if (!(await moveEmail(tx, link.tokenSha256, clock.now()))) return 'over'
      await removeLinks(tx, change.userId, listEndedKinds('newAddress'))
      await outbox.add(tx, toOld)
      await outbox.add(tx, toNew)
      await appendAnswer(tx, ids, { change, action: 'emailChangeConfirmed', address })
      return 'confirmed'
    })
  } catch (error) {
    if (isTaken(error)) return 'taken'
    throw error
  }
}

async function mailsOf({ change, host }: EmailChangeAnswer, deps: SignInMailDeps) {
  const { accountId, language, askedBy, email, newEmail } = change
  const brand = await findMailBrand({ host, resellerId: change.resellerId }, deps)
  const company = brand.theme.companyName
  const toOld = renderEmail(emailChangedEmail({ language, company, changedBy: askedBy }), brand)
  const toNew = renderEmail(confirmedEmail({ language, company }), brand)
  return [
    { ...toOld, accountId, mailId: await deps.ids.next(), to: email, kind: 'newEmail' },
    { ...toNew, accountId, mailId: await deps.ids.next(), to: newEmail, kind: 'emailConfirmed' },
  ] as const
}

export async function rejectChange(
  { change, link, address }: EmailChangeAnswer,
  { db, ids }: Pick<SignInMailDeps, 'db' | 'ids'>,
): Promise<'refused' | 'over'> {
  return db.transaction(async (tx) => {
    // Locks in the order of other transactions, so that a newer request can't deadlock with this one.
    if ((await holdChange(tx, link)) === undefined || !(await removeLink(tx, link))) return 'over'
    await removeChange(tx, link)
    await appendAnswer(tx, ids, { change, action: 'emailChangeRefused', address })
    return 'refused'
  })
}
