import type { EmailTemplate } from '@sightline/platform/mail'
import { chooseMailLanguage, fill } from '../../people/email-templates/index.ts'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** The change to a user's second factor; `left` recovery codes still work. */
export type SecondFactorNews =
  | { readonly kind: 'mfaEnabled' | 'mfaDisabled' | 'mfaReset' | 'recoveryCodesRenewed' }
  | { readonly kind: 'passkeyAdded' | 'passkeyRemoved' | 'passkeysAskedFor' | 'passkeysNotAskedFor' }
  | { readonly kind: 'recoveryCodeUsed'; readonly left: number }

/** Notifies users of changes to their second factor, in case someone else made them. */
export function secondFactorEmail(
  given: SecondFactorNews & { readonly language: string; readonly company: string },
): EmailTemplate {
  const language = chooseMailLanguage(given.language)
  const texts = languages.get(language) ?? en
  const left = given.kind === 'recoveryCodeUsed' ? String(given.left) : ''
  const said = (text: string): string => fill(text, { company: given.company, left })
  const { subject, intro } = texts[given.kind]
  return {
    subject: said(subject),
    heading: said(subject),
    paragraphs: [said(intro), said(texts.unexpected)],
    footnotes: [],
    language,
  }
}
