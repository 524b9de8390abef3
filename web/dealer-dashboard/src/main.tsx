import './main.css'
import { type Application, startApplication, whenSessionEnds } from '@sightline/shell'
import { RouterProvider } from '@tanstack/react-router'
import { languages } from './languages.ts'
import { createDealerRouter } from './router.tsx'

function screens(app: Application) {
  const router = createDealerRouter(app)
  whenSessionEnds(app, () => void app.session.signIn(`/dealer${router.state.location.href}`))
  return <RouterProvider router={router} />
}

startApplication({ name: 'dealerDashboard', languages, screens })
