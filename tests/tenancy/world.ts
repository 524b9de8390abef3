import { type Db, idSource, instant, PROVIDER_ID } from '@sightline/platform/db'
import {
  type Arranger,
  addApiKey,
  addAuditEntry,
  addMobileSubscription,
  addPasskey,
  addProfile,
  addPushDevice,
  addReport,
  addReportSchedule,
  addStaff,
  addToken,
  addUser,
  HOUR_MS,
  type TestApiKey,
  type TreeIds,
} from './arrange.ts'
import { addCamera, addCameraJob, addExport, addKeptAndDeletedFootage, addShare } from './arrange-cameras.ts'
import {
  addDevice,
  addEvents,
  addFirmware,
  addPackage,
  addSavedViews,
  addSetupCode,
  addTransfer,
  addZone,
  type SavedViewIds,
  type WorldEvent,
} from './arrange-objects.ts'
import { Canaries } from './canaries.ts'
import { addJob } from './jobs.ts'

/** An account with every kind of object that an id can refer to. */
export interface WorldAccount extends TreeIds {
  readonly zones: { readonly first: number; readonly second: number; readonly empty: number }
  readonly events: readonly [WorldEvent, WorldEvent]
  readonly cameras: { readonly first: number; readonly second: number }
  readonly deviceId: number
  readonly deviceJobId: number
  /** Of the first camera. */
  readonly cameraJobId: number
  readonly recordingLockId: number
  readonly recordingDeletionId: number
  /** The owner's, of the first camera; its file is made. */
  readonly exportId: number
  /** The owner's, of the first camera, for people of the account. */
  readonly shareId: number
  readonly savedViews: SavedViewIds
  /** A sub-user without rights, and one with rights that others lack. */
  readonly weak: number
  readonly strong: number
  readonly profileId: number
  readonly apiKey: TestApiKey
  readonly reportId: number
  readonly reportScheduleId: number
  readonly mobileSubscriptionId: number
  /** For the first zone. */
  readonly setupCodeId: number
  readonly transferId: number
  readonly offerId: number
  /** The owner's; the support token acts as the owner. */
  readonly pushDeviceId: number
  readonly passkeyId: number
  readonly sessionId: number
  readonly otherTokenId: number
  readonly supportTokenId: number
  /** The staff member in that support session. */
  readonly supportStaffId: number
}

export interface WorldReseller {
  readonly resellerId: number
  readonly distributorId: number
  readonly accounts: readonly [WorldAccount, WorldAccount]
  /** An account without cameras, which can be deleted. */
  readonly bareAccountId: number
  readonly packages: { readonly current: number; readonly other: number }
  readonly firmwareImageId: number
  readonly staffId: number
  /** Has no permissions and only one account, so any manager may change them. */
  readonly weakStaffId: number
  readonly profileId: number
  readonly apiKey: TestApiKey
  /** About the first of its accounts. */
  readonly reportId: number
  /** The host that shows its brand. */
  readonly host: string
}

export interface WorldDistributor {
  readonly distributorId: number
  readonly staffId: number
  readonly profileId: number
  readonly apiKey: TestApiKey
  /** Has no accounts, so it can be deleted. */
  readonly emptyResellerId: number
}

export interface World {
  readonly arranger: Arranger
  readonly canaries: Canaries
  readonly near: WorldDistributor
  readonly far: WorldDistributor
  /** Has no resellers, so it can be deleted. */
  readonly emptyDistributorId: number
  readonly own: WorldReseller
  /** Under the same distributor. Its brand asks for an agreement; the first account's owner has accepted it. */
  readonly sibling: WorldReseller
  /** Under the same distributor, without any module. */
  readonly plain: WorldReseller
  /** Under the other distributor. */
  readonly foreign: WorldReseller
  /** Special accounts of the own reseller. */
  readonly demo: WorldAccount
  readonly inactive: WorldAccount
  readonly suspended: WorldAccount
  /** Its sub-users have no access to the Web App. */
  readonly barred: WorldAccount
  /** Accounts whose owners allow, or have allowed, support access. */
  readonly videoShown: WorldAccount
  readonly videoHidden: WorldAccount
  readonly grantOver: WorldAccount
  readonly grantWithdrawn: WorldAccount
  readonly adminId: number
  readonly providerStaffId: number
  /** A queued job about an account of the own reseller. */
  readonly jobId: number
  /** An unused id. */
  readonly nowhere: number
}

