import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signInLanguages } from '@sightline/contract/sign-in-pages'
import type { Plugin } from 'vite'
import { screens } from '../src/screens.ts'

const ID = 'virtual:screen-texts'

const folders: Readonly<Record<keyof typeof screens, string>> = {
  accountPortal: 'account-portal',
  cameraApp: 'camera-app',
  dealerDashboard: 'dealer-dashboard',
}

type Texts = Readonly<Record<string, string>>

/** An application's catalogs in one language: its own first, then those of its screens, then the shared ones. */
function cataloguesOf(web: string, app: string, language: string): readonly string[] {
  const below = (folder: string) => readdirSync(folder).map((name) => join(folder, name))
  const places = [
    join(web, app, 'src'),
    ...below(join(web, app, 'src')),
    join(web, 'client'),
    ...below(join(web, 'shell/src')),
  ]
  return places.map((place) => join(place, 'locales', `${language}.json`)).filter((file) => existsSync(file))
}

/**
 * `virtual:screen-texts`: the texts of the painted screens, by application, language and English text. The catalogs
 * themselves would be twenty times larger.
 */
export function screenTexts(web: string): Plugin {
  return {
    name: 'sightline-screen-texts',
    resolveId: { filter: { id: /^virtual:screen-texts$/ }, handler: () => `\0${ID}` },
    load: {
      filter: { id: /^\0virtual:screen-texts$/ },
      handler() {
        const textsOf = (app: keyof typeof screens, language: string): Texts => {
          const catalogues = cataloguesOf(web, folders[app], language).map(
            (file): Texts => JSON.parse(readFileSync(file, 'utf8')),
          )
          const wanted = screens[app].flatMap(({ title, description, back }) => [title, description, back])
          const found = wanted.flatMap((text): readonly (readonly [string, string])[] => {
            if (text === undefined) return []
            const translated = catalogues.find((catalogue) => text in catalogue)?.[text]
            if (translated === undefined) this.error(`no catalog of ${folders[app]} in ${language} has "${text}"`)
            return [[text, translated]]
          })
          return Object.fromEntries(found)
        }
        const texts = (Object.keys(screens) as (keyof typeof screens)[]).map((app) => [
          app,
          Object.fromEntries(signInLanguages.map((language) => [language, textsOf(app, language)])),
        ])
        return `export default ${JSON.stringify(Object.fromEntries(texts))}`
      },
    },
  }
}
