import type { Right } from '@sightline/contract/rights'
import { type Application, accountQueries, laterOf, PageFailed, signedInFirst } from '@sightline/shell'
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
import { managesSubscription } from './shell/links.ts'
import { EmbeddedPage, PublicPage, SettingsPage } from './shell/Page.tsx'

const loadDetails = () => import('./user-details/UserDetailsScreen.tsx')
const loadNotifications = () => import('./status-notification/StatusNotificationScreen.tsx')
const loadMfa = () => import('./mfa/MfaScreen.tsx')
const loadPersonalData = () => import('./personal-data/PersonalDataScreen.tsx')
const loadSessions = () => import('./sessions/SessionsScreen.tsx')
const loadSupport = () => import('./support-access/SupportAccessScreen.tsx')
const loadSubscriptions = () => import('./subscriptions/SubscriptionsScreen.tsx')
const loadOpenPages = () => import('./open-pages/index.ts')
const loadLegalTexts = () => import('./legal-texts/index.ts')

/** Starts loading the screen of that address while the configuration is still on its way. */
export function loadFirstScreen(pathname: string): void {
  if (['/', '/details', '/settings/details'].includes(pathname)) void loadDetails()
}

/** Whether the signed-in user has the right, or manages the account's subscription. */
async function isOpenTo({ client, queries }: Application, needs: Right | 'selfService'): Promise<boolean> {
  const { rights, user, flags } = accountQueries(client)
  if (needs !== 'selfService') return (await queries.ensureQueryData(rights))[needs]
  return managesSubscription(await queries.ensureQueryData(user), await queries.ensureQueryData(flags))
}

/** Pages that need no sign-in. */
function openPagesUnder(open: AnyRoute, later: ReturnType<typeof laterOf>) {
  const page = (path: string, component: RouteComponent) => createRoute({ getParentRoute: () => open, path, component })
  return [
    page('/cookies', later(loadOpenPages, 'CookiePolicy')),
    page('/terms', later(loadLegalTexts, 'Terms')),
    page('/subscriptionagreement', later(loadLegalTexts, 'SubscriptionAgreement')),
    page('/aditerms', later(loadLegalTexts, 'ThirdPartyTerms')),
    page(
      '/logout',
      later(() => import('@sightline/shell/logged-out'), 'LoggedOut'),
    ),
    page('/firstlogout', later(loadOpenPages, 'FirstLogout')),
  ]
}

/** The pages of specification §2. Any other path leads to `/`. */
export function createPortalRouter(portal: Application) {
  const root = createRootRoute({ component: Outlet, errorComponent: PageFailed })
  const top = { getParentRoute: () => root }
  const later = laterOf(portal)

  const settings = createRoute({
    ...top,
    id: 'settings-area',
    component: SettingsPage,
    async beforeLoad({ location }) {
      await signedInFirst(portal, location.href)
      prefetchAccount(portal)
    },
  })
  const embedded = createRoute({
    ...top,
    id: 'embedded',
    component: EmbeddedPage,
  })
  const open = createRoute({ ...top, id: 'public', component: PublicPage })
  /** The screens of the settings area, with the right that a screen needs; whoever has it not is led to the details. */
  const screensUnder = (parent: AnyRoute, at: string) => {
    const screen = (path: string, component: RouteComponent, needs?: Right | 'selfService') =>
      createRoute({
        getParentRoute: () => parent,
        path: at + path,
        component,
        async beforeLoad() {
          if (needs === undefined || portal.session.token() === undefined) return
          // Where nobody can tell, the screen says what is wrong.
          const mayOpen = await isOpenTo(portal, needs).catch(() => true)
          if (!mayOpen) throw redirect({ href: `${at}details`, replace: true })
        },
      })
    return [
      screen('details', lazyRouteComponent(loadDetails, 'UserDetailsScreen')),
      screen('support', later(loadSupport, 'SupportAccessScreen')),
      screen('subscriptions', later(loadSubscriptions, 'SubscriptionsScreen'), 'selfService'),
      screen('statusnotification', later(loadNotifications, 'StatusNotificationScreen'), 'editCamera'),
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
