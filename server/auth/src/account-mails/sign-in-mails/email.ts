import type { EmailTemplate } from '@sightline/platform/mail'
import { chooseMailLanguage, fill, getOpenLinkText, harmlessName } from '../../people/email-templates/index.ts'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** The email with a link to set a password. `invitedBy` is for invitations. */
export function linkEmail(given: {
  readonly kind: 'invitation' | 'reset'
  readonly language: string
  readonly company: string
  readonly address: string
  readonly invitedBy?: string | undefined
  /** The account's name, if the recipient has several. */
  readonly account?: string | undefined
}): EmailTemplate {
  const { kind, address, company, invitedBy = '', account } = given
  const language = chooseMailLanguage(given.language)
  const { ignore, whichAccount, ...kinds } = languages.get(language) ?? en
  const t = kinds[kind]
  const names = { company, inviter: harmlessName(invitedBy), account: harmlessName(account ?? '') }
  const said = (text: string): string => fill(text, names)
  return {
    subject: said(t.subject),
    heading: said(t.heading),
    paragraphs: [said(t.intro), ...(account === undefined ? [] : [said(whichAccount)]), said(t.validity)],
    button: { label: said(t.button), address, orOpen: getOpenLinkText(language) },
    footnotes: [said(ignore[kind])],
    language,
  }
}

/** Notifies a user's former address of the change. Names no address: this one may belong to someone else by now. */
export function emailChangedEmail(given: {
  readonly language: string
  readonly company: string
  readonly changedBy: string
}): EmailTemplate {
  const language = chooseMailLanguage(given.language)
  const { newEmail } = languages.get(language) ?? en
  const said = (text: string): string => fill(text, { company: given.company, changer: harmlessName(given.changedBy) })
  const subject = said(newEmail.subject)
  const paragraphs = [said(newEmail.intro), said(newEmail.unexpected)]
  return { subject, heading: subject, paragraphs, footnotes: [], language }
}
