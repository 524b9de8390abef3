/** Every call of the API that writes, each with a request that is valid in a world arranged for it. For tests. */
import { encodePasswordHeader, PASSWORD_HEADER } from '@sightline/contract/credentials'
import { allRights, type Right } from '@sightline/contract/rights'
import { MS_PER_DAY } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { type PushReceiver, startPushReceiver } from '@sightline/platform/web-push/testing'
import { sql } from 'kysely'
import { RIGHT_PASSWORD, type TestApi, testApi } from '../api-testing.ts'
import { obedientOutputs, settableCameras } from '../media-testing.ts'
import { cameraSettingCalls, oneMobileNetwork } from './camera-calls-testing.ts'
import { recordingCalls } from './recording-calls-testing.ts'
import { addSavedViews, type SavedViews, savedViewCalls } from './saved-view-calls-testing.ts'
import {
  addBodyCamera,
  addBusyCamera,
  addBusyDevice,
  addDevice,
  addDoneExport,
  addDoneShare,
  addEvent,
  addFirmwareToUpload,
  addLock,
  addOnvifCamera,
  addReplacedCamera,
  addTransfers,
  addUpgradable,
  dealerFirmwareCalls,
  firmwareCalls,
} from './writing-calls-cameras-testing-store.ts'

/** Everything of which these calls write something. */
const WRITTEN = [
  'accounts',
  'users',
  'user_cameras',
  'user_zones',
  'zones',
  'saved_views',
  'cameras',
  'staff',
  'staff_accounts',
  'mobile_subscriptions',
  'body_camera_setup_codes',
  'body_cameras',
  'resellers',
  'brand_hosts',
  'distributors',
  'permission_profiles',
  'subscriptions',
  'subscription_packages',
  'reports',
  'report_schedules',
  'notification_settings',
  'camera_maintenance',
  'camera_transfers',
  'events',
  'footage_locks',
  'footage_deletion_requests',
  'exports',
  'export_links',
  'shares',
  'share_views',
  'push_devices',
  'agreements',
  'mail_outbox',
  'email_changes',
  'auth.mail_requests',
  'erasures',
  'stream_tickets',
  'audit_log',
] as const

/** The rows of all of it, as text. */
export async function writtenRows({ owner }: TestApi): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {}
  for (const table of WRITTEN) {
    const asText = sql<{ text: string }>`select t::text as text from ${sql.table(table)} t order by 1`
    const { rows } = await asText.execute(owner.plain)
    found[table] = rows.map(({ text }) => text)
  }
  return found
}

interface Account {
  readonly accountId: number
  readonly zoneId: number
  readonly token: string
}

export interface WritingWorld {
  readonly account: Account
  readonly peer: number
  readonly blocked: number
  /** An account without cameras. */
  readonly bare: number
  readonly cameraId: number
  /** Its addition failed. */
  readonly failedCameraId: number
  readonly replacedCameraId: number
  /** A recorder that responds. */
  readonly deviceId: number
  /** The same, with a job that waits. */
  readonly busyDevice: { readonly deviceId: number; readonly jobId: number }
  /** A camera that can be restarted, with a job that waits. */
  readonly busyCamera: { readonly cameraId: number; readonly jobId: number }
  readonly onvifCameraId: number
  readonly bodyCameraId: number
  readonly transfers: Awaited<ReturnType<typeof addTransfers>>
  readonly upgradable: { readonly cameraId: number; readonly deviceId: number }
  readonly eventId: number
  readonly lockId: number
  readonly exportId: number
  readonly shareId: number
  readonly shareSecret: string
  readonly savedViews: SavedViews
  readonly emptyZone: number
  readonly profileId: number
  /** An unknown one. */
  readonly newBrowser: object
  /** Of the owner. */
  readonly pushDeviceId: number
  readonly reportScheduleId: number
  readonly mobileSubscriptionId: number
  readonly firmwareImageId: number
  readonly colleague: number
  readonly distributorStaff: number
  readonly admin: number
  readonly other: { readonly resellerId: number; readonly distributorId: number }
  /** A reseller whose brand has a host. */
  readonly hosted: number
  /** Waits until an hour from now. */
  readonly jobId: number
}

