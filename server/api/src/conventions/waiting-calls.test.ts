/** Whoever loses what a call needs while it waits for the database gets nothing done by it; for every call that writes. */
import { allRights, mandatoryRights, type Right } from '@sightline/contract/rights'
import type { Route } from '@sightline/contract/wire'
import { MS_PER_DAY } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { hold } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import { type PushReceiver, startPushReceiver } from '@sightline/platform/web-push/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, RIGHT_PASSWORD, type TestApi, testApi } from '../api-testing.ts'

let api: TestApi
let receiver: PushReceiver
beforeAll(async () => {
  api = await testApi()
  await api.addPackage(1)
  receiver = await startPushReceiver()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** Everything of which the calls below write something. */
const WRITTEN = [
  'accounts',
  'users',
  'user_cameras',
  'user_zones',
  'zones',
  'cameras',
  'staff',
  'staff_accounts',
  'resellers',
  'distributors',
  'permission_profiles',
  'subscriptions',
  'subscription_packages',
  'reports',
  'report_schedules',
  'notification_settings',
  'camera_maintenance',
  'push_devices',
  'agreements',
  'mail_outbox',
  'erasures',
  'stream_tickets',
  'audit_log',
] as const
/** Somewhere in each of them, once its rows are locked and written, a call adds a row to one of these. */
const ADDED_TO = 'lock table audit_log, stream_tickets in share mode'

async function contents(): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {}
  for (const table of WRITTEN) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(table)} t order by 1`.execute(
      api.owner.plain,
    )
    found[table] = rows.map(({ text }) => text)
  }
  return found
}

/** What the call answers after something was taken from its caller while it waited; nothing of it may be there. */
async function afterWaiting(send: () => Promise<Answer>, take: () => Promise<unknown>): Promise<Answer> {
  await using held = await hold({ owner: api.owner.plain }, ADDED_TO)
  const mails = api.asked.filter(({ call }) => call !== 'createCredentials' && call !== 'forgetUser').length
  const sent = send()
  const early = await Promise.race([sent, held.waiting(1)])
  if (early !== undefined) throw new Error(`answered without waiting: ${early.status} ${JSON.stringify(early.body)}`)
  await take()
  const before = await contents()
  await held.release()
  const answer = await sent
  expect(await contents()).toEqual(before)
  expect(api.asked.filter(({ call }) => call !== 'createCredentials' && call !== 'forgetUser')).toHaveLength(mails)
  return answer
}

interface World {
  readonly account: { readonly accountId: number; readonly zoneId: number; readonly token: string }
  readonly peer: number
  readonly blocked: number
  /** An account without cameras. */
  readonly bare: number
  readonly cameraId: number
  readonly emptyZone: number
  readonly profileId: number
  /** Of the owner. */
  readonly pushDeviceId: number
  readonly reportScheduleId: number
  readonly colleague: number
  readonly distributorStaff: number
  readonly admin: number
  readonly other: { readonly resellerId: number; readonly distributorId: number }
}

async function arrange(): Promise<World> {
  const account = await api.addAccount()
  const { accountId } = account
  const peer = await api.addSubUser(accountId, { rights: [] })
  const blocked = await api.addSubUser(accountId, { rights: [] })
  await setUser(blocked.userId, { blocked: true })
  const cameraId = await api.addCamera(accountId, account.zoneId, 'Door')
  const zone = await api.call(account.token, 'POST zones', { name: 'Empty' })
  const profile = await api.call(account.token, 'POST permissionProfiles', { name: 'Guards', rights: {} })
  const device = await api.call(account.token, 'PUT users/self/pushDevices', browser())
  const schedule = { ...span, type: 'storageUsage', format: 'json', schedule: { every: 'day', at: '06:00' } }
  await api.call(account.token, 'POST reports', schedule)
  const [scheduled] = (await api.call(account.token, 'GET reportSchedules')).body
  // Asked for by the owner, to be called off.
  await api.owner.plain
    .updateTable('users')
    .set({ deletion_requested_at: instant(Date.now()), deletes_at: instant(Date.now() + 14 * MS_PER_DAY) })
    .where('user_id', '=', accountId)
    .execute()
  const distributorId = await api.addDistributor()
  const resellerId = await api.addReseller()
  await api.addPackage(1, { resellerId })
  const [colleague, distributorStaff, admin] = [
    await api.addStaff(),
    await api.addStaff({ level: 'distributor' }),
    await api.addStaff({ level: 'admin' }),
  ]
  return {
    account,
    peer: peer.userId,
    blocked: blocked.userId,
    bare: (await api.addAccount()).accountId,
    cameraId,
    emptyZone: zone.body.zoneId,
    profileId: profile.body.permissionProfileId,
    pushDeviceId: device.body.pushDeviceId,
    reportScheduleId: scheduled.reportScheduleId,
    colleague: colleague.userId,
    distributorStaff: distributorStaff.userId,
    admin: admin.userId,
    other: { resellerId, distributorId },
  }
}

type Request = readonly [request: string, body?: object]
type Requests = Readonly<Record<string, (world: World) => Request>>

const span = { from: '2026-11-01', till: '2026-11-02', format: 'csv' }
const browser = () => ({ platform: 'web', locale: 'nl', subscription: receiver.subscribe() })
const puppet = { email: 'puppet@demo.example', firstName: 'Puppet', lastName: 'Person' }
const person = ({ peer }: World) => `users/${peer}`
const customer = ({ account }: World) => `resellers/255/accounts/${account.accountId}`

/** Whoever has that one, too, changes nothing. */
const everyRight = allRights.filter((right) => right !== 'demoUser')
/** Of the template. */
const agreed = { version: '2026-11-21', isAdult: true, isInUsOrCanada: true, watchesNoChildren: true }

/** By sub-users with every other right. */
const byMembers: Requests = {
  patchUser: () => ['PATCH users/self', { firstName: 'Grace' }],
  patchUserDetails: () => ['PATCH users/self/details', { city: 'Delft' }],
  acceptAgreement: () => ['POST users/self/agreement', agreed],
  requestDeletion: () => ['POST users/self/deletion', { password: RIGHT_PASSWORD }],
  downloadPersonalData: () => ['POST users/self/personalData', { password: RIGHT_PASSWORD }],
  patchTimeZone: () => ['PATCH accounts/self/timeZone', { timeZone: 'Europe/Paris' }],
  patchCamera: ({ cameraId }) => [`PATCH cameras/${cameraId}`, { name: 'Till' }],
  postStreamTicket: ({ cameraId }) => [`POST cameras/${cameraId}/streamTickets`, { use: 'live' }],
  putCameraMaintenance: ({ cameraId }) => [`PUT devices/${cameraId}/maintenance`, { enabled: true }],
  patchNotificationSetting: () => ['PATCH users/self/notificationSettings/cameraDown', { enabled: true }],
  putPushDevice: () => ['PUT users/self/pushDevices', browser()],
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

/** They keep their caller's row from changing, so that nothing is taken from that person before they are done. */
const holdsItsCaller: ReadonlySet<string> = new Set(['patchNotificationSetting', 'putPushDevice'])

/** By the owner alone. */
const byOwners: Requests = {
  cancelDeletion: () => ['DELETE users/self/deletion'],
  addPermissionProfile: () => ['POST permissionProfiles', { name: 'Night', rights: {} }],
  patchPermissionProfile: ({ profileId }) => [`PATCH permissionProfiles/${profileId}`, { name: 'Night' }],
  deletePermissionProfile: ({ profileId }) => [`DELETE permissionProfiles/${profileId}`],
  addReport: () => ['POST reports', { type: 'storageUsage', ...span }],
  deleteReportSchedule: ({ reportScheduleId }) => [`DELETE reportSchedules/${reportScheduleId}`],
  deletePushDevice: ({ pushDeviceId }) => [`DELETE users/self/pushDevices/${pushDeviceId}`],
  patchSupportAccess: () => ['PATCH users/self/status', { allowsHelpdeskShowVideo: true }],
  patchAccountDetails: () => ['PATCH accounts/self/details', { city: 'Delft' }],
}

const sd = {
  name: 'SD',
  sku: 'SD-7',
  quality: 'SD1',
  retention: 168,
  maxAmountOfCameras: 10,
}
/** By administrators with every permission. */
const byStaff: Requests = {
  addDistributor: () => ['POST distributors', { name: 'Waiting' }],
  patchDistributor: ({ other }) => [`PATCH distributors/${other.distributorId}`, { country: 'NL' }],
  deleteDistributor: ({ other }) => [`DELETE distributors/${other.distributorId}`],
  addReseller: () => ['POST distributors/1/resellers', { name: 'Waiting' }],
  patchReseller: ({ other }) => [`PATCH resellers/${other.resellerId}`, { maxSubUsers: 101 }],
  patchModules: ({ other }) => [`PATCH resellers/${other.resellerId}/modules`, { reports: false }],
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
  deleteProviderStaffUser: ({ admin }) => [`DELETE provider/users/${admin}`],
}
test('every call that writes is tried below', () => {
  // A message to a browser of one's own is no change; what apps remember is not in the audit log, on which the others wait.
  const doNotWait = ['testPushDevice', 'patchPreferences']
  const isWriting = ({ method, name }: Route) => method !== 'GET' && !doNotWait.includes(name)
  const writing = api.routes.filter(isWriting).map(({ name }) => name)
  const tried = [byMembers, byOwners, byStaff].flatMap(Object.keys)
  expect(tried.toSorted()).toEqual(writing.toSorted())
})

const askForAgreement = (asksForAgreement: boolean) =>
  api.owner.plain
    .updateTable('resellers')
    .set({ theme: JSON.stringify({ asksForAgreement }) })
    .where('reseller_id', '=', 255)
    .execute()
const setUser = (userId: number, columns: { readonly blocked?: boolean; readonly rights?: readonly Right[] }) =>
  api.owner.plain.updateTable('users').set(columns).where('user_id', '=', userId).execute()
const revoke = (token: string) =>
  api.owner.plain.deleteFrom('auth.access_sessions').where('token_sha256', '=', tokenSha256(token)).execute()
const setStaff = (userId: number, columns: { readonly blocked?: boolean; readonly permissions?: readonly string[] }) =>
  api.owner.plain.updateTable('staff').set(columns).where('user_id', '=', userId).execute()

describe.each(Object.entries(byMembers))('%s', (name, requestOf) => {
  const asked = async () => {
    await askForAgreement(false)
    const world = await arrange()
    const caller = await api.addSubUser(world.account.accountId, { rights: everyRight, allCameras: true })
    // Whoever owes it can do nothing else.
    await askForAgreement(name === 'acceptAgreement')
    return { caller, send: () => api.call(caller.token, ...requestOf(world)) }
  }

  test('with a token that is revoked while it waits is refused with nothing written', async () => {
    const { caller, send } = await asked()
    expect(await afterWaiting(send, () => revoke(caller.token))).toMatchObject({ status: 401 })
  })

  test('by somebody who loses the right while it waits is refused with nothing written', async () => {
    const right = api.routes.find((route) => route.name === name)?.right
    if (right === undefined || mandatoryRights.includes(right) || holdsItsCaller.has(name)) return
    const { caller, send } = await asked()
    expect(await afterWaiting(send, () => setUser(caller.userId, { rights: [] }))).toMatchObject({ status: 403 })
  })
})

describe.each(Object.entries(byOwners))('%s', (_name, requestOf) => {
  test('with a token that is revoked while it waits is refused with nothing written', async () => {
    const world = await arrange()
    const { token } = world.account
    const send = () => api.call(token, ...requestOf(world))
    expect(await afterWaiting(send, () => revoke(token))).toMatchObject({ status: 401 })
  })
})

describe.each(Object.entries(byStaff))('%s', (name, requestOf) => {
  const asked = async () => {
    const world = await arrange()
    const caller = await api.addStaff({ level: 'admin' })
    return { caller, send: () => api.call(caller.token, ...requestOf(world)) }
  }

  test('with a token that is revoked while it waits is refused with nothing written', async () => {
    const { caller, send } = await asked()
    expect(await afterWaiting(send, () => revoke(caller.token))).toMatchObject({ status: 401 })
  })

  test('by staff who lose the permission while it waits is refused with nothing written', async () => {
    const route = api.routes.find((each) => each.name === name)
    // Administrators are changed one after the other, so that who loses something is known before the call goes on.
    if (route?.permission === undefined || route.path.startsWith('provider/')) return
    const { caller, send } = await asked()
    expect(await afterWaiting(send, () => setStaff(caller.userId, { permissions: [] }))).toMatchObject({ status: 403 })
  })
})

describe('a call is decided again on who its caller is by then', () => {
  test('staff who are limited to other accounts while it waits do not reach the account any more', async () => {
    const world = await arrange()
    const caller = await api.addStaff()
    const [request, body] = byStaff.patchResellerAccount?.(world) ?? ['']
    const send = () => api.call(caller.token, request, body)
    const limit = () =>
      api.owner.plain.updateTable('staff').set({ all_accounts: false }).where('user_id', '=', caller.userId).execute()
    expect(await afterWaiting(send, limit)).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('an administrator who is blocked while it waits switches no module', async () => {
    const world = await arrange()
    const caller = await api.addStaff({ level: 'admin' })
    const send = () => api.call(caller.token, `PATCH resellers/${world.other.resellerId}/modules`, { reports: false })
    expect(await afterWaiting(send, () => setStaff(caller.userId, { blocked: true }))).toMatchObject({ status: 401 })
  })

  test('a dealer’s brand that loses the module while it waits has no report made', async () => {
    const resellerId = await api.addReseller()
    const { token } = await api.addStaff({ resellerId })
    const send = () => api.call(token, `POST resellers/${resellerId}/reports`, { type: 'billing', ...span })
    const off = () =>
      api.owner.plain.updateTable('resellers').set({ modules: '{}' }).where('reseller_id', '=', resellerId).execute()
    expect(await afterWaiting(send, off)).toMatchObject({ status: 403, body: { code: 9 } })
  })

  test('somebody who is blocked, or whose account is suspended, while it waits gets no ticket for a stream', async () => {
    const { account, cameraId } = await arrange()
    const { accountId } = account
    const ticketOf = (token: string) => () => api.call(token, `POST cameras/${cameraId}/streamTickets`, { use: 'live' })
    const caller = await api.addSubUser(accountId, { rights: [], allCameras: true })
    const block = () => setUser(caller.userId, { blocked: true })
    expect(await afterWaiting(ticketOf(caller.token), block)).toMatchObject({ status: 401 })
    const suspend = () =>
      api.owner.plain.updateTable('accounts').set({ status: 'suspended' }).where('account_id', '=', accountId).execute()
    expect(await afterWaiting(ticketOf(account.token), suspend)).toMatchObject({ status: 401 })
  })

  test('who is given more while it waits is answered as usual, and once', async () => {
    const world = await arrange()
    const { accountId } = world.account
    const caller = await api.addSubUser(accountId, { rights: ['addZone'] })
    await using held = await hold({ owner: api.owner.plain }, ADDED_TO)
    const sent = api.call(caller.token, 'POST zones', { name: 'Yard' })
    await held.waiting(1)
    await setUser(caller.userId, { rights: ['addZone', 'editZone'] })
    await held.release()
    expect(await sent).toMatchObject({ status: 201 })
    const zones = await api.owner.plain.selectFrom('zones').select('name').where('account_id', '=', accountId).execute()
    expect(zones.filter(({ name }) => name === 'Yard')).toHaveLength(1)
  })
})
