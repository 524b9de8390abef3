import { type Application, lazyRoutes, PageFailed, signedInFirst } from '@sightline/shell'
import { searchOfAuditLog } from '@sightline/shell/audit-filter'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { searchOfCameraLog } from './camera-logs/log-filter.ts'
import { CamerasScreen } from './cameras/CamerasScreen.tsx'
import { searchOfCamera } from './moment-in-address.ts'
import { searchOfMultiview } from './multiview/multiview-address.ts'
import { Frame } from './shell/Frame.tsx'
import { NoSuchPage } from './shell/NothingHere.tsx'
import { searchOfStorage } from './storage-usage/days-in-address.ts'
import { cleanUserListSearch } from './users/people-filter.ts'

const loadCamera = () => import('./streams/CameraScreen.tsx')

type Later = ReturnType<typeof lazyRoutes>

const root = createRootRoute({ component: Outlet, errorComponent: PageFailed })

const signedInRoute = (app: Application) =>
  createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    component: Frame,
    async beforeLoad({ location }) {
      await signedInFirst(app, location.href)
      // A user who looks at the list will probably open a camera.
      void loadCamera()
    },
  })
type SignedIn = ReturnType<typeof signedInRoute>

/** One user, with an address for each tab. */
function userRoute(parent: SignedIn, later: Later) {
  const user = createRoute({
    getParentRoute: () => parent,
    path: '/users/$userId',
    component: later(() => import('./users/UserScreen.tsx'), 'UserScreen'),
  })
  const of = { getParentRoute: () => user }
  return user.addChildren([
    createRoute({
      ...of,
      path: '/',
      beforeLoad({ params }) {
        throw redirect({ to: '/users/$userId/details', params, replace: true })
      },
    }),
    createRoute({ ...of, path: 'details', component: later(() => import('./users/UserDetails.tsx'), 'UserDetails') }),
    createRoute({ ...of, path: 'rights', component: later(() => import('./users/UserRights.tsx'), 'UserRights') }),
    createRoute({ ...of, path: 'cameras', component: later(() => import('./users/UserCameras.tsx'), 'UserCameras') }),
    createRoute({ ...of, path: 'why', component: later(() => import('./users/UserWhy.tsx'), 'UserWhy') }),
  ])
}

/** Recorders, with an address for each page of one. */
function recorderScreens(parent: SignedIn, later: Later) {
  const of = { getParentRoute: () => parent }
  return [
    createRoute({
      ...of,
      path: '/recorders',
      component: later(() => import('./devices/RecordersScreen.tsx'), 'RecordersScreen'),
    }),
    createRoute({
      ...of,
      path: '/recorders/add',
      component: later(() => import('./devices/AddRecorderScreen.tsx'), 'AddRecorderScreen'),
    }),
    createRoute({
      ...of,
      path: '/recorders/$deviceId/{-$tab}',
      // Of the log, which is one of its pages.
      validateSearch: searchOfCameraLog,
      component: later(() => import('./devices/RecorderScreen.tsx'), 'RecorderScreen'),
    }),
  ] as const
}

/** Reports. */
function reportScreens(parent: SignedIn, later: Later) {
  const of = { getParentRoute: () => parent }
  return [
    createRoute({
      ...of,
      path: '/reports',
      component: later(() => import('./reports/ReportsScreen.tsx'), 'ReportsScreen'),
    }),
    createRoute({
      ...of,
      path: '/reports/$reportId',
      component: later(() => import('./reports/ReportScreen.tsx'), 'ReportScreen'),
    }),
  ] as const
}

/** The ways in which cameras come to an account. */
function additionScreens(parent: SignedIn, later: Later) {
  const of = { getParentRoute: () => parent }
  return [
    createRoute({
      ...of,
      path: '/body-cameras/add',
      component: later(() => import('./body-cameras/SetUpScreen.tsx'), 'SetUpScreen'),
    }),
    createRoute({
      ...of,
      path: '/cameras/add',
      component: later(() => import('./camera-additions/AddCameraScreen.tsx'), 'AddCameraScreen'),
    }),
    createRoute({
      ...of,
      path: '/transfers',
      component: later(() => import('./camera-transfers/TransfersScreen.tsx'), 'TransfersScreen'),
    }),
    createRoute({
      ...of,
      path: '/cameras/add/several',
      component: later(() => import('./camera-additions/AddSeveralScreen.tsx'), 'AddSeveralScreen'),
    }),
  ] as const
}

