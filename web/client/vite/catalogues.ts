import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const PREFIX = 'virtual:catalogue/'
const shared = fileURLToPath(new URL('../locales', import.meta.url))

const readCatalogue = (file: string): Record<string, string> => JSON.parse(readFileSync(file, 'utf8'))

/**
 * The messages of one language, compiled, as source text of a module. The keys are the English texts, so what compiles
 * to its own key is left out: the key is shown where there is no message.
 */
export function compileCatalogue(texts: Readonly<Record<string, string>>): string {
  const compiled = Object.entries(texts).flatMap(([key, text]) => {
    const message = compileMessageOrThrow(text)
    return message.length === 1 && message[0] === key ? [] : [[key, message] as const]
  })
  return `export const messages=${JSON.stringify(Object.fromEntries(compiled))}`
}

/**
 * `import { messages } from 'virtual:catalogue/nl'`: the texts of `src/locales/nl.json` of the app and of the shared
 * ones (errors, rules, kit), compiled here so that no compiler ships to the browser.
 */
export function catalogues(app: string): Plugin {
  return {
    name: 'sightline-catalogues',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined
      const files = [shared, join(app, 'src/locales')].map((folder) =>
        join(folder, `${id.slice(PREFIX.length + 1)}.json`),
      )
      for (const file of files) this.addWatchFile(file)
      return compileCatalogue(Object.assign({}, ...files.map(readCatalogue)))
    },
  }
}
