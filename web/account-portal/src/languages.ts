import { offeredLanguages } from '@sightline/shell'
import english from './locales/en.json'

/** The texts of this app in each language; those of English, which others lean on, come with the app. */
const first = {
  en: async () => ({ default: english }),
  de: () => import('./locales/de.json'),
  es: () => import('./locales/es.json'),
  ja: () => import('./locales/ja.json'),
  nl: () => import('./locales/nl.json'),
  pl: () => import('./locales/pl.json'),
  pt: () => import('./locales/pt.json'),
  tr: () => import('./locales/tr.json'),
}

/** Those of pages that hardly anybody opens first. */
const later = {
  en: () => import('./cookie-policy/locales/en.json'),
  de: () => import('./cookie-policy/locales/de.json'),
  es: () => import('./cookie-policy/locales/es.json'),
  ja: () => import('./cookie-policy/locales/ja.json'),
  nl: () => import('./cookie-policy/locales/nl.json'),
  pl: () => import('./cookie-policy/locales/pl.json'),
  pt: () => import('./cookie-policy/locales/pt.json'),
  tr: () => import('./cookie-policy/locales/tr.json'),
}

export const languages = offeredLanguages(first, (code) => [later[code]])
