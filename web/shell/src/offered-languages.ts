import type { LanguageChoice } from '@sightline/client'

type Load = LanguageChoice['load']

/** A file of texts of one language. */
export type Catalogue = Awaited<ReturnType<Load>>

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

type LanguageCode = keyof typeof names
/** One file for each language. */
type Catalogues = Readonly<Record<LanguageCode, Load>>

/** What rules of fields and calls may have to say, and farewells: a first screen shows before any of it is wanted. */
const shared: Catalogues = {
  // Only what is no text as it stands: one with places for values.
  en: () => import('@sightline/client/later/locales/en.json'),
  de: () => import('@sightline/client/later/locales/de.json'),
  es: () => import('@sightline/client/later/locales/es.json'),
  ja: () => import('@sightline/client/later/locales/ja.json'),
  nl: () => import('@sightline/client/later/locales/nl.json'),
  pl: () => import('@sightline/client/later/locales/pl.json'),
  pt: () => import('@sightline/client/later/locales/pt.json'),
  tr: () => import('@sightline/client/later/locales/tr.json'),
}

/**
 * The languages with the texts of one app; those that `later` has for a language are not needed for what is mostly
 * looked at first.
 */
export function offeredLanguages(
  first: Catalogues,
  later: (code: LanguageCode) => readonly Load[] = () => [],
): readonly LanguageChoice[] {
  return (Object.keys(names) as LanguageCode[]).map((code) => ({
    code,
    name: names[code],
    load: first[code],
    loadLater: [shared[code], ...later(code)],
  }))
}
