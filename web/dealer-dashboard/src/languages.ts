import { type Catalogue, offeredLanguages } from '@sightline/shell/start'
import english from './locales/en.json'

/** The first screens' texts in each language. The English ones, on which others depend, are part of the app. */
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

/** The texts of screens with their own `locales` folder, and of screens shared with the Web App. */
const ofScreens = Object.entries(
  import.meta.glob<Catalogue>([
    './*/locales/*.json',
    '../../shell/src/api-keys/locales/*.json',
    '../../shell/src/audit-logs/locales/*.json',
  ]),
)

export const languages = offeredLanguages(first, (code) =>
  ofScreens.filter(([path]) => path.endsWith(`/${code}.json`)).map(([, load]) => load),
)
