import { createView, whenSessionEnds } from '@sightline/shell'
import { isEmbedded } from './embedding.ts'
import { createPortalRouter } from './router.tsx'

/** The pages of the account portal with their components. */
export const view = createView((portal) => {
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
  return router
})
