import './main.css'
import { I18nProvider } from '@lingui/react'
import { clientId, loadConfig, startLanguages } from '@sightline/client'
import { paletteCss } from '@sightline/contract/theme'
import { applyTheme, EmptyState, KitTextProvider } from '@sightline/kit'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { type App, AppProvider, appSession, createApp } from './app.ts'
import { languageChoices } from './languages.ts'
import { createAppRouter } from './router.tsx'
import { translator } from './text.ts'

function draw(root: Root, app: App): void {
  const router = createAppRouter(app)
  app.session.onEnd((reason) => {
    app.client.cancelReads()
    if (reason === 'left') return
    // Nothing of a session stays on the screen once it is over.
    app.queries.clear()
    void app.session.signIn(router.state.location.href)
  })
  root.render(
    <StrictMode>
      <I18nProvider i18n={app.languages.i18n}>
        <KitTextProvider translate={translator(app.languages.i18n)}>
          <AppProvider value={app}>
            <QueryClientProvider client={app.queries}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </AppProvider>
        </KitTextProvider>
      </I18nProvider>
    </StrictMode>,
  )
}

async function start(root: Root): Promise<void> {
  const [config, languages] = await Promise.all([loadConfig(), startLanguages(languageChoices)])
  applyTheme(paletteCss(config.theme))
  document.title = config.title
  const session = appSession(config)
  const started = await session.start()
  clientId(document, config.clientIds.cameraApp, { path: '/', secure: window.location.protocol === 'https:' })
  if (started.kind === 'refused') {
    root.render(
      <EmptyState isPage icon="warning" title={translator(languages.i18n)('You could not be signed in.')}>
        {started.error}
      </EmptyState>,
    )
    return
  }
  if (started.kind === 'signedIn' && started.returnTo !== undefined) {
    window.history.replaceState(null, '', started.returnTo)
  }
  draw(root, createApp(config, session, languages))
}

const element = document.getElementById('root')
if (element === null) throw new Error('index.html has no element #root')
const root = createRoot(element)
start(root).catch((cause: unknown) => {
  // No brand is known yet: the provider's colour.
  applyTheme(paletteCss({ colors: { primary: '#0b6e6e' } }))
  root.render(
    <EmptyState isPage icon="warning" title="The Web App could not be started.">
      {String(cause)}
    </EmptyState>,
  )
})
