import { createView, whenSessionEnds } from '@sightline/shell'
import { createAppRouter } from './router.tsx'
import { watchSession } from './session-watch.ts'

/** The pages of the Web App with their components. */
export const view = createView((app) => {
  const router = createAppRouter(app)
  whenSessionEnds(app, () => void app.session.signIn(`/app${router.state.location.href}`))
  watchSession(app.session)
  return router
})
