import { nextTask } from '@sightline/client'
import { createView, whenSessionEnds } from '@sightline/shell'
import { RouterProvider } from '@tanstack/react-router'
import { isEmbedded } from './embedding.ts'
import { firstScreenReady } from './first-screen.ts'
import { createPortalRouter } from './router.tsx'

/** The pages of the account portal with their components. */
export const view = createView(async (portal, { hasFirstPaint }) => {
  const router = createPortalRouter(portal)
  whenSessionEnds(portal, () => {
    const { pathname, href } = router.state.location
    // An embedded page tells its host instead.
    if (!isEmbedded(pathname)) void portal.session.signIn(href)
  })
  const { crowdinIntegration, 'tag-manager': tags } = portal.config
  if (crowdinIntegration || tags.enabled) {
    void import('./third-party-scripts/index.ts').then(({ loadThirdPartyScripts }) =>
      loadThirdPartyScripts(portal, router),
    )
  }
  if (hasFirstPaint) {
    await nextTask()
    // Follows the back button meanwhile. After the first render, the router does this.
    const stop = router.history.subscribe(() => void router.load())
    const drawn = router.subscribe('onRendered', () => {
      stop()
      drawn()
    })
    // Redirects to the sign-in, unless that failed to start.
    const isLeaving = () =>
      portal.session.token() === undefined && router.state.matches.every(({ status }) => status !== 'error')
    await firstScreenReady(router.load(), isLeaving)
  }
  return <RouterProvider router={router} />
})
