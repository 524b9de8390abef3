import type { EmailTemplate } from '@sightline/platform/mail'
import { chooseMailLanguage, fill, getOpenLinkText } from '../../people/email-templates/index.ts'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** The email that announces a report; `from` and `till` are days, `yyyy-mm-dd`. */
export function reportEmail(given: {
  readonly type: string
  readonly from: string
  readonly till: string
  readonly language: string
  readonly company: string
  readonly address: string
}): EmailTemplate {
  const { type, from, till, company, address } = given
  const language = chooseMailLanguage(given.language)
  const texts = languages.get(language) ?? en
  const titles: Readonly<Record<string, string>> = texts.titles
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const day = (text: string) => format.format(new Date(`${text}T00:00:00Z`))
  const days = from === till ? day(from) : `${day(from)} – ${day(till)}`
  const said = (text: string): string => fill(text, { company, days, title: titles[type] ?? type })
  const subject = said(texts.subject)
  return {
    subject,
    heading: subject,
    paragraphs: [said(texts.intro)],
    button: { label: texts.button, address, orOpen: getOpenLinkText(language) },
    footnotes: [texts.why],
    language,
  }
}
