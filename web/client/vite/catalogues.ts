import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/**
 * The messages of one language, compiled, as JSON. The keys are the English texts. A message that equals its key is
 * omitted, because the key is shown if there is no message.
 */
export function compileCatalogue(texts: Readonly<Record<string, string>>): string {
  const compiled = Object.entries(texts).flatMap(([key, text]) => {
    const message = compileMessageOrThrow(text)
    return message.length === 1 && message[0] === key ? [] : [[key, message] as const]
  })
  return JSON.stringify(Object.fromEntries(compiled))
}

/** `virtual:texts-of-screens/nl`: the Dutch texts of all screens that have their own `locales` folder. */
const OF_SCREENS = /^\0?virtual:texts-of-screens\/([a-z]{2})$/

const readTexts = (file: string): Readonly<Record<string, string>> => JSON.parse(readFileSync(file, 'utf8'))

/** The catalogs of one language in the folders directly under `src`. */
function cataloguesOfScreens(src: string, code: string): readonly string[] {
  const files = readdirSync(src).map((folder) => join(src, folder, 'locales', `${code}.json`))
  return files.filter((file) => existsSync(file))
}

/**
 * Compiles each imported `locales/<language>.json`, so that no compiler is sent to the browser. Catalogs directly under
 * an app's `src` also include the shared texts (kit, shell). `virtual:texts-of-screens/<language>` combines the texts
 * of all screens in one file, because separate files would make the entry larger.
 */
export function catalogues(): Plugin {
  let src = ''
  return {
    name: 'sightline-catalogues',
    // This runs before Vite turns the JSON into a module.
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
