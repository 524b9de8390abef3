import type { EmailTemplate } from '@sightline/platform/mail'
import { chooseMailLanguage, fill, harmlessName } from '../../people/email-templates/index.ts'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

interface About {
  readonly language: string
  readonly company: string
}

const textsFor = (given: About): { readonly texts: typeof en; readonly language: string } => {
  const language = chooseMailLanguage(given.language)
  return { texts: languages.get(language) ?? en, language }
}

/**
 * Asks the current address. The new one is shown only on the page, because email programs turn addresses into links,
 * and this one is a stranger's.
 */
export function confirmationEmail(
  given: About & { readonly askedBy: string; readonly address: string; readonly orOpen: string },
): EmailTemplate {
  const { texts, language } = textsFor(given)
  const { subject, intro, validity, button, ignore } = texts.asked
  const said = (text: string): string => fill(text, { company: given.company, asker: harmlessName(given.askedBy) })
  return {
    subject: said(subject),
    heading: said(subject),
    paragraphs: [said(intro), said(validity)],
    button: { label: button, address: given.address, orOpen: given.orOpen },
    footnotes: [ignore],
    language,
  }
}

/** Notifies the account owner that a user was asked. */
export function ownerEmail(given: About & { readonly askedBy: string; readonly person: string }): EmailTemplate {
  const { texts, language } = textsFor(given)
  const values = { company: given.company, asker: harmlessName(given.askedBy), person: harmlessName(given.person) }
  const { subject, intro, unexpected } = texts.owner
  const heading = fill(subject, values)
  const paragraphs = [fill(intro, values), fill(unexpected, values)]
  return { subject: heading, heading, paragraphs, footnotes: [], language }
}

/** Notifies the new address that it now belongs to the user. */
export function confirmedEmail(given: About): EmailTemplate {
  const { texts, language } = textsFor(given)
  const { subject, intro, unexpected } = texts.confirmed
  const heading = fill(subject, { company: given.company })
  return { subject: heading, heading, paragraphs: [intro], footnotes: [unexpected], language }
}
