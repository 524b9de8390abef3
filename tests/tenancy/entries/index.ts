import { allRoutes } from '@sightline/contract/routes'
import type { Entry } from '../cases.ts'
import type { OperationCase } from '../operation.ts'
import { cameraNetwork } from './camera-network.ts'
import { cameraTransfers } from './camera-transfers.ts'
import { camerasAndZones } from './cameras-and-zones.ts'
import { dealers } from './dealers.ts'
import { devices } from './devices.ts'
import { exportCalls } from './exports.ts'
import { notifications } from './notifications.ts'
import { ownUser } from './own-user.ts'
import { people } from './people.ts'
import { savedViewCalls } from './saved-views.ts'
import { shareCalls } from './shares.ts'

const open = { policy: { callers: 'anybody', support: 'yes' } } as const

/**
 * Every call by the name of its route; a second way of making it has words after the name. A route that is not here
 * fails the test by its name, and so does an entry without a route.
 */
export const operations: Readonly<Record<string, OperationCase>> = {
  ...ownUser,
  ...camerasAndZones,
  ...cameraNetwork,
  ...cameraTransfers,
  ...devices,
  ...exportCalls,
  ...notifications,
  ...people,
  ...savedViewCalls,
  ...shareCalls,
  ...dealers,
  getTimeZones: open,
  getCountries: open,
  getLanguages: open,
  getDeviceTypes: open,
  getOpenApi: open,
  getTheme: { ...open, send: () => ({ params: { host: 'nobody.example' } }) },
}

export const getRouteName = (title: string): string => title.split(' ', 1)[0] ?? title

export const entries: readonly Entry[] = Object.entries(operations).flatMap(([title, operation]) => {
  const route = allRoutes.find(({ name }) => name === getRouteName(title))
  return route === undefined ? [] : { title, route, operation }
})
