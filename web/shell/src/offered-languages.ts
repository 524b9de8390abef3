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

/** The languages with the catalogues of one app: one file for each, loaded when it is chosen. */
export const offeredLanguages = (catalogues: Readonly<Record<keyof typeof names, Load>>): readonly LanguageChoice[] =>
  Object.entries(names).map(([code, name]) => ({ code, name, load: catalogues[code as keyof typeof names] }))
