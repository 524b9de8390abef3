import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
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

/**
 * Compiles what is imported from a `locales/<language>.json`, so that no compiler ships to the browser. With those right
 * under an app's `src` come the texts that all apps share (kit, shell).
 */
export function catalogues(): Plugin {
  return {
    name: 'sightline-catalogues',
    // Before Vite makes a module of the JSON.
    enforce: 'pre',
    transform: {
      filter: { id: /\/locales\/[a-z]{2}\.json$/ },
      handler(own, id) {
        if (!/\/src\/locales\/[^/]+$/.test(id)) return compileCatalogue(JSON.parse(own))
        const shared = fileURLToPath(new URL(`../locales/${basename(id)}`, import.meta.url))
        this.addWatchFile(shared)
        return compileCatalogue({ ...JSON.parse(readFileSync(shared, 'utf8')), ...JSON.parse(own) })
      },
    },
  }
}
