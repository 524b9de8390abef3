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

/** What rules of fields and calls may have to say: a first screen shows before anything of it can be wrong. */
const errors: Catalogues = {
  en: async () => ({ default: {} }),
  de: () => import('@sightline/client/errors/locales/de.json'),
  es: () => import('@sightline/client/errors/locales/es.json'),
  ja: () => import('@sightline/client/errors/locales/ja.json'),
  nl: () => import('@sightline/client/errors/locales/nl.json'),
  pl: () => import('@sightline/client/errors/locales/pl.json'),
  pt: () => import('@sightline/client/errors/locales/pt.json'),
  tr: () => import('@sightline/client/errors/locales/tr.json'),
}

/** The languages with the texts of one app; those in `later` are not needed for what is mostly looked at first. */
export function offeredLanguages(first: Catalogues, later?: Catalogues): readonly LanguageChoice[] {
  return (Object.keys(names) as Code[]).map((code) => ({
    code,
    name: names[code],
    load: first[code],
    loadLater: [errors[code], ...(later === undefined ? [] : [later[code]])],
  }))
}
