import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** The language of a user as a mail and the page of its link have it: English where there is no other. */
export const chooseMailLanguage = (language: string): string => (languages.has(language) ? language : 'en')

/** What stands before the address of a button, for whom the button does not work. */
export const getOpenLinkText = (language: string): string => (languages.get(language) ?? en).orOpen

/** Puts values where a text of a catalogue names them in braces. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/**
 * A name as it may stand in a mail that we vouch for. Mail programs make a link of whatever looks like an address, and a
 * person may choose the own name: none of it looks like one any more.
 */
export const harmlessName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{M}\p{N}' .-]/gu, ' ')
    .replaceAll(/\.(?=\S)/g, '. ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
