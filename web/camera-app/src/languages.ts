import type { LanguageChoice } from '@sightline/client'

/** The languages that this app has texts in, each in a file of its own that is loaded when chosen. */
export const languageChoices: readonly LanguageChoice[] = [
  { code: 'en', name: 'English', load: () => import('./locales/en.json') },
  { code: 'nl', name: 'Nederlands', load: () => import('./locales/nl.json') },
]