const ALL_MODULES = {
  generateAccessToken: true,
  selfServiceManagement: true,
  mobileSubscriptions: true,
  deviceIO: true,
  bodyCams: true,
  reports: true,
  whiteLabel: true,
}
export const ALL_PERMISSIONS = [
  'viewAccounts',
  'addAccount',
  'editAccount',
  'deleteAccount',
  'editAccountUsers',
  'manageSubscriptions',
  'generateAccessToken',
  'manageUsers',
  'manageApiKeys',
  'viewAuditLogs',
  'viewInsights',
  'whiteLabel',
] as const

/** Two distributors, four resellers, their accounts and all they contain, each text with a unique mark. */
export async function arrangeWorld(owner: Db): Promise<World> {
  const arranger: Arranger = { owner: owner.plain, ids: idSource(owner), canaries: new Canaries() }
  const { ids, canaries } = arranger
  const near = await addDistributor(arranger)
  const far = await addDistributor(arranger)
  const emptyDistributorId = await ids.next()
  const name = canaries.mark({ kind: 'distributor', id: emptyDistributorId, distributorId: emptyDistributorId })
  await owner.plain.insertInto('distributors').values({ distributor_id: emptyDistributorId, name }).execute()
  const own = await addReseller(arranger, near.distributorId, ALL_MODULES)
  const sibling = await addReseller(arranger, near.distributorId, ALL_MODULES)
  await askForAgreement(arranger, sibling)
  const admin = { level: 'admin', organisationId: PROVIDER_ID } as const
  const supporter = await addStaff(arranger, {
    level: 'reseller',
    organisationId: own.resellerId,
    resellerId: own.resellerId,
    distributorId: own.distributorId,
    permissions: ['generateAccessToken'],
  })
  const grant = (hours: number | null, showVideo: boolean) =>
    addAccount(arranger, { ...own, staffId: supporter }, openToSupport(hours, showVideo))
  return {
    arranger,
    canaries,
    near,
    far,
    emptyDistributorId,
    own,
    sibling,
    plain: await addReseller(arranger, near.distributorId, {}),
    foreign: await addReseller(arranger, far.distributorId, ALL_MODULES),
    demo: await addAccount(arranger, own, { user_type: 'demo', ...openToSupport(HOURS_OF_GRANT, true) }),
    inactive: await addAccount(arranger, own, { status: 'inactive', ...openToSupport(HOURS_OF_GRANT, true) }),
    suspended: await addAccount(arranger, own, { status: 'suspended' }),
    barred: await addAccount(arranger, own, { sub_users_barred: true }),
    videoShown: await grant(1, true),
    videoHidden: await grant(1, false),
    grantOver: await grant(-1, true),
    grantWithdrawn: await grant(null, true),
    adminId: await addStaff(arranger, { ...admin, permissions: ALL_PERMISSIONS }),
    providerStaffId: await addStaff(arranger, admin),
    jobId: await addJob(arranger, own.accounts[0]),
    nowhere: await ids.next(),
  }
}

/** The first account's owner has accepted it; no one in the second account has. */
async function askForAgreement({ owner }: Arranger, { resellerId, accounts: [agreed] }: WorldReseller): Promise<void> {
  const theme = JSON.stringify({ asksForAgreement: true })
  await owner.updateTable('resellers').set({ theme }).where('reseller_id', '=', resellerId).execute()
  const { accountId } = agreed
  const accepted = { account_id: accountId, user_id: accountId, version: '1', accepted_at: instant(Date.now()) }
  await owner.insertInto('agreements').values(accepted).execute()
}

const HOURS_OF_GRANT = 2

