import './main.css'
import { type Application, startApplication, whenSessionEnds } from '@sightline/shell'
import { RouterProvider } from '@tanstack/react-router'
import { isEmbedded } from './embedding.ts'
import { languages } from './languages.ts'
import { createPortalRouter, loadFirstScreen } from './router.tsx'

function screens(portal: Application) {
  const router = createPortalRouter(portal)
  whenSessionEnds(portal, () => {
    const { pathname, href } = router.state.location
    // An embedded page tells its host instead, by itself.
    if (!isEmbedded(pathname)) void portal.session.signIn(href)
  })
  const { crowdinIntegration, 'tag-manager': tags } = portal.config
  if (crowdinIntegration || tags.enabled) {
    void import('./foreign-scripts/index.ts').then(({ letForeignScriptIn }) => letForeignScriptIn(portal, router))
  }
  return <RouterProvider router={router} />
}

startApplication({
  name: 'accountPortal',
  languages,
  prepare: () => loadFirstScreen(window.location.pathname),
  screens,
})
