import { lazyRouteComponent } from '@tanstack/react-router'
import type { Application } from './application.ts'

/** Makes components of a route that come when they are gone to, with the texts that did not come with the first screen. */
export const laterOf =
  ({ languages }: Application) =>
  <Module extends Record<string, unknown>, Name extends keyof Module & string>(
    load: () => Promise<Module>,
    name: Name,
  ) =>
    lazyRouteComponent(() => Promise.all([load(), languages.complete()]).then(([module]) => module), name)

/**
 * Sends who is not signed in to the sign-in page, from where they come back to `href`, an address within the
 * application. For them it never ends: the browser is leaving, and nothing may be drawn meanwhile.
 */
export async function signedInFirst({ session, home }: Application, href: string): Promise<void> {
  if (session.token() !== undefined) return
  await session.signIn(`${home.slice(0, -1)}${href}`)
  await new Promise<never>(() => undefined)
}