/** The screens other than cameras. */
function screensOf(parent: SignedIn, later: Later) {
  const of = { getParentRoute: () => parent }
  const profiles = () => import('./permission-profiles/ProfilesScreen.tsx')
  const profile = () => import('./permission-profiles/ProfileScreen.tsx')
  const auditLog = () => import('./audit-logs/AuditLogScreen.tsx')
  const apiKeys = () => import('./api-keys/ApiKeysScreen.tsx')
  return [
    createRoute({ ...of, path: '/zones', component: later(() => import('./zones/ZonesScreen.tsx'), 'ZonesScreen') }),
    createRoute({
      ...of,
      path: '/zones/$zoneId',
      component: later(() => import('./zones/ZoneScreen.tsx'), 'ZoneScreen'),
    }),
    createRoute({
      ...of,
      path: '/users',
      validateSearch: cleanUserListSearch,
      component: later(() => import('./users/UsersScreen.tsx'), 'UsersScreen'),
    }),
    userRoute(parent, later),
    createRoute({ ...of, path: '/profiles', component: later(profiles, 'ProfilesScreen') }),
    createRoute({ ...of, path: '/profiles/$profileId', component: later(profile, 'ProfileScreen') }),
    createRoute({
      ...of,
      path: '/audit-log',
      validateSearch: searchOfAuditLog,
      component: later(auditLog, 'AuditLogScreen'),
    }),
    createRoute({ ...of, path: '/api-keys', component: later(apiKeys, 'ApiKeysScreen') }),
    ...additionScreens(parent, later),
    createRoute({
      ...of,
      path: '/cameras/$cameraId/logs',
      validateSearch: searchOfCameraLog,
      component: later(() => import('./camera-logs/CameraLogScreen.tsx'), 'CameraLogScreen'),
    }),
    createRoute({
      ...of,
      path: '/cameras/$cameraId/settings/{-$tab}',
      component: later(() => import('./camera-settings/CameraSettingsScreen.tsx'), 'CameraSettingsScreen'),
    }),
    ...recorderScreens(parent, later),
    createRoute({
      ...of,
      path: '/storage',
      validateSearch: searchOfStorage,
      component: later(() => import('./storage-usage/StorageScreen.tsx'), 'StorageScreen'),
    }),
    ...reportScreens(parent, later),
    createRoute({
      ...of,
      path: '/downloads',
      component: later(() => import('./downloads/DownloadsScreen.tsx'), 'DownloadsScreen'),
    }),
    createRoute({
      ...of,
      path: '/shared',
      component: later(() => import('./shares/SharedScreen.tsx'), 'SharedScreen'),
    }),
  ] as const
}

/** The pages of the Web App. Any other path shows "not found". */
export function createAppRouter(app: Application) {
  const later = lazyRoutes(app)
  const signedIn = signedInRoute(app)
  const of = { getParentRoute: () => signedIn }
  const tree = root.addChildren([
    signedIn.addChildren([
      createRoute({ ...of, path: '/', component: CamerasScreen }),
      // People shorten the address of a camera.
      createRoute({
        ...of,
        path: '/cameras',
        beforeLoad() {
          throw redirect({ to: '/', replace: true })
        },
      }),
      createRoute({
        ...of,
        path: '/cameras/$cameraId',
        validateSearch: searchOfCamera,
        component: lazyRouteComponent(loadCamera, 'CameraScreen'),
      }),
      createRoute({
        ...of,
        path: '/multiview',
        validateSearch: searchOfMultiview,
        component: later(() => import('./multiview/MultiviewScreen.tsx'), 'MultiviewScreen'),
      }),
      ...screensOf(signedIn, later),
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
    basepath: '/app',
    scrollRestoration: true,
    defaultErrorComponent: PageFailed,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
