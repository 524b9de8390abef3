import type { DueChange } from '@sightline/contract/subscriptions'
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

/** Emails to an owner about the subscription. Days are `yyyy-mm-dd`. */
export interface SubscriptionNews {
  readonly kind: DueChange['kind']
  /** Names of the packages. */
  readonly was: string
  readonly is: string
  readonly lastDay: string
  readonly until: string
  /** The account has more cameras than the next package allows. */
  readonly isTooSmall: boolean
}

const put = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces)

/** @param given.origin of the recipient's brand. */
export function subscriptionEmail(
  given: SubscriptionNews & { readonly language: string; readonly origin: string },
): EmailTemplate {
  const { kind, was, is, lastDay, until, isTooSmall, origin } = given
  const language = languages.has(given.language) ? given.language : 'en'
  const texts = languages.get(language) ?? en
  const { subject, intro } = texts[kind]
  // The day in the format of the screen (specification §2).
  const paragraphs = [put(intro, { was, is, lastDay, until })]
  if (kind === 'ended') paragraphs.push(texts.afterwards)
  if (kind !== 'ended' && isTooSmall) paragraphs.push(texts.tooSmall)
  return {
    subject,
    heading: subject,
    paragraphs,
    button: { label: texts.button, address: `${origin}/subscriptions`, orOpen: texts.orOpen },
    footnotes: [texts.why],
    language,
  }
}
