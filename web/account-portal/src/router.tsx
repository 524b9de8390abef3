import { type Application, LoadFailed } from '@sightline/shell'
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

/** Waits for ever: the browser is leaving for the sign-in page, and nothing may be drawn meanwhile. */
const leaving = () => new Promise<never>(() => undefined)

/** The pages of specification §2. Any other path leads to `/`. */
export function createPortalRouter(portal: Application) {
  const root = createRootRoute({ component: Outlet, errorComponent: LoadFailed })
  const top = { getParentRoute: () => root }
  /** Pages whose texts do not come with the first screen. */
  const later = async <Page,>(page: Promise<Page>): Promise<Page> => {
    const [loaded] = await Promise.all([page, portal.languages.complete()])
    return loaded
  }

  const settings = createRoute({
    ...top,
    id: 'settings-area',
    component: SettingsPage,
    async beforeLoad({ location }) {
      if (portal.session.token() !== undefined) {
        prefetchAccount(portal.client, portal.queries)
        return
      }
      await portal.session.signIn(location.href)
      await leaving()
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
        component: lazyRouteComponent(() => later(loadOpenPages()), 'CookiePolicy'),
      }),
      createRoute({
        getParentRoute: () => open,
        path: '/logout',
        component: lazyRouteComponent(() => later(import('@sightline/shell/logged-out')), 'LoggedOut'),
      }),
      createRoute({
        getParentRoute: () => open,
        path: '/firstlogout',
        component: lazyRouteComponent(() => later(loadOpenPages()), 'FirstLogout'),
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
