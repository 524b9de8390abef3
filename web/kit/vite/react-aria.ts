import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** A file of React Aria with its texts in one language, such as `intl/calendar/nl-NL.mjs`. */
const TEXTS =
  /\/node_modules\/(?:react-aria|react-aria-components|react-stately)\/.*\/intl\/[^/]+\/[a-z]{2}-[A-Z]{2}\.m?js$/

const ANNOUNCER = /\/react-aria\/dist\/private\/live-announcer\/LiveAnnouncer\.m?js$/

/** Two changes to React Aria, which would otherwise break our content security policy or be larger than needed. */
export function reactAria(): Plugin {
  let languages: ReadonlySet<string> | undefined
  return {
    name: 'sightline-react-aria',
    configResolved({ root }) {
      const folder = join(root, 'src/locales')
      if (existsSync(folder)) languages = new Set(['en', ...readdirSync(folder).map((file) => file.slice(0, 2))])
    },
    load: {
      filter: { id: TEXTS },
      // Its own texts in languages that the app does not have are its English ones: 34 languages would be in the file.
      handler(id) {
        const [, language = '', ending = ''] = /([a-z]{2})-[A-Z]{2}(\.m?js)$/.exec(id) ?? []
        return languages?.has(language) === false ? `export { default } from './en-US${ending}'` : undefined
      },
    },
    transform: {
      filter: { id: ANNOUNCER },
      // The policy takes no text as HTML (`require-trusted-types-for`), not even an empty one.
      handler(code) {
        const changed = code.replaceAll(/\.innerHTML = ''/g, '.replaceChildren()')
        if (changed === code)
          this.error('React Aria clears its announcements in another way now: is it still in our policy?')
        return { code: changed, map: null }
      },
    },
  }
}
