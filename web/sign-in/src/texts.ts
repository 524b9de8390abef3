import type { SignInLanguage } from '@sightline/contract/sign-in-pages'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

type Catalogue = typeof en

/** All texts of the pages, per language. {@link fill} replaces `{…}`, and {@link inNumber} chooses plural forms. */
export interface Texts extends Omit<Catalogue, 'firstRun'> {
  readonly firstRun: Omit<Catalogue['firstRun'], 'problems'> & {
    /** By the English text of the contract's rules. */
    readonly problems: Readonly<Record<string, string>>
  }
}

export const texts: Readonly<Record<SignInLanguage, Texts>> = { de, en, es, ja, nl, pl, pt, tr }

export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/**
 * A text that depends on one number, `{minutes, plural, one {# minute} other {# minutes}}`: the plural form of the
 * language, with the number instead of `#`.
 */
export const inNumber = (text: string, count: number, language: SignInLanguage): string =>
  text.replaceAll(/\{\w+, plural,((?: \w+ \{[^{}]*\})+)\}/g, (_, forms: string) => {
    const said = new Map([...forms.matchAll(/(\w+) \{([^{}]*)\}/g)].map(([, form, words = '']) => [form, words]))
    const chosen = said.get(new Intl.PluralRules(language).select(count)) ?? said.get('other') ?? ''
    return chosen.replaceAll('#', new Intl.NumberFormat(language).format(count))
  })
