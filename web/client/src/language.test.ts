import { readFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { compileCatalogue } from '../vite/catalogues.ts'
import { bestLanguage, type LanguageChoice, languageChosenHere, startLanguages } from './language.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The parts of a browser that languages use. */
function browser() {
  const html = { lang: '', dir: '' }
  const page = { documentElement: html, cookie: '', location: { protocol: 'https:' } }
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', { languages: ['en-GB'] })
  // This browser is never idle.
  vi.stubGlobal('requestIdleCallback', () => 0)
  return { html, page }
}

const catalogue = (texts: Record<string, string>) => async () => ({ default: texts })
const english: LanguageChoice = { code: 'en', name: 'English', load: catalogue({}) }

it('the first preferred language with a catalog wins, whatever its region', () => {
  expect(bestLanguage(['en', 'nl'], ['fr-FR', 'nl-BE', 'en'])).toBe('nl')
  expect(bestLanguage(['en', 'nl'], ['fr'])).toBe('en')
})

it('a chosen language appears with all its texts together, including the late ones', async () => {
  const { html, page } = browser()
  const late = Promise.withResolvers<{ default: Record<string, string> }>()
  const dutch = { code: 'nl', name: 'Nederlands', load: catalogue({ Users: 'Gebruikers' }) }
  const languages = await startLanguages([english, { ...dutch, loadLater: [() => late.promise] }])
  const choosing = languages.choose('nl')
  // Gives the late texts time to load, if they were going to.
  await new Promise((resolve) => setTimeout(resolve))
  expect([languages.current(), languages.i18n._('Block'), html.lang]).toEqual(['en', 'Block', 'en'])
  late.resolve({ default: { Block: 'Blokkeren' } })
  await choosing
  expect([languages.current(), languages.i18n._('Users'), languages.i18n._('Block')]).toEqual([
    'nl',
    'Gebruikers',
    'Blokkeren',
  ])
  expect([html.lang, page.cookie.split(';')[0], languageChosenHere()]).toEqual(['nl', 'sightline.language=nl', 'nl'])
})

it('the user’s choice stays when the server’s language arrives later', async () => {
  const { html, page } = browser()
  const dutch = { code: 'nl', name: 'Nederlands', load: catalogue({}) }
  const german = { code: 'de', name: 'Deutsch', load: catalogue({}) }
  const languages = await startLanguages([english, dutch, german])
  await languages.follow('de')
  expect(html.lang).toBe('de')
  await languages.choose('nl')
  await languages.follow('en')
  expect([html.lang, page.cookie.split(';')[0]]).toEqual(['nl', 'sightline.language=nl'])
})

it('a chosen language appears without its late texts if they cannot be loaded', async () => {
  browser()
  const dutch = { code: 'nl', name: 'Nederlands', load: catalogue({ Users: 'Gebruikers' }) }
  const failing = () => Promise.reject(new Error('no network'))
  const languages = await startLanguages([english, { ...dutch, loadLater: [failing] }])
  await languages.choose('nl')
  expect([languages.current(), languages.i18n._('Users'), languages.i18n._('Block')]).toEqual([
    'nl',
    'Gebruikers',
    'Block',
  ])
})

it('the last of two chosen languages stays, whichever loads first', async () => {
  const { page } = browser()
  const slow = Promise.withResolvers<{ default: Record<string, string> }>()
  const dutch = { code: 'nl', name: 'Nederlands', load: () => slow.promise }
  const languages = await startLanguages([english, dutch])
  const first = languages.choose('nl')
  await languages.choose('en')
  slow.resolve({ default: {} })
  await first
  expect([languages.current(), page.cookie.split(';')[0]]).toEqual(['en', 'sightline.language=en'])
})

const latest = (code: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../later/locales/${code}.json`, import.meta.url), 'utf8'))

it.each([
  ['en', ['1 row loaded', '2 rows loaded', '1,000 rows loaded']],
  ['de', ['1 Zeile geladen', '2 Zeilen geladen', '1.000 Zeilen geladen']],
  ['es', ['1 fila cargada', '2 filas cargadas', '1000 filas cargadas']],
  ['ja', ['1行を読み込み済み', '2行を読み込み済み', '1,000行を読み込み済み']],
  ['nl', ['1 rij geladen', '2 rijen geladen', '1.000 rijen geladen']],
  ['pl', ['Wczytano 1 wiersz', 'Wczytano 2 wiersze', 'Wczytano 1000 wierszy']],
  ['pt', ['1 linha carregada', '2 linhas carregadas', '1.000 linhas carregadas']],
  ['tr', ['1 satır yüklendi', '2 satır yüklendi', '1.000 satır yüklendi']],
])('%s: texts with a number follow the plural rules of the language', async (code, said) => {
  browser()
  const compiled = JSON.parse(compileCatalogue(latest(code)))
  const { i18n } = await startLanguages([{ code, name: code, load: catalogue(compiled) }])
  const key = '{count} rows loaded'
  expect([1, 2, 1000].map((count) => i18n._(key, { count }))).toEqual(said)
})
