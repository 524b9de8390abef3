import { type Application, LoadFailed, laterOf, signedInFirst } from '@sightline/shell'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { prefetchAccount } from './account.ts'
import { EmbeddedPage, PublicPage, SettingsPage } from './shell/Page.tsx'

const loadDetails = () => import('./user-details/UserDetailsScreen.tsx')
const loadOpenPages = () => import('./open-pages/index.ts')

/** Starts loading the screen of that address while the configuration is still on its way. */
export function loadFirstScreen(pathname: string): void {
  if (['/', '/details', '/settings/details'].includes(pathname)) void loadDetails()
}

/** The pages of specification §2. Any other path leads to `/`. */
export function createPortalRouter(portal: Application) {
  const root = createRootRoute({ component: Outlet, errorComponent: LoadFailed })
  const top = { getParentRoute: () => root }
  const later = laterOf(portal)

  const settings = createRoute({
    ...top,
    id: 'settings-area',
    component: SettingsPage,
    async beforeLoad({ location }) {
      await signedInFirst(portal, location.href)
      prefetchAccount(portal.client, portal.queries)
    },
  })
  const embedded = createRoute({
    ...top,
    id: 'embedded',
    component: EmbeddedPage,
  })
  const open = createRoute({ ...top, id: 'public', component: PublicPage })

  const tree = root.addChildren([
    createRoute({
      ...top,
      path: '/',
      beforeLoad() {
        throw redirect({ href: '/details', replace: true })
      },
    }),
    settings.addChildren([
      createRoute({
        getParentRoute: () => settings,
        path: '/details',
        component: lazyRouteComponent(loadDetails, 'UserDetailsScreen'),
      }),
    ]),
    embedded.addChildren([
      createRoute({
        getParentRoute: () => embedded,
        path: '/settings/details',
        component: lazyRouteComponent(loadDetails, 'UserDetailsScreen'),
      }),
    ]),
    open.addChildren([
      createRoute({
        getParentRoute: () => open,
        path: '/cookies',
        component: later(loadOpenPages, 'CookiePolicy'),
      }),
      createRoute({
        getParentRoute: () => open,
        path: '/logout',
        component: later(() => import('@sightline/shell/logged-out'), 'LoggedOut'),
      }),
      createRoute({
        getParentRoute: () => open,
        path: '/firstlogout',
        component: later(loadOpenPages, 'FirstLogout'),
      }),
    ]),
    createRoute({
      ...top,
      path: '$',
      beforeLoad() {
        throw redirect({ href: '/', replace: true })
      },
    }),
  ])
  return createRouter({ routeTree: tree, scrollRestoration: true, defaultErrorComponent: LoadFailed })
}