const openToSupport = (hours: number | null, showVideo: boolean): AccountRow => ({
  helpdesk_expires_at: hours === null ? null : instant(Date.now() + hours * HOUR_MS),
  helpdesk_show_video: showVideo,
})

async function addDistributor(arranger: Arranger): Promise<WorldDistributor> {
  const { owner, ids, canaries } = arranger
  const distributorId = await ids.next()
  const mark = canaries.mark({ kind: 'distributor', id: distributorId, distributorId })
  const contact_details = JSON.stringify({ city: mark })
  await owner
    .insertInto('distributors')
    .values({ distributor_id: distributorId, name: mark, contact_details })
    .execute()
  const organisation = { organisationId: distributorId }
  const staffId = await addStaff(arranger, { level: 'distributor', ...organisation, distributorId })
  const actor = { accountId: distributorId, userId: staffId }
  await addAuditEntry(arranger, actor, { action: 'login', distributorId })
  const emptyResellerId = await ids.next()
  const name = canaries.mark({ kind: 'reseller', id: emptyResellerId, resellerId: emptyResellerId, distributorId })
  await owner
    .insertInto('resellers')
    .values({ reseller_id: emptyResellerId, distributor_id: distributorId, name, modules: '{}' })
    .execute()
  return {
    distributorId,
    staffId,
    emptyResellerId,
    profileId: await addProfile(arranger, { ...organisation, scope: 'distributor' }, { distributorId }),
    apiKey: await addApiKey(arranger, actor, { distributorId }),
  }
}

async function addReseller(arranger: Arranger, distributorId: number, modules: object): Promise<WorldReseller> {
  const { owner, ids, canaries } = arranger
  const resellerId = await ids.next()
  const place = { resellerId, distributorId }
  const mark = canaries.mark({ kind: 'reseller', id: resellerId, ...place })
  await owner
    .insertInto('resellers')
    .values({
      reseller_id: resellerId,
      distributor_id: distributorId,
      name: mark,
      modules: JSON.stringify(modules),
      contact_details: JSON.stringify({ city: mark }),
      max_sub_users: 1000,
    })
    .execute()
  const host = `${mark}.tenancy.example`
  await owner.insertInto('brand_hosts').values({ host, reseller_id: resellerId }).execute()
  const packages = { current: await addPackage(arranger, place), other: await addPackage(arranger, place) }
  const organisation = { organisationId: resellerId }
  const staffId = await addStaff(arranger, { level: 'reseller', ...organisation, ...place })
  const actor = { accountId: resellerId, userId: staffId }
  await addAuditEntry(arranger, actor, { action: 'login', ...place })
  const account = () => addAccount(arranger, { ...place, packages, staffId }, openToSupport(HOURS_OF_GRANT, true))
  const bareAccountId = await ids.next()
  await addEmptyAccount(arranger, { accountId: bareAccountId, ...place }, {})
  const accounts = [await account(), await account()] as const
  const ofOne = { level: 'reseller', ...organisation, ...place, accounts: [accounts[0].accountId] } as const
  return {
    ...place,
    bareAccountId,
    packages,
    firmwareImageId: await addFirmware(arranger, place),
    staffId,
    weakStaffId: await addStaff(arranger, ofOne),
    accounts,
    profileId: await addProfile(arranger, { ...organisation, scope: 'reseller' }, place),
    apiKey: await addApiKey(arranger, actor, place),
    reportId: await addReport(arranger, accounts[0], 'reseller'),
    host,
  }
}

type AccountRow = Partial<
  Record<'user_type' | 'status', string> & {
    helpdesk_expires_at: unknown
    helpdesk_show_video: boolean
    sub_users_barred: boolean
  }
>

async function addEmptyAccount(arranger: Arranger, at: TreeIds, row: AccountRow): Promise<string> {
  const { owner, canaries } = arranger
  const mark = canaries.mark({ kind: 'account', id: at.accountId, ...at })
  await owner
    .insertInto('accounts')
    .values({
      account_id: at.accountId,
      reseller_id: at.resellerId,
      name: mark,
      contact_details: JSON.stringify({ city: mark }),
      user_self_service_management: true,
      ...(row as object),
    })
    .execute()
  await addUser(arranger, at, { userId: at.accountId })
  return mark
}

