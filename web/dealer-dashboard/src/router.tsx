import { type Application, lazyRoutes, PageFailed, signedInFirst } from '@sightline/shell'
import { searchOfAuditLog } from '@sightline/shell/audit-filter'
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { distributorsInAddress } from './distributors/distributor-list-state.ts'
import { searchOfJobs } from './jobs/job-filter.ts'
import { accountsInAddress } from './reseller-accounts/account-list-state.ts'
import { resellersInAddress } from './resellers/reseller-list-state.ts'
import { Frame } from './shell/Frame.tsx'
import { cleanSearch } from './shell/list-in-address.ts'
import { NoSuchPage } from './shell/NothingHere.tsx'
import { homePath } from './shell/nav-items.ts'
import { ownStaffQuery } from './shell/own-staff.ts'
import { staffInAddress } from './staff/staff-list-state.ts'

const ofStaff = cleanSearch(staffInAddress)

type Later = ReturnType<typeof lazyRoutes>

const root = createRootRoute({ component: Outlet, errorComponent: PageFailed })

const signedInRoute = (app: Application) =>
  createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    component: Frame,
    async beforeLoad({ location }) {
      await signedInFirst(app, location.href)
      await app.queries.ensureQueryData(ownStaffQuery(app.client))
    },
  })
type SignedIn = ReturnType<typeof signedInRoute>

/** The pages of one reseller. */
function resellerRoute(parent: SignedIn, later: Later) {
  const reseller = createRoute({
    getParentRoute: () => parent,
    path: '/resellers/$resellerId',
    component: later(() => import('./resellers/ResellerFrame.tsx'), 'ResellerFrame'),
  })
  const of = { getParentRoute: () => reseller }
  const accounts = () => import('./reseller-accounts/AccountsScreen.tsx')
  const account = () => import('./reseller-accounts/AccountScreen.tsx')
  const staff = () => import('./staff/StaffScreens.tsx')
  const settings = () => import('./resellers/ResellerScreen.tsx')
  const auditLog = () => import('./audit-logs/AuditLogScreen.tsx')
  const insights = () => import('./insights/InsightsScreen.tsx')
  const reports = () => import('./reports/ReportsScreen.tsx')
  const apiKeys = () => import('./api-keys/ApiKeysScreen.tsx')
  const packages = () => import('./subscriptions/PackagesScreen.tsx')
  const brand = () => import('./theme/BrandScreen.tsx')
  const firmware = () => import('./firmware-images/FirmwareScreen.tsx')
  return reseller.addChildren([
    createRoute({
      ...of,
      path: 'accounts',
      validateSearch: cleanSearch(accountsInAddress),
      component: later(accounts, 'AccountsScreen'),
    }),
    createRoute({ ...of, path: 'accounts/$accountId', component: later(account, 'AccountScreen') }),
    createRoute({ ...of, path: 'insights', component: later(insights, 'InsightsScreen') }),
    createRoute({ ...of, path: 'reports', component: later(reports, 'ReportsScreen') }),
    createRoute({ ...of, path: 'api-keys', component: later(apiKeys, 'ApiKeysScreen') }),
    createRoute({ ...of, path: 'packages', component: later(packages, 'PackagesScreen') }),
    createRoute({ ...of, path: 'firmware', component: later(firmware, 'FirmwareScreen') }),
    createRoute({ ...of, path: 'brand', component: later(brand, 'BrandScreen') }),
    createRoute({ ...of, path: 'staff', validateSearch: ofStaff, component: later(staff, 'ResellerStaff') }),
    createRoute({ ...of, path: 'staff/$userId', component: later(staff, 'ResellerStaffMember') }),
    createRoute({
      ...of,
      path: 'audit-log',
      validateSearch: searchOfAuditLog,
      component: later(auditLog, 'AuditLogScreen'),
    }),
    createRoute({ ...of, path: 'settings', component: later(settings, 'ResellerScreen') }),
  ])
}

/** The pages of one distributor. */
function distributorRoute(parent: SignedIn, later: Later) {
  const distributor = createRoute({
    getParentRoute: () => parent,
    path: '/distributors/$distributorId',
    component: later(() => import('./distributors/DistributorFrame.tsx'), 'DistributorFrame'),
  })
  const of = { getParentRoute: () => distributor }
  const resellers = () => import('./resellers/ResellersScreen.tsx')
  const staff = () => import('./staff/StaffScreens.tsx')
  const settings = () => import('./distributors/DistributorScreen.tsx')
  return distributor.addChildren([
    createRoute({
      ...of,
      path: 'resellers',
      validateSearch: cleanSearch(resellersInAddress),
      component: later(resellers, 'ResellersScreen'),
    }),
    createRoute({ ...of, path: 'staff', validateSearch: ofStaff, component: later(staff, 'DistributorStaff') }),
    createRoute({ ...of, path: 'staff/$userId', component: later(staff, 'DistributorStaffMember') }),
    createRoute({ ...of, path: 'settings', component: later(settings, 'DistributorScreen') }),
  ])
}

/** The pages of the Dealer Dashboard. Any other path shows "not found". */
export function createDealerRouter(app: Application) {
  const later = lazyRoutes(app)
  const signedIn = signedInRoute(app)
  const of = { getParentRoute: () => signedIn }
  const distributors = () => import('./distributors/DistributorsScreen.tsx')
  const staff = () => import('./staff/StaffScreens.tsx')
  const tree = root.addChildren([
    signedIn.addChildren([
      createRoute({
        ...of,
        path: '/',
        async beforeLoad() {
          const own = await app.queries.ensureQueryData(ownStaffQuery(app.client))
          throw redirect({ href: homePath(own), replace: true })
        },
      }),
      resellerRoute(signedIn, later),
      distributorRoute(signedIn, later),
      createRoute({
        ...of,
        path: '/distributors',
        validateSearch: cleanSearch(distributorsInAddress),
        component: later(distributors, 'DistributorsScreen'),
      }),
      createRoute({
        ...of,
        path: '/administrators',
        validateSearch: ofStaff,
        component: later(staff, 'ProviderStaff'),
      }),
      createRoute({ ...of, path: '/administrators/$userId', component: later(staff, 'ProviderStaffMember') }),
      createRoute({
        ...of,
        path: '/jobs',
        validateSearch: searchOfJobs,
        component: later(() => import('./jobs/JobsScreen.tsx'), 'JobsScreen'),
      }),
      createRoute({ ...of, path: '$', component: NoSuchPage }),
    ]),
    createRoute({
      getParentRoute: () => root,
      path: '/logout',
      component: later(() => import('@sightline/shell/logged-out'), 'SignedOutScreen'),
    }),
  ])
  return createRouter({
    routeTree: tree,
    basepath: '/dealer',
    scrollRestoration: true,
    defaultErrorComponent: PageFailed,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDealerRouter>
  }
}
