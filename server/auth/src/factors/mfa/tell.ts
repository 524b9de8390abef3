import type { Tx } from '@sightline/platform/db'
import { writeLetter } from '@sightline/platform/mail'
import type { Person } from '../../people/index.ts'
import { brandFor, type SignInMailParts } from '../../people/letters/index.ts'
import { type SecondFactorNews, secondFactorLetter } from './letter.ts'

/** Writes down a mail to the person about the second factor, with the change that it tells. */
export async function tellPerson(
  tx: Tx,
  of: {
    readonly person: Pick<Person, 'accountId' | 'resellerId' | 'email' | 'language'>
    readonly host: string
    readonly news: SecondFactorNews
  },
  parts: Pick<SignInMailParts, 'db' | 'ids' | 'brands' | 'outbox'>,
): Promise<void> {
  const { person, host, news } = of
  const brand = await brandFor({ host, resellerId: person.resellerId }, parts)
  const letter = secondFactorLetter({ ...news, language: person.language, company: brand.theme.companyName })
  const mail = { accountId: person.accountId, mailId: await parts.ids.next(), kind: news.kind, to: person.email }
  await parts.outbox.add(tx, { ...writeLetter(letter, brand), ...mail })
}
