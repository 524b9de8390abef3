import './main.css'
import { type Application, startApplication, whenSessionEnds } from '@sightline/shell'
import { RouterProvider } from '@tanstack/react-router'
import { languages } from './languages.ts'
import { createAppRouter } from './router.tsx'
import { watchSession } from './session-watch.ts'

function screens(app: Application) {
  const router = createAppRouter(app)
  whenSessionEnds(app, () => void app.session.signIn(`/app${router.state.location.href}`))
  watchSession(app.session)
  return <RouterProvider router={router} />
}

startApplication({ name: 'cameraApp', languages, screens })
