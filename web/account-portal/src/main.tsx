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
    // Drawn again, the embedded frame sees that nobody is signed in and tells its host.
    if (isEmbedded(pathname)) void router.invalidate()
    else void portal.session.signIn(href)
  })
  return <RouterProvider router={router} />
}

startApplication({
  name: 'accountPortal',
  languages,
  prepare: () => loadFirstScreen(window.location.pathname),
  screens,
})
