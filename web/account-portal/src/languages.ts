import { offeredLanguages } from '@sightline/shell/start'
import english from './locales/en.json'

/** The texts of this app in each language. The English ones, on which others depend, are part of the app. */
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

/** The texts of screens with their own `locales` folder. Few people open one of them first. */
const later = {
  en: () => import('virtual:texts-of-screens/en'),
  de: () => import('virtual:texts-of-screens/de'),
  es: () => import('virtual:texts-of-screens/es'),
  ja: () => import('virtual:texts-of-screens/ja'),
  nl: () => import('virtual:texts-of-screens/nl'),
  pl: () => import('virtual:texts-of-screens/pl'),
  pt: () => import('virtual:texts-of-screens/pt'),
  tr: () => import('virtual:texts-of-screens/tr'),
}

export const languages = offeredLanguages(first, (code) => [later[code]])
