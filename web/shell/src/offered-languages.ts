import type { LanguageChoice } from '@sightline/client'

type Load = LanguageChoice['load']

/** A file with texts of one language. */
export type Catalogue = Awaited<ReturnType<Load>>

/** The languages of the product by their own names; English, the default, is first. */
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
/** One file per language. */
type Catalogues = Readonly<Record<LanguageCode, Load>>

/** Texts of validation rules and calls, and sign-out messages. A first screen doesn't need them. */
const shared: Catalogues = {
  // Only messages with placeholders; a plain text needs no compiling.
  en: () => import('@sightline/client/later/locales/en.json'),
  de: () => import('@sightline/client/later/locales/de.json'),
  es: () => import('@sightline/client/later/locales/es.json'),
  ja: () => import('@sightline/client/later/locales/ja.json'),
  nl: () => import('@sightline/client/later/locales/nl.json'),
  pl: () => import('@sightline/client/later/locales/pl.json'),
  pt: () => import('@sightline/client/later/locales/pt.json'),
  tr: () => import('@sightline/client/later/locales/tr.json'),
}

/** The languages with the texts of one app. A first screen doesn't need the texts in `later`. */
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
