import { nextTask } from '@sightline/client'
import { viewOf, whenSessionEnds } from '@sightline/shell'
import { RouterProvider } from '@tanstack/react-router'
import { isEmbedded } from './embedding.ts'
import { firstScreenReady } from './first-screen.ts'
import { createPortalRouter } from './router.tsx'

/** The pages of the account portal, drawn. */
export const view = viewOf(async (portal, { hasFirstPaint }) => {
  const router = createPortalRouter(portal)
  whenSessionEnds(portal, () => {
    const { pathname, href } = router.state.location
    // An embedded page tells its host instead, by itself.
    if (!isEmbedded(pathname)) void portal.session.signIn(href)
  })
  const { crowdinIntegration, 'tag-manager': tags } = portal.config
  if (crowdinIntegration || tags.enabled) {
    void import('./third-party-scripts/index.ts').then(({ letForeignScriptIn }) => letForeignScriptIn(portal, router))
  }
  if (hasFirstPaint) {
    await nextTask()
    // Whoever goes back meanwhile is followed; the router does so itself once it is drawn.
    const stop = router.history.subscribe(() => void router.load())
    const drawn = router.subscribe('onRendered', () => {
      stop()
      drawn()
    })
    // To sign in, unless that could not even begin.
    const isLeaving = () =>
      portal.session.token() === undefined && router.state.matches.every(({ status }) => status !== 'error')
    await firstScreenReady(router.load(), isLeaving)
  }
  return <RouterProvider router={router} />
})
