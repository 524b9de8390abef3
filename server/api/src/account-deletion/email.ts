import type { EmailTemplate } from '@sightline/platform/mail'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** Emails about a deletion: requested, one day away, canceled, done. */
export type DeletionNews = 'deletionRequested' | 'deletionAhead' | 'deletionCancelled' | 'deletionDone'

export interface DeletionEmailInput {
  readonly news: DeletionNews
  /** For an owner, the deletion of the whole account. */
  readonly what: 'account' | 'person'
  readonly accountName: string
  /** The time of the deletion, in milliseconds since 1970. */
  readonly deletesAt: number
  /** The account's time zone, which decides the day. */
  readonly timeZone: string
  readonly language: string
  /** Of the recipient's brand. */
  readonly origin: string
}

export function deletionEmail(told: DeletionEmailInput): EmailTemplate {
  const { news, what, origin } = told
  const language = languages.has(told.language) ? told.language : 'en'
  const texts = languages.get(language) ?? en
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: told.timeZone }).format(told.deletesAt)
  const put = (text: string) => text.replaceAll('{day}', day).replaceAll('{account}', told.accountName)
  const { subject, intro } = texts[what][news]
  const isAhead = news === 'deletionRequested' || news === 'deletionAhead'
  const letter = { subject: put(subject), heading: put(subject), language, footnotes: isAhead ? [texts.notYou] : [] }
  if (!isAhead) return { ...letter, paragraphs: [put(intro)] }
  const button = { label: texts.button, address: `${origin}/personaldata`, orOpen: texts.orOpen }
  return { ...letter, paragraphs: [put(intro), texts[what].until], button }
}
