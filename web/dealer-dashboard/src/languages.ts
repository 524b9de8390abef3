import { offeredLanguages } from '@sightline/shell/start'
import english from './locales/en.json'

export const languages = offeredLanguages({
  en: async () => ({ default: english }),
  de: () => import('./locales/de.json'),
  es: () => import('./locales/es.json'),
  ja: () => import('./locales/ja.json'),
  nl: () => import('./locales/nl.json'),
  pl: () => import('./locales/pl.json'),
  pt: () => import('./locales/pt.json'),
  tr: () => import('./locales/tr.json'),
})
