import { getCameras } from '@sightline/contract/cameras'
import { getExports } from '@sightline/contract/exports'
import { getRecordingTimeline } from '@sightline/contract/recordings'
import { allRights, getDenyReason } from '@sightline/contract/rights'
import type { Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { loadAgreements } from '../agreements/index.ts'
import { listExports } from '../exports/index.ts'
import { listMobileSubscriptions } from '../mobile-subscriptions/index.ts'
import { loadSettings } from '../notification-settings/index.ts'
import { loadPreferences } from '../preferences/index.ts'
import {
  loadAccount,
  loadCameras,
  loadDevices,
  loadProfile,
  loadPushDevices,
  loadReportSchedules,
  loadSubscription,
  loadUsers,
  loadZones,
} from './store.ts'

/** Data about a user that is small enough to read in one go; undefined if the user may not have it. */
type Source = (tx: Tx, caller: MemberCaller) => Promise<unknown>

const ofOwner =
  (read: (tx: Tx, accountId: number) => Promise<unknown>): Source =>
  async (tx, { accountId, userId }) =>
    userId === accountId ? read(tx, accountId) : undefined

/**
 * This plane's data about a user, by its name in the download, in reading order. A slice that stores more adds its
 * source. `docs/guide/personal-data.md` describes each, and a test checks that none is missing.
 */
export const sources: Readonly<Record<string, Source>> = {
  person: loadProfile,
  rights: async (_tx, { rights }) => allRights.filter((right) => rights.has(right)),
  access: async (_tx, { access }) =>
    access.kind === 'all'
      ? { allCameras: true, cameraIds: [], zoneIds: [] }
      : { allCameras: false, cameraIds: [...access.cameraIds], zoneIds: [...access.zoneIds] },
  account: loadAccount,
  subscription: ofOwner(loadSubscription),
  mobileSubscriptions: ofOwner(listMobileSubscriptions),
  people: ofOwner(loadUsers),
  zones: ofOwner(loadZones),
  devices: ofOwner(loadDevices),
  cameras: async (tx, caller) =>
    getDenyReason(getCameras, caller) === undefined ? loadCameras(tx, caller) : undefined,
  notificationSettings: loadSettings,
  pushDevices: loadPushDevices,
  agreements: loadAgreements,
  exports: async (tx, caller) =>
    getDenyReason(getExports, caller) === undefined ? listExports(tx, caller) : undefined,
  reportSchedules: loadReportSchedules,
  preferences: loadPreferences,
}

/** Whether the caller may see which footage exists. */
export const seesFootage = (caller: MemberCaller): boolean => getDenyReason(getRecordingTimeline, caller) === undefined
