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

export type TransferNews = 'cameraTransferOffered' | 'cameraTransferAccepted' | 'cameraTransferDeclined'

export interface TransferEmailInput {
  readonly news: TransferNews
  readonly sender: { readonly name: string; readonly email: string }
  /** As the sender named the receiver. */
  readonly target: string
  /** Their names. */
  readonly cameras: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** Of the recipient. */
  readonly timeZone: string
  readonly language: string
  readonly origin: string
}

/** More names than this are counted. */
const MAX_NAMED = 10

/** What the owner of one of the two accounts is told. */
export function transferEmail(given: TransferEmailInput): EmailTemplate {
  const { news, sender, target, cameras, origin } = given
  const language = languages.has(given.language) ? given.language : 'en'
  const texts = languages.get(language) ?? en
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: given.timeZone }).format(given.expiresAt)
  const named = cameras.slice(0, MAX_NAMED)
  const more = cameras.length - named.length
  const list = new Intl.ListFormat(language).format(more === 0 ? named : [...named, `+${more}`])
  const values: Readonly<Record<string, string>> = {
    sender: sender.name,
    email: sender.email,
    target,
    day,
    cameras: list,
  }
  const put = (text: string) => text.replaceAll(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces)
  const { subject, intro, then } = texts[news]
  return {
    subject: put(subject),
    heading: put(subject),
    paragraphs: [put(intro), put(then)],
    button: { label: texts.button, address: `${origin}/app/transfers`, orOpen: texts.orOpen },
    footnotes: news === 'cameraTransferOffered' ? [texts.unknownSender, texts.why] : [texts.why],
    language,
  }
}
