import './main.css'
import { I18nProvider } from '@lingui/react'
import { clientId, loadConfig, startLanguages, takeCallback } from '@sightline/client'
import { paletteCss } from '@sightline/contract/theme'
import { applyTheme, KitTextProvider } from '@sightline/kit'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { languageChoices } from './languages.ts'
import { createPortal, type Portal, PortalProvider, portalSession } from './portal.ts'
import { createPortalRouter, loadFirstScreen } from './router.tsx'
import { listenForSessionEnd } from './session-end.ts'
import { StartFailed } from './shell/StartFailed.tsx'
import { translator } from './text.ts'

function draw(root: Root, portal: Portal): void {
  const router = createPortalRouter(portal)
  listenForSessionEnd(portal, router)
  const translate = translator(portal.languages.i18n)
  root.render(
    <StrictMode>
      <I18nProvider i18n={portal.languages.i18n}>
        <KitTextProvider translate={translate}>
          <PortalProvider value={portal}>
            <QueryClientProvider client={portal.queries}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </PortalProvider>
        </KitTextProvider>
      </I18nProvider>
    </StrictMode>,
  )
}

async function start(root: Root): Promise<void> {
  const arrived = takeCallback()
  loadFirstScreen(window.location.pathname)
  const [config, languages] = await Promise.all([loadConfig(), startLanguages(languageChoices)])
  applyTheme(paletteCss(config.theme))
  document.title = config.title
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon !== null && config.theme.favicon !== null) icon.href = config.theme.favicon

  const session = portalSession(config)
  const started = await session.start(arrived)
  clientId(document, config.appId, { path: '/', secure: window.location.protocol === 'https:' })
  if (started.kind === 'refused') {
    root.render(<StartFailed text={translator(languages.i18n)('You could not be signed in.')} error={started.error} />)
    return
  }
  if (started.kind === 'signedIn' && started.returnTo !== undefined) {
    window.history.replaceState(null, '', started.returnTo)
  }
  draw(root, createPortal(config, session, languages))
}

const element = document.getElementById('root')
if (element === null) throw new Error('index.html has no element #root')
const root = createRoot(element)
start(root).catch((cause: unknown) => {
  // No brand is known yet: the provider's colour.
  applyTheme(paletteCss({ colors: { primary: '#0b6e6e' } }))
  root.render(<StartFailed text="My Account could not be started." error={String(cause)} />)
})
