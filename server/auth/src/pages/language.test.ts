import { expect, test } from 'vitest'
import { chooseLanguage } from './language.ts'

test.each([
  ['what was chosen on the page wins', { chosen: 'nl', uiLocales: 'en', acceptLanguage: 'en' }, 'nl'],
  ['then what the application asked for', { chosen: undefined, uiLocales: 'fr nl-BE', acceptLanguage: 'en' }, 'nl'],
  [
    'then what the browser prefers',
    { chosen: undefined, uiLocales: undefined, acceptLanguage: 'fr;q=0.9, en;q=0.2, nl-NL;q=0.8' },
    'nl',
  ],
  [
    'what the browser refuses does not count',
    { chosen: undefined, uiLocales: undefined, acceptLanguage: 'nl;q=0, en;q=0.1' },
    'en',
  ],
  ['else English', { chosen: undefined, uiLocales: 'xx', acceptLanguage: 'zz' }, 'en'],
  ['else English, without any wish', { chosen: undefined, uiLocales: undefined, acceptLanguage: undefined }, 'en'],
  ['an unknown choice does not count', { chosen: '<script>', uiLocales: undefined, acceptLanguage: 'nl' }, 'nl'],
])('%s', (_, asked, language) => {
  expect(chooseLanguage(asked)).toBe(language)
})