export async function arrange(api: TestApi, receiver: PushReceiver): Promise<WritingWorld> {
  const account = await api.addAccount()
  const { accountId } = account
  const peer = await api.addSubUser(accountId, { rights: [] })
  const blocked = await api.addSubUser(accountId, { rights: [] })
  await api.owner.plain.updateTable('users').set({ blocked: true }).where('user_id', '=', blocked.userId).execute()
  const cameraId = await api.addCamera(accountId, account.zoneId, 'Door')
  const failedCameraId = await api.addCamera(accountId, account.zoneId, 'Basement')
  const cameras = api.owner.plain.updateTable('cameras').where('camera_id', '=', failedCameraId)
  await cameras.set({ addition_status: 'failure' }).execute()
  const zone = await api.call(account.token, 'POST zones', { name: 'Empty' })
  const profile = await api.call(account.token, 'POST permissionProfiles', { name: 'Guards', rights: {} })
  const browser = { platform: 'web', locale: 'nl', subscription: receiver.subscribe() }
  const device = await api.call(account.token, 'PUT users/self/pushDevices', browser)
  const schedule = { ...span, type: 'storageUsage', format: 'json', schedule: { every: 'day', at: '06:00' } }
  await api.call(account.token, 'POST reports', schedule)
  const [scheduled] = (await api.call(account.token, 'GET reportSchedules')).body
  // Requested by the owner, to be cancelled.
  await api.owner.plain
    .updateTable('users')
    .set({ deletion_requested_at: instant(Date.now()), deletes_at: instant(Date.now() + 14 * MS_PER_DAY) })
    .where('user_id', '=', accountId)
    .execute()
  const distributorId = await api.addDistributor()
  const resellerId = await api.addReseller()
  await api.addPackage(1, { resellerId })
  const hosted = await api.addReseller()
  // Each of these exists once, because all fixtures share one database.
  await api.owner.plain.deleteFrom('brand_hosts').where('host', 'in', ['there.example', 'waiting.example']).execute()
  await api.owner.plain.insertInto('brand_hosts').values({ host: 'there.example', reseller_id: hosted }).execute()
  return {
    account,
    peer: peer.userId,
    blocked: blocked.userId,
    bare: (await api.addAccount()).accountId,
    cameraId,
    failedCameraId,
    replacedCameraId: await addReplacedCamera(api, account),
    deviceId: await addDevice(api, account, '192.0.2.60'),
    busyDevice: await addBusyDevice(api, account),
    busyCamera: await addBusyCamera(api, account),
    onvifCameraId: await addOnvifCamera(api, account, 'Porch'),
    bodyCameraId: await addBodyCamera(api, account),
    transfers: await addTransfers(api, account),
    upgradable: await addUpgradable(api, account),
    eventId: await addEvent(api, accountId, cameraId),
    lockId: await addLock(api, accountId, cameraId),
    exportId: await addDoneExport(api, accountId, cameraId),
    ...(await addDoneShare(api, accountId, cameraId)),
    savedViews: await addSavedViews(api, account.token, cameraId),
    emptyZone: zone.body.zoneId,
    profileId: profile.body.permissionProfileId,
    newBrowser: { ...browser, subscription: receiver.subscribe() },
    pushDeviceId: device.body.pushDeviceId,
    reportScheduleId: scheduled.reportScheduleId,
    mobileSubscriptionId: await addMobileSubscription(api, accountId),
    firmwareImageId: await addFirmwareToUpload(api, accountId),
    colleague: (await api.addStaff()).userId,
    distributorStaff: (await api.addStaff({ level: 'distributor' })).userId,
    admin: (await api.addStaff({ level: 'admin' })).userId,
    other: { resellerId, distributorId },
    hosted,
    jobId: await addJob(api),
  }
}

async function addMobileSubscription({ owner }: TestApi, accountId: number): Promise<number> {
  const id = accountId + 1_000_000_000
  // A card exists once, because all fixtures share one database.
  await owner.plain.deleteFrom('mobile_subscriptions').execute()
  const card = { iccid: '894400000000000001', sku: 'DATA-1GB' }
  await owner.plain
    .insertInto('mobile_subscriptions')
    .values({ account_id: accountId, mobile_subscription_id: id, ...card })
    .execute()
  return id
}

