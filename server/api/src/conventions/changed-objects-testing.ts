// One table: for every call that changes one object, an object to change and a body that changes it. Kept in one file
// because it is a catalog.
import { reportDevice } from '../devices-testing-store.ts'
import type { TestApi } from '../slice-testing.ts'
import { oneMobileNetwork } from './camera-calls-testing.ts'
import { addBodyCamera, addOnvifCamera } from './writing-calls-cameras-testing-store.ts'

/** The target of a call: the token with the right, the path, and a body that doesn't affect other changes. */
export interface ChangedObject {
  readonly token: string
  readonly path: string
  readonly body: object
  /** How the object and its tag are read, if not by a GET of the same path. */
  readonly read?: { readonly request: string; readonly body?: object }
  /** The account whose rows the change waits for, if it belongs to one. */
  readonly accountId?: number
  /** The status of a late change, if an earlier one moved the object to another path. */
  readonly lateStatus?: 404
}

type Arrange = (api: TestApi) => Promise<ChangedObject>

const own =
  (path: string, body: object): Arrange =>
  async (api) => {
    const { accountId, token } = await api.addAccount()
    return { accountId, token, path, body }
  }

const ofSubUser =
  (tail: string, body: object): Arrange =>
  async (api) => {
    const { accountId, token } = await api.addAccount()
    const { userId } = await api.addSubUser(accountId, { rights: [] })
    return { accountId, token, path: `users/${userId}${tail}`, body }
  }

const ofOneCamera =
  (path: (cameraId: number) => string, body: object): Arrange =>
  async (api) => {
    const { accountId, token, zoneId } = await api.addAccount()
    return { accountId, token, path: path(await api.addCamera(accountId, zoneId, 'Door')), body }
  }

const ofZone =
  (tail: string, body: object): Arrange =>
  async (api) => {
    const { accountId, token, zoneId } = await api.addAccount()
    return { accountId, token, path: `zones/${zoneId}${tail}`, body }
  }

/** A group, sequence or layout, whose one camera is put in where its content has none. */
const savedView =
  (list: 'cameraGroups' | 'sequences' | 'layouts', content: object): Arrange =>
  async (api) => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const steps = 'steps' in content ? { steps: [{ cameraIds: [cameraId], seconds: 10 }] } : {}
    const made = (await api.call(token, `POST ${list}`, { name: 'Night', ...content, ...steps })).body
    const path = `${list}/${made.cameraGroupId ?? made.sequenceId ?? made.layoutId}`
    return { accountId, token, path, body: { name: 'Day' }, read: { request: `PATCH ${path}`, body: {} } }
  }

const oneSpan = { recording: [{ days: ['mon'], from: '09:00', to: '17:00' }], push: [], email: [] }

const oneArea = [
  {
    areaId: 1,
    kind: 'exclusion',
    points: [
      [0, 0],
      [1, 0],
      [1, 0.2],
    ],
    enabled: true,
  },
]

const ofDevice =
  (tail: string, body: object): Arrange =>
  async (api) => {
    const { accountId, token, zoneId } = await api.addAccount()
    const recorder = { name: 'Cellar', zoneId, address: '192.0.2.60', username: 'admin', password: 'secret' }
    const { deviceId } = (await api.call(token, 'POST devices', recorder)).body
    await reportDevice(api, { accountId, deviceId })
    return { accountId, token, path: `devices/${deviceId}${tail}`, body }
  }

const byAdmin =
  (arrange: (api: TestApi) => Promise<Omit<ChangedObject, 'token'>>): Arrange =>
  async (api) => ({ token: (await api.addStaff({ level: 'admin' })).token, ...(await arrange(api)) })

const ofReseller = (tail: string, body: object): Arrange =>
  byAdmin(async (api) => ({ path: `resellers/${await api.addReseller()}${tail}`, body }))

const ofAccount = (tail: (accountId: number) => string, body: object): Arrange =>
  byAdmin(async (api) => {
    const { accountId } = await api.addAccount()
    return { accountId, path: `resellers/255/accounts/${accountId}${tail(accountId)}`, body }
  })

const PACKAGE = { sku: null, quality: null, retention: null, maxAmountOfCameras: 10 }
const PACKAGE_ID = 4711

/** As in RFC 8291, section 5. */
const BROWSER_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

