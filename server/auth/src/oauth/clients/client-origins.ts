import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { redirectUrisInBrowsers } from './store.ts'

/** A client that was registered or removed counts after this long. */
const MAX_AGE_MS = 5000

const originsOf = (uris: readonly string[]): ReadonlySet<string> =>
  new Set(uris.filter((uri) => /^https?:/.test(uri) && URL.canParse(uri)).map((uri) => new URL(uri).origin))

/** Whether pages of an origin belong to a registered browser client: signing in leads back to that origin. */
export function clientOrigins(db: Db, clock: Clock): (origin: string) => Promise<boolean> {
  let known: { readonly origins: Promise<ReadonlySet<string>>; readonly until: number } | undefined
  return async (origin) => {
    if (known === undefined || known.until <= clock.now()) {
      known = { origins: redirectUrisInBrowsers(db).then(originsOf), until: clock.now() + MAX_AGE_MS }
    }
    try {
      return (await known.origins).has(origin)
    } catch (error) {
      known = undefined
      throw error
    }
  }
}
