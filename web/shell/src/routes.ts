import { lazyRouteComponent } from '@tanstack/react-router'
import type { Application } from './application.ts'

/** Route components that load on navigation, together with their texts. */
export const lazyRoutes =
  ({ languages }: Application) =>
  <Module extends Record<string, unknown>, Name extends keyof Module & string>(
    load: () => Promise<Module>,
    name: Name,
  ) =>
    lazyRouteComponent(() => Promise.all([load(), languages.complete()]).then(([module]) => module), name)

/**
 * Redirects people who aren't signed in to the sign-in page, which returns to `href`, an address within the
 * application. The promise never resolves for them: the browser is leaving, and nothing may be rendered meanwhile.
 */
export async function signedInFirst({ session, home }: Application, href: string): Promise<void> {
  if (session.token() !== undefined) return
  await session.signIn(`${home.slice(0, -1)}${href}`)
  await new Promise<never>(() => undefined)
}
