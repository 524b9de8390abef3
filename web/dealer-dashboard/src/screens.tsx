import { createView, whenSessionEnds } from '@sightline/shell'
import { createDealerRouter } from './router.tsx'

/** The pages of the Dealer Dashboard with their components. */
export const view = createView((app) => {
  const router = createDealerRouter(app)
  whenSessionEnds(app, () => void app.session.signIn(`/dealer${router.state.location.href}`))
  return router
})
