import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** The user's language for an email and the page of its link: English by default. */
export const chooseMailLanguage = (language: string): string => (languages.has(language) ? language : 'en')

/** Introduces the plain address, in case the button doesn't work. */
export const getOpenLinkText = (language: string): string => (languages.get(language) ?? en).orOpen

/** Replaces the placeholders in braces of a catalog text with values. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/**
 * A name made safe for an email. Email programs link anything that looks like an address, and users choose their own
 * names, so nothing in it looks like one.
 */
export const harmlessName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{M}\p{N}' .-]/gu, ' ')
    .replaceAll(/\.(?=\S)/g, '. ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
