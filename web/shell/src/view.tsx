import { nextTask } from '@sightline/client'
import { Button, EmptyState } from '@sightline/kit'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { type Application, ApplicationProvider } from './application.ts'
import type { MountPoint, StartFailure, View } from './start-application.ts'
import { createTranslationStore, TranslationProvider, type TranslationStore } from './translation.tsx'

/**
 * The screens of an application, after the user is identified. A first paint stays until the promise resolves; then
 * everything renders at once.
 */
type Screens = (application: Application, place: MountPoint) => ReactNode | Promise<ReactNode>

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

/** The views that `startApplication` renders. */
export const createView = (screens: Screens): View => ({
  async show(place, application) {
    const shown = await screens(application, place)
    const words = createTranslationStore(application.languages.i18n)
    await nextTask()
    // In a transition, React renders in small steps, so the browser stays responsive.
    startTransition(() => {
      createRoot(place.element).render(
        <Around application={application} words={words}>
          {shown}
        </Around>,
      )
    })
  },
  fail(place, failure) {
    createRoot(place.element).render(<StartFailed {...failure} />)
  },
})
