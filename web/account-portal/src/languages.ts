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
  en: () => import('./open-pages/locales/en.json'),
  de: () => import('./open-pages/locales/de.json'),
  es: () => import('./open-pages/locales/es.json'),
  ja: () => import('./open-pages/locales/ja.json'),
  nl: () => import('./open-pages/locales/nl.json'),
  pl: () => import('./open-pages/locales/pl.json'),
  pt: () => import('./open-pages/locales/pt.json'),
  tr: () => import('./open-pages/locales/tr.json'),
}

export const languages = offeredLanguages(first, (code) => [later[code]])
