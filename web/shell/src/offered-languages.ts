import type { LanguageChoice } from '@sightline/client'

type Load = LanguageChoice['load']

/** The languages of the product by their own names; English, the default, comes first. */
const names = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  ja: '日本語',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  tr: 'Türkçe',
} as const

type Code = keyof typeof names
/** One file for each language. */
type Catalogues = Readonly<Record<Code, Load>>

/** What rules of fields and calls may have to say, and farewells: a first screen shows before any of it is wanted. */
const shared: Catalogues = {
  en: async () => ({ default: {} }),
  de: () => import('@sightline/client/later/locales/de.json'),
  es: () => import('@sightline/client/later/locales/es.json'),
  ja: () => import('@sightline/client/later/locales/ja.json'),
  nl: () => import('@sightline/client/later/locales/nl.json'),
  pl: () => import('@sightline/client/later/locales/pl.json'),
  pt: () => import('@sightline/client/later/locales/pt.json'),
  tr: () => import('@sightline/client/later/locales/tr.json'),
}

/** The languages with the texts of one app; those in `later` are not needed for what is mostly looked at first. */
export function offeredLanguages(first: Catalogues, later?: Catalogues): readonly LanguageChoice[] {
  return (Object.keys(names) as Code[]).map((code) => ({
    code,
    name: names[code],
    load: first[code],
    loadLater: [shared[code], ...(later === undefined ? [] : [later[code]])],
  }))
}
