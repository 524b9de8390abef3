import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/**
 * The messages of one language, compiled, as JSON. The keys are the English texts, so what compiles to its own key is
 * left out: the key is shown where there is no message.
 */
export function compileCatalogue(texts: Readonly<Record<string, string>>): string {
  const compiled = Object.entries(texts).flatMap(([key, text]) => {
    const message = compileMessageOrThrow(text)
    return message.length === 1 && message[0] === key ? [] : [[key, message] as const]
  })
  return JSON.stringify(Object.fromEntries(compiled))
}

/** `virtual:texts-of-screens/nl`: what all screens of an app that have a folder `locales` of their own say in Dutch. */
const OF_SCREENS = /^\0?virtual:texts-of-screens\/([a-z]{2})$/

const readTexts = (file: string): Readonly<Record<string, string>> => JSON.parse(readFileSync(file, 'utf8'))

/** The catalogues of one language in the folders right under `src`. */
function cataloguesOfScreens(src: string, code: string): readonly string[] {
  const files = readdirSync(src).map((folder) => join(src, folder, 'locales', `${code}.json`))
  return files.filter((file) => existsSync(file))
}

/**
 * Compiles what is imported from a `locales/<language>.json`, so that no compiler ships to the browser. With those right
 * under an app's `src` come the texts that all apps share (kit, shell). Texts of screens can be had as one file
 * (`virtual:texts-of-screens/<language>`), because each file by itself would make the entry longer.
 */
export function catalogues(): Plugin {
  let src = ''
  return {
    name: 'sightline-catalogues',
    // Before Vite makes a module of the JSON.
    enforce: 'pre',
    configResolved({ root }) {
      src = join(root, 'src')
    },
    resolveId: { filter: { id: OF_SCREENS }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: OF_SCREENS },
      handler(id) {
        const files = cataloguesOfScreens(src, OF_SCREENS.exec(id)?.[1] ?? '')
        for (const file of files) this.addWatchFile(file)
        return `export default ${compileCatalogue(Object.assign({}, ...files.map(readTexts)))}`
      },
    },
    transform: {
      filter: { id: /\/locales\/[a-z]{2}\.json$/ },
      handler(own, id) {
        if (!/\/src\/locales\/[^/]+$/.test(id)) return compileCatalogue(JSON.parse(own))
        const shared = fileURLToPath(new URL(`../locales/${basename(id)}`, import.meta.url))
        this.addWatchFile(shared)
        return compileCatalogue({ ...readTexts(shared), ...JSON.parse(own) })
      },
    },
  }
}