async function addAccount(
  arranger: Arranger,
  of: Pick<WorldReseller, 'resellerId' | 'distributorId' | 'packages' | 'staffId'>,
  row: AccountRow = {},
): Promise<WorldAccount> {
  const { owner, ids, canaries } = arranger
  const accountId = await ids.next()
  const place = { accountId, resellerId: of.resellerId, distributorId: of.distributorId }
  await addEmptyAccount(arranger, place, row)
  await owner
    .insertInto('subscriptions')
    .values({
      account_id: accountId,
      reseller_id: of.resellerId,
      subscription_package_id: of.packages.current,
      next_subscription_package_id: of.packages.current,
      start_date: '2026-01-01',
      end_date: '2027-12-31',
    })
    .execute()
  const zones = {
    first: await addZone(arranger, place),
    second: await addZone(arranger, place),
    empty: await addZone(arranger, place),
  }
  const cameras = {
    first: await addCamera(arranger, place, zones.first),
    second: await addCamera(arranger, place, zones.second),
  }
  const actor = { accountId, userId: accountId }
  await addAuditEntry(arranger, actor, { action: 'login', ...place })
  for (const cameraId of Object.values(cameras)) {
    await addAuditEntry(arranger, actor, { action: 'live', ...place, cameraId })
  }
  for (const zoneId of Object.values(zones))
    await addAuditEntry(arranger, actor, { action: 'patchZone', ...place, zoneId })
  // The entry is about a user but names cameras and zones that not every reader has access to.
  const after = { cameraIds: Object.values(cameras), zoneIds: Object.values(zones) }
  await addAuditEntry(arranger, actor, { action: 'patchPersonAccess', ...place, after })
  const weak = await addUser(arranger, place)
  const password_hash = canaries.mark({ kind: 'secret', id: weak })
  await owner.insertInto('auth.credentials').values({ user_id: weak, account_id: accountId, password_hash }).execute()
  return {
    ...place,
    zones,
    cameras,
    events: await addEvents(arranger, place, { cameras, zones }),
    ...(await addDevice(arranger, place, zones.second)),
    cameraJobId: await addCameraJob(arranger, place, { cameraId: cameras.first, zoneId: zones.first }),
    ...(await addKeptAndDeletedFootage(arranger, place, { cameraId: cameras.first, zoneId: zones.first })),
    exportId: await addExport(arranger, place, { cameraId: cameras.first, zoneId: zones.first }),
    shareId: await addShare(arranger, place, { cameraId: cameras.first, zoneId: zones.first }),
    savedViews: await addSavedViews(arranger, place, { cameraId: cameras.first, zoneId: zones.first }),
    weak,
    strong: await addUser(arranger, place, { rights: ['storageUsage', 'logFiles'], cameras: [cameras.second] }),
    profileId: await addProfile(arranger, { organisationId: accountId, scope: 'account' }, place),
    apiKey: await addApiKey(arranger, actor, place),
    reportId: await addReport(arranger, place, 'account'),
    reportScheduleId: await addReportSchedule(arranger, place),
    mobileSubscriptionId: await addMobileSubscription(arranger, place),
    setupCodeId: await addSetupCode(arranger, place, zones.first),
    transferId: await addTransfer(arranger, place, 'cameraTransfer'),
    offerId: await addTransfer(arranger, place, 'cameraOffer'),
    pushDeviceId: await addPushDevice(arranger, place),
    passkeyId: await addPasskey(arranger, place),
    otherTokenId: (await addToken(arranger, actor)).tokenId,
    sessionId: (await addToken(arranger, actor)).tokenId,
    supportStaffId: of.staffId,
    supportTokenId: (await addToken(arranger, actor, { supportStaffId: of.staffId })).tokenId,
  }
}
