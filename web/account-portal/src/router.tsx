import { ScreenSkeleton } from '@sightline/kit'
import { type Application, lazyRoutes, PageFailed, signedInFirst } from '@sightline/shell'
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { prefetchAccount } from './account.ts'
import { loadDetails, loadEmbedded } from './first-screen.ts'
import { PublicPage, SettingsPage } from './shell/Page.tsx'

const loadNotifications = () => import('./notification-settings/NotificationSettingsScreen.tsx')
const loadMfa = () => import('./mfa/MfaScreen.tsx')
const loadPersonalData = () => import('./personal-data/PersonalDataScreen.tsx')
const loadSessions = () => import('./sessions/SessionsScreen.tsx')
const loadSupport = () => import('./support-access/SupportAccessScreen.tsx')
const loadSubscriptions = () => import('./subscriptions/SubscriptionsScreen.tsx')
const loadOpenPages = () => import('./open-pages/index.ts')
const loadLegalTexts = () => import('./legal-texts/index.ts')

/** Faster responses need no skeleton. */
const SOON_MS = 50

/** Public pages. */
function openPagesUnder(open: AnyRoute, later: ReturnType<typeof lazyRoutes>) {
  const page = (path: string, component: RouteComponent) => createRoute({ getParentRoute: () => open, path, component })
  return [
    page('/cookies', later(loadOpenPages, 'CookiePolicy')),
    page('/terms', later(loadLegalTexts, 'Terms')),
    page('/subscriptionagreement', later(loadLegalTexts, 'SubscriptionAgreement')),
    page('/aditerms', later(loadLegalTexts, 'ThirdPartyTerms')),
    page(
      '/logout',
      later(() => import('@sightline/shell/logged-out'), 'SignedOutScreen'),
    ),
    page('/firstlogout', later(loadOpenPages, 'FirstLogout')),
  ]
}

/** One address per page: lower case, no slash at the end. */
const canonicalPath = (path: string): string => path.toLowerCase().replace(/(?!^)\/+$/, '')

/** The pages of specification §2. Any other path redirects to `/`. */
export function createPortalRouter(portal: Application) {
  const root = createRootRoute({
    component: Outlet,
    errorComponent: PageFailed,
    beforeLoad({ location: { pathname, href } }) {
      const path = canonicalPath(pathname)
      if (path !== pathname) throw redirect({ href: href.replace(pathname, path), replace: true })
    },
  })
  const top = { getParentRoute: () => root }
  const later = lazyRoutes(portal)

  const settings = createRoute({
    ...top,
    id: 'settings-area',
    component: SettingsPage,
    async beforeLoad({ location }) {
      await signedInFirst(portal, location.href)
      void prefetchAccount(portal)
    },
  })
  const embedded = createRoute({
    ...top,
    id: 'embedded',
    component: later(loadEmbedded, 'EmbeddedPage'),
    beforeLoad() {
      if (portal.session.token() !== undefined) void prefetchAccount(portal)
    },
  })
  const open = createRoute({ ...top, id: 'public', component: PublicPage })
  /** The screens of the settings area. The menu uses the same rules for access. */
  const screensUnder = (parent: AnyRoute, at: string) => {
    const screen = (path: string, component: RouteComponent) =>
      createRoute({
        getParentRoute: () => parent,
        path: at + path,
        component,
        pendingComponent: ScreenSkeleton,
        pendingMs: SOON_MS,
        pendingMinMs: 0,
      })
    return [
      screen('details', lazyRouteComponent(loadDetails, 'UserDetailsScreen')),
      screen('support', later(loadSupport, 'SupportAccessScreen')),
      screen('subscriptions', later(loadSubscriptions, 'SubscriptionsScreen')),
      screen('statusnotification', later(loadNotifications, 'NotificationSettingsScreen')),
      screen('tfa', later(loadMfa, 'MfaScreen')),
      screen('personaldata', later(loadPersonalData, 'PersonalDataScreen')),
      screen('sessions', later(loadSessions, 'SessionsScreen')),
    ]
  }

  const tree = root.addChildren([
    createRoute({
      ...top,
      path: '/',
      beforeLoad() {
        throw redirect({ href: '/details', replace: true })
      },
    }),
    settings.addChildren(screensUnder(settings, '/')),
    embedded.addChildren(screensUnder(embedded, '/settings/')),
    open.addChildren(openPagesUnder(open, later)),
    createRoute({
      ...top,
      path: '$',
      beforeLoad() {
        throw redirect({ href: '/', replace: true })
      },
    }),
  ])
  return createRouter({ routeTree: tree, scrollRestoration: true, defaultErrorComponent: PageFailed })
}
