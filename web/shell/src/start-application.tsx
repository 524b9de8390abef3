import type { I18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import {
  clientId,
  type LanguageChoice,
  type LaterText,
  loadConfig,
  type SharedText,
  startLanguages,
  takeCallback,
} from '@sightline/client'
import { firstPartyClients } from '@sightline/contract/runtime-config'
import { Button, EmptyState, KitTextProvider, showChosenScheme } from '@sightline/kit'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import {
  type Application,
  type ApplicationName,
  ApplicationProvider,
  createApplication,
  sessionOf,
} from './application.ts'
import { translationOf } from './translation.ts'

export interface ApplicationSettings {
  readonly name: ApplicationName
  readonly languages: readonly LanguageChoice[]
  /** Begins to load what the first screen needs, while the configuration is still on its way. */
  readonly prepare?: () => void
  /** Its screens, once it is known who is there. */
  readonly screens: (application: Application) => ReactNode
}

/** What is left to say where an app could not even start: no configuration, no language. */
function StartFailed({ title, again, error, home }: { title: string; again: string; error: string; home: string }) {
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

function Around({ application, i18n, children }: { application: Application; i18n: I18n; children: ReactNode }) {
  return (
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <KitTextProvider translate={translationOf<SharedText | LaterText>(i18n)}>
          <ApplicationProvider value={application}>
            <QueryClientProvider client={application.queries}>{children}</QueryClientProvider>
          </ApplicationProvider>
        </KitTextProvider>
      </I18nProvider>
    </StrictMode>
  )
}

async function start(root: Root, settings: ApplicationSettings): Promise<void> {
  // Before anything is asked for: no request, report or history entry may carry a code or a token.
  const arrived = takeCallback()
  const { name, prepare, screens } = settings
  prepare?.()
  const [config, languages] = await Promise.all([loadConfig(), startLanguages(settings.languages)])
  document.title = config.title
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon !== null && config.theme.favicon !== null) icon.href = config.theme.favicon

  const session = sessionOf(name, config)
  const started = await session.start(arrived)
  clientId(document, config.clientIds[name], { path: '/', secure: window.location.protocol === 'https:' })
  if (started.kind === 'refused') {
    const t = translationOf(languages.i18n)
    const home = firstPartyClients[name].redirectPath
    root.render(
      <StartFailed title={t('You could not be signed in.')} again={t('Try again')} error={started.error} home={home} />,
    )
    return
  }
  const returnTo = started.kind === 'signedIn' ? started.returnTo : undefined
  if (returnTo !== undefined) window.history.replaceState(null, '', returnTo)
  const application = createApplication({ name, config, session, languages, justSignedIn: returnTo !== undefined })
  root.render(
    <Around application={application} i18n={languages.i18n}>
      {screens(application)}
    </Around>,
  )
}

/** Brings an application up in the element `#root` of its page, or says there why it cannot. */
export function startApplication(settings: ApplicationSettings): void {
  const element = document.getElementById('root')
  if (element === null) throw new Error('index.html has no element #root')
  showChosenScheme()
  const root = createRoot(element)
  start(root, settings).catch((cause: unknown) => {
    // Perhaps no language is known: English.
    const home = firstPartyClients[settings.name].redirectPath
    const title = 'The application could not be started.'
    root.render(<StartFailed title={title} again="Try again" error={String(cause)} home={home} />)
  })
}
