import { type Application, LoadFailed, LoggedOut } from '@sightline/shell'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { CamerasScreen } from './cameras/CamerasScreen.tsx'
import { searchOfCamera } from './moment-in-address.ts'
import { Frame } from './shell/Frame.tsx'
import { NoSuchPage } from './shell/NothingHere.tsx'

const loadCamera = () => import('./camera-view/CameraScreen.tsx')

/** Waits for ever: the browser is leaving for the sign-in page, and nothing may be drawn meanwhile. */
const leaving = () => new Promise<never>(() => undefined)

/** The pages of the Web App; any other path says that it is none. */
export function createAppRouter(app: Application) {
  // Its texts do not come with the first screen.
  const loadLoggedOut = () => app.languages.complete().then(() => ({ LoggedOut }))
  const root = createRootRoute({ component: Outlet, errorComponent: LoadFailed })
  const signedIn = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    component: Frame,
    async beforeLoad({ location }) {
      if (app.session.token() !== undefined) {
        // Whoever looks at the cameras will want to see one.
        void loadCamera()
        return
      }
      await app.session.signIn(`/app${location.href}`)
      await leaving()
    },
  })
  const tree = root.addChildren([
    signedIn.addChildren([
      createRoute({ getParentRoute: () => signedIn, path: '/', component: CamerasScreen }),
      createRoute({
        getParentRoute: () => signedIn,
        path: '/cameras/$cameraId',
        validateSearch: searchOfCamera,
        component: lazyRouteComponent(loadCamera, 'CameraScreen'),
      }),
      createRoute({ getParentRoute: () => signedIn, path: '$', component: NoSuchPage }),
    ]),
    createRoute({
      getParentRoute: () => root,
      path: '/logout',
      component: lazyRouteComponent(loadLoggedOut, 'LoggedOut'),
    }),
  ])
  return createRouter({
    routeTree: tree,
    basepath: '/app',
    scrollRestoration: true,
    defaultErrorComponent: LoadFailed,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
