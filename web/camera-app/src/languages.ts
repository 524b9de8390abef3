import type { LanguageChoice } from '@sightline/client'
import english from './locales/en.json'

/** The languages that this app has texts in, each in a file of its own that is loaded when chosen; English is only its keys. */
export const languageChoices: readonly LanguageChoice[] = [
  { code: 'en', name: 'English', load: async () => ({ default: english }) },
  { code: 'de', name: 'Deutsch', load: () => import('./locales/de.json') },
  { code: 'es', name: 'Español', load: () => import('./locales/es.json') },
  { code: 'ja', name: '日本語', load: () => import('./locales/ja.json') },
  { code: 'nl', name: 'Nederlands', load: () => import('./locales/nl.json') },
  { code: 'pl', name: 'Polski', load: () => import('./locales/pl.json') },
  { code: 'pt', name: 'Português', load: () => import('./locales/pt.json') },
  { code: 'tr', name: 'Türkçe', load: () => import('./locales/tr.json') },
]