async function addJob({ owner }: TestApi): Promise<number> {
  // Its number is that of an id, and not how many jobs there were.
  const sequence = sql`pg_get_serial_sequence('graphile_worker._private_jobs', 'id')`
  await sql`select setval(${sequence}, nextval(${sequence}) + 10000)`.execute(owner.plain)
  const payload = JSON.stringify({ accountId: 7, mailId: 7 })
  await sql`select enqueue_job('sendMail', ${payload}::jsonb, null, now() + interval '1 hour')`.execute(owner.plain)
  const { rows } = await sql<{ id: number }>`select max(id) as id from graphile_worker._private_jobs`.execute(
    owner.plain,
  )
  return rows[0]?.id ?? 0
}

type Request = readonly [request: string, body?: unknown, headers?: Record<string, string>]
export type Requests = Readonly<Record<string, (world: WritingWorld) => Request>>

export const span = { from: '2026-11-01', till: '2026-11-02', format: 'csv' }
const puppet = { email: 'puppet@demo.example', firstName: 'Puppet', lastName: 'Person' }
const person = ({ peer }: WritingWorld) => `users/${peer}`
const customer = ({ account }: WritingWorld) => `resellers/255/accounts/${account.accountId}`

/** An API that has a package to subscribe to, and a push service for its messages to browsers. */
export async function openWritingApi() {
  const command = settableCameras(obedientOutputs)
  const talk = async () => ({ kind: 'open' }) as const
  const api = await testApi({ media: { command, talk } })
  await api.addPackage(1)
  const receiver = await startPushReceiver()
  const close = async () => {
    await api[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  }
  return { api, receiver, close }
}

/** Every right but `demoUser`: with that one no call changes anything. */
export const everyRight: readonly Right[] = allRights.filter((right) => right !== 'demoUser')
/** Of the template. */
const agreed = { version: '2026-11-23', isAdult: true, isInUsOrCanada: true, watchesNoChildren: true }

/** By sub-users with every other right. */
export const byMembers: Requests = {
  patchUser: () => ['PATCH users/self', { firstName: 'Grace' }],
  patchUserDetails: () => ['PATCH users/self/details', { city: 'Delft' }],
  acceptAgreement: () => ['POST users/self/agreement', agreed],
  requestDeletion: () => ['POST users/self/deletion', { password: RIGHT_PASSWORD }],
  downloadPersonalData: () => ['POST users/self/personalData', { password: RIGHT_PASSWORD }],
  patchTimeZone: () => ['PATCH accounts/self/timeZone', { timeZone: 'Europe/Paris' }],
  ...cameraSettingCalls,
  putMobileNetwork: ({ bodyCameraId }) => [`PUT cameras/${bodyCameraId}/mobileNetwork`, oneMobileNetwork],
  postSetupCode: ({ account }) => [
    'POST bodyCameras/setupCodes',
    { name: 'Patrol', zoneId: account.zoneId, wifi: { ssid: 'Yard', password: 'not a secret' } },
  ],
  postCamera: ({ account }) => [
    'POST cameras',
    { name: 'Yard', zoneId: account.zoneId, address: '192.168.1.64', streamPath: '/main' },
  ],
  postCameras: ({ account }) => [
    'POST cameras/batch',
    { zoneId: account.zoneId, cameras: [{ name: 'Yard', address: '192.168.1.64', streamPath: '/main' }] },
  ],
  startCameraDiscovery: () => ['POST cameras/discovery', {}],
  retryCameraAddition: ({ failedCameraId }) => [`POST cameras/${failedCameraId}/additionStatus`, {}],
  dismissCameraAddition: ({ failedCameraId }) => [`DELETE cameras/${failedCameraId}/additionStatus`],
  deleteCamera: ({ cameraId }) => [
    `DELETE cameras/${cameraId}`,
    undefined,
    { [PASSWORD_HEADER]: encodePasswordHeader(RIGHT_PASSWORD) },
  ],
  postDevice: ({ account }) => ['POST devices', { name: 'Attic', zoneId: account.zoneId, address: '192.0.2.62' }],
  patchDevice: ({ deviceId }) => [`PATCH devices/${deviceId}`, { name: 'Attic' }],
  patchDeviceCredentials: ({ deviceId }) => [
    `PATCH devices/${deviceId}/connection/credentials`,
    { username: 'operator', password: 'other' },
  ],
  postDeviceUser: ({ deviceId }) => [
    `POST devices/${deviceId}/connection/users`,
    { username: 'night', password: 'another one', level: 'operator', allowPlainText: true },
  ],
  patchDeviceUser: ({ deviceId }) => [`PATCH devices/${deviceId}/connection/users/guard`, { level: 'user' }],
  deleteDeviceUser: ({ deviceId }) => [`DELETE devices/${deviceId}/connection/users/guard`],
  deleteDevice: ({ deviceId }) => [
    `DELETE devices/${deviceId}`,
    undefined,
    { [PASSWORD_HEADER]: encodePasswordHeader(RIGHT_PASSWORD) },
  ],
  postChannelCamera: ({ deviceId }) => [`POST devices/${deviceId}/channels/1/camera`, { name: 'Till' }],
  rebootDevice: ({ deviceId }) => [`POST devices/${deviceId}/reboot`],
  rebootCamera: ({ onvifCameraId }) => [`POST cameras/${onvifCameraId}/reboot`],
  ...firmwareCalls,
  setCameraPassword: ({ onvifCameraId }) => [
    `POST cameras/${onvifCameraId}/connection/password`,
    { password: 'another one', allowPlainText: true },
  ],
  deleteCameraJob: ({ busyCamera: { cameraId, jobId } }) => [`DELETE cameras/${cameraId}/jobs/${jobId}`],
  deleteDeviceJob: ({ busyDevice: { deviceId, jobId } }) => [`DELETE devices/${deviceId}/jobs/${jobId}`],
  postStreamTicket: ({ cameraId }) => [`POST cameras/${cameraId}/streamTickets`, { use: 'live' }],
  ...recordingCalls,
  ...savedViewCalls,
  sendCameraAudio: ({ cameraId }) => [`POST cameras/${cameraId}/audio`, 'sound', { 'content-type': 'audio/basic' }],
  patchCameraWarning: ({ cameraId }) => [`PATCH cameras/${cameraId}/warnings/clockWrong`, { dismissed: true }],
  postCameraReplacement: ({ cameraId }) => [`POST cameras/${cameraId}/replacement`, { address: '192.0.2.99' }],
  undoCameraReplacement: ({ replacedCameraId }) => [`DELETE cameras/${replacedCameraId}/replacement`],
  patchCameraPort: ({ cameraId }) => [`PATCH cameras/${cameraId}/io/output-1`, { state: 'active', name: 'Gate' }],
  moveCamera: ({ cameraId }) => [`POST cameras/${cameraId}/ptz`, { action: 'home' }],
  moveFocus: ({ cameraId }) => [`POST cameras/${cameraId}/focus`, { action: 'auto' }],
  postPtzPreset: ({ cameraId }) => [`POST cameras/${cameraId}/ptz/presets`, { name: 'Door' }],
  deletePtzPreset: ({ cameraId }) => [`DELETE cameras/${cameraId}/ptz/presets/1`],
  patchZoneMode: ({ account }) => [`PATCH zones/${account.zoneId}/mode`, { mode: 'silent' }],
  putZoneSchedule: ({ account }) => [`PUT zones/${account.zoneId}/schedule`, { recording: [], push: [], email: [] }],
  patchNotificationSetting: () => ['PATCH users/self/notificationSettings/cameraDown', { enabled: true }],
  putPushDevice: ({ newBrowser }) => ['PUT users/self/pushDevices', newBrowser],
  postZone: () => ['POST zones', { name: 'Yard' }],
  patchZone: ({ account }) => [`PATCH zones/${account.zoneId}`, { name: 'Yard' }],
  deleteZone: ({ emptyZone }) => [`DELETE zones/${emptyZone}`],
  addUser: () => ['POST users', puppet],
  patchPerson: (world) => [`PATCH ${person(world)}`, { firstName: 'Grace' }],
  patchPersonDetails: (world) => [`PATCH ${person(world)}/details`, { city: 'Delft' }],
  patchPersonCredentials: (world) => [`PATCH ${person(world)}/credentials`, { sendLink: true }],
  invitePerson: (world) => [`POST ${person(world)}/invitation`],
  patchPersonRights: (world) => [`PATCH ${person(world)}/rights`, { playback: true }],
  patchPersonAccess: (world) => [`PATCH ${person(world)}/access`, { zoneIds: [world.account.zoneId] }],
  blockPerson: (world) => [`POST ${person(world)}/block`],
  unblockPerson: ({ blocked }) => [`POST users/${blocked}/unblock`],
  deletePerson: (world) => [`DELETE ${person(world)}`],
}

/** They lock their caller's row, so that the user loses nothing before they end. */
export const holdsItsCaller: ReadonlySet<string> = new Set([
  'patchCameraWarning',
  'patchNotificationSetting',
  'putPushDevice',
])

const sd = { name: 'SD', sku: 'SD-7', quality: 'SD1', retention: 168, maxAmountOfCameras: 10 }
/** By administrators with every permission. */
export const byStaff: Requests = {
  addDistributor: () => ['POST distributors', { name: 'Waiting' }],
  patchDistributor: ({ other }) => [`PATCH distributors/${other.distributorId}`, { country: 'NL' }],
  deleteDistributor: ({ other }) => [`DELETE distributors/${other.distributorId}`],
  addReseller: () => ['POST distributors/1/resellers', { name: 'Waiting' }],
  patchReseller: ({ other }) => [`PATCH resellers/${other.resellerId}`, { maxSubUsers: 101 }],
  patchModules: ({ other }) => [`PATCH resellers/${other.resellerId}/modules`, { reports: false }],
  addBrandHost: ({ hosted }) => [`POST resellers/${hosted}/hosts`, { host: 'waiting.example' }],
  deleteBrandHost: ({ hosted }) => [`DELETE resellers/${hosted}/hosts/there.example`],
  patchResellerTheme: ({ other }) => [`PATCH resellers/${other.resellerId}/theme`, { companyName: 'Waiting' }],
  deleteReseller: ({ other }) => [`DELETE resellers/${other.resellerId}`],
  putSubscriptionPackage: () => ['PUT resellers/255/subscriptionPackages/9', sd],
  addResellerReport: () => ['POST resellers/255/reports', { type: 'billing', ...span }],
  addAccount: () => [
    'POST resellers/255/accounts',
    { contactDetails: { firstName: 'Cora', lastName: 'Customer' }, email: 'cora@demo.example', subscriptionId: 1 },
  ],
  patchResellerAccount: (world) => [`PATCH ${customer(world)}`, { maxSubUsers: 3 }],
  patchAccountStatus: ({ bare }) => [`PATCH accounts/${bare}/status`, { publicDemo: false }],
  deleteResellerAccount: ({ bare }) => [`DELETE resellers/255/accounts/${bare}`],
  putZohoId: (world) => [`PUT ${customer(world)}/zoho`, { zohoId: '12345' }],
  moveAccount: (world) => [`PUT ${customer(world)}/reseller`, { resellerId: world.other.resellerId }],
  patchAccountUser: (world) => [`PATCH ${customer(world)}/users/${world.peer}`, { email: 'new@demo.example' }],
  patchSubscription: (world) => [`PATCH ${customer(world)}/subscriptions/current`, { subscriptionId: 1 }],
  addMobileSubscription: (world) => [
    `POST ${customer(world)}/mobileSubscriptions`,
    { iccid: '894400000000000002', sku: 'DATA-1GB' },
  ],
  patchMobileSubscription: (world) => [
    `PATCH ${customer(world)}/mobileSubscriptions/${world.mobileSubscriptionId}`,
    { status: 'suspended' },
  ],
  deleteMobileSubscription: (world) => [`DELETE ${customer(world)}/mobileSubscriptions/${world.mobileSubscriptionId}`],
  ...dealerFirmwareCalls,
  addResellerStaff: () => ['POST resellers/255/users', puppet],
  patchResellerStaffUser: ({ colleague }) => [`PATCH resellers/255/users/${colleague}`, { firstName: 'Grace' }],
  deleteResellerStaffUser: ({ colleague }) => [`DELETE resellers/255/users/${colleague}`],
  addDistributorStaff: () => ['POST distributors/1/users', puppet],
  patchDistributorStaffUser: (world) => [
    `PATCH distributors/1/users/${world.distributorStaff}`,
    { firstName: 'Grace' },
  ],
  deleteDistributorStaffUser: (world) => [`DELETE distributors/1/users/${world.distributorStaff}`],
  addProviderStaff: () => ['POST provider/users', puppet],
  patchProviderStaffUser: ({ admin }) => [`PATCH provider/users/${admin}`, { firstName: 'Grace' }],
  retryJob: ({ jobId }) => [`POST jobs/${jobId}/retry`],
  discardJob: ({ jobId }) => [`DELETE jobs/${jobId}`],
  deleteProviderStaffUser: ({ admin }) => [`DELETE provider/users/${admin}`],
}
