import type { Tx } from '@sightline/platform/db'
import { renderEmail } from '@sightline/platform/mail'
import { findMailBrand, type SignInMailDeps } from '../../people/email-templates/index.ts'
import type { AuthUser } from '../../people/index.ts'
import { type SecondFactorNews, secondFactorEmail } from './email.ts'

/** Queues an email to the user about the second factor, in the transaction of the change. */
export async function notifyUser(
  tx: Tx,
  of: {
    readonly person: Pick<AuthUser, 'accountId' | 'resellerId' | 'email' | 'language'>
    readonly host: string
    readonly news: SecondFactorNews
  },
  deps: Pick<SignInMailDeps, 'db' | 'ids' | 'brands' | 'outbox'>,
): Promise<void> {
  const { person, host, news } = of
  const brand = await findMailBrand({ host, resellerId: person.resellerId }, deps)
  const template = secondFactorEmail({ ...news, language: person.language, company: brand.theme.companyName })
  const mail = { accountId: person.accountId, mailId: await deps.ids.next(), kind: news.kind, to: person.email }
  await deps.outbox.add(tx, { ...renderEmail(template, brand), ...mail })
}