/** By the name of the call. */
export const changedObjects: Readonly<Record<string, Arrange>> = {
  patchUser: own('users/self', { firstName: 'Grace' }),
  patchUserDetails: own('users/self/details', { city: 'Delft' }),
  patchPreferences: own('users/self/preferences', { tour: 'seen' }),
  patchAccountDetails: own('accounts/self/details', { city: 'Delft' }),
  patchTimeZone: own('accounts/self/timeZone', { timeZone: 'Asia/Tokyo' }),
  patchSupportAccess: own('users/self/status', { allowsHelpdeskShowVideo: true }),
  patchNotificationSetting: async (api) => {
    const { accountId, token } = await api.addAccount()
    const path = 'users/self/notificationSettings/cameraDown'
    return { accountId, token, path, body: { alertDelay: 5 }, read: { request: `PATCH ${path}`, body: {} } }
  },
  async putPushDevice(api) {
    const { accountId, token } = await api.addAccount()
    const path = 'users/self/pushDevices'
    const subscription = { endpoint: `https://push.example/${accountId}`, keys: BROWSER_KEYS }
    const device = { platform: 'web', appVersion: '1', subscription }
    const read = { request: `PUT ${path}`, body: device }
    return { accountId, token, path, body: { ...device, appVersion: '2' }, read }
  },
  async patchEvent(api) {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const custom = { type: 'custom', name: 'Badge 12' }
    const { eventId } = (await api.call(token, `POST cameras/${cameraId}/events`, custom)).body
    return { accountId, token, path: `events/${eventId}`, body: { note: 'seen' } }
  },
  async putCameraMaintenance(api) {
    const { accountId, token, zoneId } = await api.addAccount()
    const path = `devices/${await api.addCamera(accountId, zoneId, 'Door')}/maintenance`
    return { accountId, token, path, body: { enabled: true } }
  },
  async patchCameraWarning(api) {
    const { accountId, token, zoneId } = await api.addAccount()
    const path = `cameras/${await api.addCamera(accountId, zoneId, 'Door')}/warnings/clockWrong`
    return { accountId, token, path, body: { dismissed: true }, read: { request: `PATCH ${path}`, body: {} } }
  },
  patchVideoSettings: ofOneCamera((cameraId) => `cameras/${cameraId}/settings/video`, { framesPerSecond: 10 }),
  patchCameraWifi: ofOneCamera((cameraId) => `cameras/${cameraId}/wifi`, { enabled: false }),
  async putMobileNetwork(api) {
    const account = await api.addAccount()
    return { ...account, path: `cameras/${await addBodyCamera(api, account)}/mobileNetwork`, body: oneMobileNetwork }
  },
  patchCameraNetwork: ofOneCamera((cameraId) => `cameras/${cameraId}/network`, {
    dns: { dhcp: false, servers: ['192.0.2.53'] },
  }),
  async patchCameraUser(api) {
    const { accountId, token, zoneId } = await api.addAccount()
    const path = `cameras/${await api.addCamera(accountId, zoneId, 'Door')}/connection/users/guard`
    return { accountId, token, path, body: { level: 'user' }, read: { request: `PATCH ${path}`, body: {} } }
  },
  patchCameraPort: ofOneCamera((cameraId) => `cameras/${cameraId}/io/output-1`, { name: 'Gate' }),
  async patchCloudSync(api) {
    const account = await api.addAccount()
    const cameraId = await addOnvifCamera(api, account, 'Door')
    return { ...account, path: `cameras/${cameraId}/cloudSync`, body: { enabled: true } }
  },
  patchDevice: ofDevice('', { name: 'Attic' }),
  async patchDeviceUser(api) {
    const { path, ...account } = await ofDevice('/connection/users/guard', { level: 'user' })(api)
    return { ...account, path, read: { request: `PATCH ${path}`, body: {} } }
  },
  patchDeviceCredentials: ofDevice('/connection/credentials', { username: 'operator' }),
  patchCameraLocation: ofOneCamera((cameraId) => `cameras/${cameraId}/location`, { timeZone: 'Asia/Tokyo' }),
  patchCameraConnection: ofOneCamera((cameraId) => `cameras/${cameraId}/connection/details`, { localPort: 8554 }),
  patchCameraCredentials: ofOneCamera((cameraId) => `cameras/${cameraId}/connection/credentials`, {
    username: 'operator',
  }),
  patchAudioSettings: ofOneCamera((cameraId) => `cameras/${cameraId}/settings/audio`, { microphone: false }),
  patchCameraMode: ofOneCamera((cameraId) => `cameras/${cameraId}/mode`, { mode: 'silent' }),
  patchVideoDetector: ofOneCamera((cameraId) => `cameras/${cameraId}/detectors/video`, { sensitivity: 70 }),
  patchAudioDetector: ofOneCamera((cameraId) => `cameras/${cameraId}/detectors/audio`, { sensitivity: 70 }),
  patchPirDetector: ofOneCamera((cameraId) => `cameras/${cameraId}/detectors/pir`, { inputs: ['input-1'] }),
  putDetectionAreas: ofOneCamera((cameraId) => `cameras/${cameraId}/detectors/video/areas`, oneArea),
  putCameraSchedule: ofOneCamera((cameraId) => `cameras/${cameraId}/schedule`, oneSpan),
  patchZoneMode: ofZone('/mode', { mode: 'silent' }),
  putZoneSchedule: ofZone('/schedule', oneSpan),
  patchPerson: ofSubUser('', { firstName: 'Grace' }),
  patchPersonDetails: ofSubUser('/details', { city: 'Delft' }),
  patchPersonRights: ofSubUser('/rights', { ptz: true }),
  patchPersonAccess: ofSubUser('/access', { allCameras: true }),
  async patchPermissionProfile(api) {
    const { accountId, token } = await api.addAccount()
    const { body } = await api.call(token, 'POST permissionProfiles', { name: 'Shift', rights: {} })
    return { accountId, token, path: `permissionProfiles/${body.permissionProfileId}`, body: { name: 'Night shift' } }
  },
  patchCameraGroup: savedView('cameraGroups', { cameraIds: [] }),
  patchSequence: savedView('sequences', { steps: [] }),
  patchLayout: savedView('layouts', { grid: 4, tiles: [] }),
  async patchZone(api) {
    const { accountId, token, zoneId } = await api.addAccount()
    return { accountId, token, path: `zones/${zoneId}`, body: { name: 'Yard' } }
  },
  async patchCamera(api) {
    const { accountId, token, zoneId } = await api.addAccount()
    return {
      accountId,
      token,
      path: `cameras/${await api.addCamera(accountId, zoneId, 'Door')}`,
      body: { name: 'Gate' },
    }
  },
  patchDistributor: byAdmin(async (api) => ({
    path: `distributors/${await api.addDistributor()}`,
    body: { country: 'NL' },
  })),
  patchReseller: ofReseller('', { timeZone: 'Asia/Tokyo' }),
  patchResellerTheme: ofReseller('/theme', { companyName: 'Watchful' }),
  patchModules: byAdmin(async (api) => {
    const path = `resellers/${await api.addReseller()}/modules`
    return { path, body: { reports: false }, read: { request: `PATCH ${path}`, body: {} } }
  }),
  patchResellerAccount: ofAccount(() => '', { name: 'Corner Shop' }),
  patchMobileSubscription: byAdmin(async (api) => {
    const { accountId } = await api.addAccount()
    const token = (await api.addStaff({ level: 'admin' })).token
    const list = `resellers/255/accounts/${accountId}/mobileSubscriptions`
    const card = { iccid: `894400${String(accountId).padStart(16, '0')}`, sku: 'DATA-1GB' }
    const { mobileSubscriptionId } = (await api.call(token, `POST ${list}`, card)).body
    return { accountId, path: `${list}/${mobileSubscriptionId}`, body: { sku: 'DATA-5GB' } }
  }),
  patchAccountUser: ofAccount((accountId) => `/users/${accountId}`, { firstName: 'Grace' }),
  patchAccountStatus: byAdmin(async (api) => {
    const { accountId } = await api.addAccount()
    await api.owner.plain
      .updateTable('accounts')
      .set({ user_type: 'demo' })
      .where('account_id', '=', accountId)
      .execute()
    const path = `accounts/${accountId}/status`
    return { accountId, path, body: { publicDemo: true }, read: { request: `PATCH ${path}`, body: {} } }
  }),
  moveAccount: byAdmin(async (api) => {
    const { accountId } = await api.addAccount()
    const path = `resellers/255/accounts/${accountId}`
    const read = { request: `GET ${path}` }
    return { accountId, path: `${path}/reseller`, body: { resellerId: await api.addReseller() }, read, lateStatus: 404 }
  }),
  patchResellerStaffUser: byAdmin(async (api) => {
    const { userId } = await api.addStaff({ level: 'reseller' })
    return { path: `resellers/255/users/${userId}`, body: { firstName: 'Grace' } }
  }),
  patchDistributorStaffUser: byAdmin(async (api) => {
    const { userId } = await api.addStaff({ level: 'distributor' })
    return { path: `distributors/1/users/${userId}`, body: { firstName: 'Grace' } }
  }),
  patchProviderStaffUser: byAdmin(async (api) => {
    const { userId } = await api.addStaff({ level: 'admin' })
    return { path: `provider/users/${userId}`, body: { firstName: 'Grace' } }
  }),
  patchSubscription: byAdmin(async (api) => {
    const { accountId } = await api.addAccount()
    const resellerId = 255
    const token = (await api.addStaff({ level: 'admin' })).token
    for (const maxAmountOfCameras of [10, 20]) {
      const path = `resellers/${resellerId}/subscriptionPackages/${PACKAGE_ID + maxAmountOfCameras}`
      const sold = { name: `Up to ${maxAmountOfCameras}`, sku: 'S', quality: 'SD1', retention: 168, maxAmountOfCameras }
      await api.call(token, `PUT ${path}`, sold)
    }
    const path = `resellers/${resellerId}/accounts/${accountId}/subscriptions/current`
    await api.call(token, `PATCH ${path}`, { subscriptionId: PACKAGE_ID + 10 })
    return { accountId, path, body: { subscriptionId: PACKAGE_ID + 20 } }
  }),
  putSubscriptionPackage: byAdmin(async (api) => {
    const path = `resellers/${await api.addReseller()}/subscriptionPackages/${PACKAGE_ID}`
    const read = { request: `PUT ${path}`, body: { name: 'Custom_10', ...PACKAGE } }
    return { path, body: { name: 'Other_10', ...PACKAGE }, read }
  }),
}
