import { nextTask } from '@sightline/client'
import { Button, EmptyState } from '@sightline/kit'
import { QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type Application, ApplicationProvider } from './application.ts'
import { firstScreenReady } from './first-screen.ts'
import { importCookieNotice, paintedNotice } from './painted-notice.ts'
import type { StartFailure, View } from './start-application.ts'
import { createTranslationStore, TranslationProvider, type TranslationStore } from './translation.tsx'

/** The router of an application's screens, after the user is identified. */
type Screens = (application: Application) => AnyRouter

/** The error page if an application can't start: no configuration, no language. */
function StartFailed({ title, again, error, home }: StartFailure) {
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <EmptyState
        icon="warning"
        isPage
        title={title}
        action={<Button onClick={() => window.location.assign(home)}>{again}</Button>}
      >
        <code className="text-xs">{error}</code>
      </EmptyState>
    </main>
  )
}

function Around({
  application,
  words,
  children,
}: {
  application: Application
  words: TranslationStore
  children: ReactNode
}) {
  return (
    <StrictMode>
      <TranslationProvider words={words}>
        <ApplicationProvider value={application}>
          <QueryClientProvider client={application.queries}>{children}</QueryClientProvider>
        </ApplicationProvider>
      </TranslationProvider>
    </StrictMode>
  )
}

/** Continues the cookie notice of the first paint: until now, its button and link didn't work. */
async function continueNotice(
  around: (notice: ReactNode) => ReactNode,
  { application, router }: { readonly application: Application; readonly router: AnyRouter },
): Promise<void> {
  const element = paintedNotice()
  if (element === null) return
  const { CookieNotice } = await importCookieNotice()
  await nextTask()
  const notice = (
    <CookieNotice isWide={application.name !== 'accountPortal'} onNavigate={(href) => void router.navigate({ href })} />
  )
  // If the language isn't that of the first paint, React renders the notice again.
  hydrateRoot(element, around(notice), { onRecoverableError: () => undefined })
  element.inert = false
}

/** The views that `startApplication` renders. */
export const createView = (screens: Screens): View => ({
  async show(place, application) {
    const router = screens(application)
    await firstScreenReady(router, application, place)
    const words = createTranslationStore(application.languages.i18n)
    const around = (children: ReactNode) => (
      <Around application={application} words={words}>
        {children}
      </Around>
    )
    await nextTask()
    // In a transition, React renders in small steps, so the browser stays responsive.
    startTransition(() => createRoot(place.element).render(around(<RouterProvider router={router} />)))
    // Without the code of the notice, everything else works.
    continueNotice(around, { application, router }).catch(() => undefined)
  },
  fail(place, failure) {
    paintedNotice()?.remove()
    createRoot(place.element).render(<StartFailed {...failure} />)
  },
})
