/** The dealer plane: api.md §5, §7, §17, §20. */
import type { OperationCase, RequestScene } from '../operation.ts'

const withPermission = (permission: string) => ({ callers: 'staff', permission, support: 'no' }) as const
/** Users, keys and irreversible actions: not with an API key. */
const byPerson = (permission: string) => ({ ...withPermission(permission), apiKey: 'no' }) as const
/** Accounts and subscriptions: with a key that has provisioning. */
const provisioning = (permission: string) => ({ ...withPermission(permission), apiKey: 'provisioning' }) as const
const reading = withPermission('viewAccounts')
const reporting = { ...withPermission('viewInsights'), module: true } as const
const thatDay = () => new Date().toISOString().slice(0, 10)
const name = ({ fresh }: RequestScene) => ({ body: { name: fresh } })

/** An account without cameras, which can be moved and deleted. */
const bareAccount: OperationCase['uses'] = ({ world, who }) => ({
  account: who.is.kind === 'staff' ? who.is.reseller.bareAccountId : world.own.bareAccountId,
})

const accounts: Readonly<Record<string, OperationCase>> = {
  getResellerAccounts: { policy: reading },
  addAccount: {
    policy: provisioning('addAccount'),
    send: ({ ids, fresh }) => ({
      body: {
        contactDetails: { firstName: fresh, lastName: fresh, contactEmail: `${fresh}@tenancy.example` },
        email: `${fresh}@tenancy.example`,
        subscriptionId: ids.subscriptionPackage,
      },
    }),
  },
  getResellerAccount: { policy: reading },
  patchResellerAccount: { policy: provisioning('editAccount'), send: name },
  deleteResellerAccount: { policy: byPerson('deleteAccount'), uses: bareAccount },
  moveAccount: {
    policy: { ...byPerson('editAccount'), level: 'distributor' },
    uses: bareAccount,
    send: ({ world, who }) => ({ body: { resellerId: otherReseller(world, who) } }),
  },
  putZohoId: { policy: provisioning('editAccount'), send: () => ({ body: { zohoId: '1234567890' } }) },
  getAccountUsers: { policy: reading },
  getAccountUser: { policy: reading },
  patchAccountUser: { policy: byPerson('editAccountUsers'), send: ({ fresh }) => ({ body: { firstName: fresh } }) },
  'patchAccountUser of the address': {
    policy: byPerson('editAccountUsers'),
    send: ({ fresh }) => ({ body: { email: `${fresh}@tenancy.example` } }),
  },
  findAccountUsers: { policy: reading, send: () => ({ query: { email: 'nobody@tenancy.example' } }) },
  getAccountAuditLogs: { policy: withPermission('viewAuditLogs') },
  getResellerAuditLogs: { policy: withPermission('viewAuditLogs') },
  getInsights: {
    policy: withPermission('viewInsights'),
    wrong: ({ is }, text) => {
      const { total } = (JSON.parse(text) as { accounts: { total: number } }).accounts
      const most = is.kind === 'staff' ? is.accounts?.length : undefined
      return most === undefined || total <= most ? undefined : `counts ${total} accounts of ${most}`
    },
  },
  getResellerReports: { policy: reporting },
  addResellerReport: {
    policy: reporting,
    send: () => ({ body: { type: 'billing', from: thatDay(), till: thatDay() } }),
  },
  getResellerReport: { policy: reporting },
  getResellerReportFile: { policy: reporting },
  getMobileSubscriptions: { policy: { ...reading, module: true } },
  getMobileSubscription: { policy: { ...reading, module: true } },
  addMobileSubscription: {
    policy: { ...provisioning('manageSubscriptions'), module: true },
    send: ({ fresh }) => ({ body: { iccid: '894400000000000001', sku: fresh } }),
  },
  patchMobileSubscription: {
    policy: { ...provisioning('manageSubscriptions'), module: true },
    send: ({ fresh }) => ({ body: { sku: fresh } }),
  },
  deleteMobileSubscription: { policy: { ...provisioning('manageSubscriptions'), module: true } },
  getFirmwareImages: { policy: reading },
  getFirmwareImage: { policy: reading },
  addFirmwareImage: {
    policy: byPerson('manageSubscriptions'),
    send: ({ fresh }) => ({ body: { brand: fresh, model: fresh, version: '1', sizeBytes: 3 } }),
  },
  putFirmwarePart: {
    policy: byPerson('manageSubscriptions'),
    send: () => ({ params: { part: '0' }, body: { data: 'YWJj' } }),
    also: { 409: 'the firmware is complete already' },
    silent: 'the firmware is complete already',
  },
  deleteFirmwareImage: { policy: byPerson('manageSubscriptions') },
  postSupportToken: { policy: { ...byPerson('generateAccessToken'), module: true } },
}

const otherReseller = (world: RequestScene['world'], who: RequestScene['who']): number =>
  who.is.kind === 'staff' && who.is.distributorId === world.far.distributorId
    ? world.far.emptyResellerId
    : world.near.emptyResellerId

const subscribing = {
  callers: 'both',
  owner: true,
  active: true,
  selfService: true,
  permission: 'manageSubscriptions',
  apiKey: 'provisioning',
  support: 'no',
} as const
const accountOrStaff = { callers: 'both', permission: 'viewAccounts', support: 'yes' } as const

const subscriptions: Readonly<Record<string, OperationCase>> = {
  getAccount: { policy: accountOrStaff },
  getAccountDetails: { policy: { ...accountOrStaff, owner: true } },
  patchAccountDetails: {
    policy: { ...accountOrStaff, owner: true, permission: 'editAccount', support: 'no', apiKey: 'no' },
    send: ({ fresh }) => ({ body: { city: fresh } }),
  },
  getCurrentSubscription: { policy: accountOrStaff },
  getSubscriptions: { policy: { ...accountOrStaff, owner: true, selfService: true } },
  getAccountSubscriptions: { policy: reading },
  getAccountSubscription: { policy: reading },
  patchSubscription: {
    policy: subscribing,
    send: ({ ids }) => ({ body: { subscriptionId: ids.subscriptionPackage } }),
  },
  'patchSubscription of the next one': {
    policy: subscribing,
    send: ({ ids }) => ({ body: { nextSubscriptionPackageId: ids.subscriptionPackage } }),
  },
  getSubscriptionPackages: { policy: reading },
  putSubscriptionPackage: {
    policy: { ...byPerson('manageSubscriptions'), level: 'distributor' },
    send: ({ fresh }) => ({
      body: { name: fresh, sku: fresh, quality: 'SD1', retention: 168, maxAmountOfCameras: 10 },
    }),
    // Each reseller has its own list; an id of another reseller's package is a new one here.
    chosen: ['params.subscriptionPackageId'],
  },
}

const hostOf = ({ own, sibling, plain, foreign }: RequestScene['world'], resellerId: number): string =>
  [own, sibling, plain, foreign].find((reseller) => reseller.resellerId === resellerId)?.host ?? own.host

const distributors = { callers: 'staff', level: 'distributor', support: 'no' } as const
const distributorsPerson = { ...distributors, apiKey: 'no' } as const
const admins = { callers: 'staff', level: 'admin', support: 'no' } as const
const adminsPerson = { ...admins, apiKey: 'no' } as const

const organisations: Readonly<Record<string, OperationCase>> = {
  getDistributors: { policy: admins },
  addDistributor: { policy: adminsPerson, send: name },
  getDistributor: { policy: distributors },
  patchDistributor: { policy: adminsPerson, send: name },
  deleteDistributor: { policy: adminsPerson, uses: ({ world }) => ({ distributor: world.emptyDistributorId }) },
  patchAccountStatus: { policy: adminsPerson, send: () => ({ body: { publicDemo: false } }) },
  getResellers: { policy: distributors },
  addReseller: { policy: distributorsPerson, send: name },
  getReseller: { policy: { callers: 'staff', support: 'no' } },
  patchReseller: { policy: distributorsPerson, send: name },
  deleteReseller: {
    policy: distributorsPerson,
    uses: ({ world, who }) => ({ reseller: otherReseller(world, who) }),
  },
  patchModules: { policy: distributorsPerson, send: () => ({ body: { reports: false } }) },
  getBrandHosts: { policy: { ...withPermission('whiteLabel'), module: true } },
  addBrandHost: {
    policy: { ...byPerson('whiteLabel'), level: 'distributor', module: true },
    send: ({ fresh }) => ({ body: { host: `${fresh}.tenancy.example` } }),
  },
  getBrandHost: {
    policy: { ...withPermission('whiteLabel'), module: true },
    send: ({ world, ids }) => ({ params: { host: hostOf(world, ids.reseller) } }),
  },
  deleteBrandHost: {
    policy: { ...byPerson('whiteLabel'), level: 'distributor', module: true },
    send: ({ world, ids }) => ({ params: { host: hostOf(world, ids.reseller) } }),
  },
  getResellerTheme: { policy: { ...withPermission('whiteLabel'), module: true } },
  patchResellerTheme: {
    policy: { ...byPerson('whiteLabel'), module: true },
    send: ({ fresh }) => ({ body: { companyName: fresh } }),
  },
}

const jobs: Readonly<Record<string, OperationCase>> = {
  getJobs: { policy: adminsPerson },
  getJobCounts: { policy: adminsPerson },
  retryJob: { policy: adminsPerson },
  discardJob: { policy: adminsPerson },
}

const managing = byPerson('manageUsers')
const person = ({ fresh }: RequestScene) => ({ email: `${fresh}@tenancy.example`, firstName: fresh, lastName: fresh })
// Only reseller staff can be limited to specific accounts.
const newDealer: OperationCase['send'] = (scene) => ({ body: { ...person(scene), accountIds: [] } })
const newStaff: OperationCase['send'] = (scene) => ({ body: person(scene) })
const newDealerByProfile: OperationCase['send'] = (scene) => ({
  body: { ...person(scene), accountIds: [], permissionProfileId: scene.ids.permissionProfile },
})
const newStaffByProfile: OperationCase['send'] = (scene) => ({
  body: { ...person(scene), permissionProfileId: scene.ids.permissionProfile },
})
const changeDealer: OperationCase['send'] = ({ fresh }) => ({ body: { firstName: fresh, accountIds: [] } })
const rename: OperationCase['send'] = ({ fresh }) => ({ body: { firstName: fresh } })
const giveProfile: OperationCase['send'] = ({ ids }) => ({ body: { permissionProfileId: ids.permissionProfile } })
const ofDistributor: OperationCase['uses'] = ({ world, who }) => {
  const isFar = who.is.kind === 'staff' && who.is.distributorId === world.far.distributorId
  const { staffId, profileId } = isFar ? world.far : world.near
  return { staff: staffId, permissionProfile: profileId }
}
const ofProvider: OperationCase['uses'] = ({ world }) => ({ staff: world.providerStaffId })

/** The provider has only the built-in profiles; a reseller's belongs to another organization. */
const noSuchProfile: OperationCase['except'] = () => ({
  verdict: 'absent',
  because: 'the profile belongs to a reseller',
})

const staff: Readonly<Record<string, OperationCase>> = {
  getResellerStaff: { policy: managing },
  getStaffProfiles: { policy: managing },
  addResellerStaff: { policy: managing, send: newDealer },
  'addResellerStaff with a profile': { policy: managing, send: newDealerByProfile },
  getResellerStaffUser: { policy: managing },
  patchResellerStaffUser: { policy: managing, send: changeDealer },
  'patchResellerStaffUser with a profile': { policy: managing, send: giveProfile },
  deleteResellerStaffUser: { policy: managing },
  getDistributorStaff: { policy: { ...managing, level: 'distributor' } },
  addDistributorStaff: { policy: { ...managing, level: 'distributor' }, send: newStaff },
  'addDistributorStaff with a profile': {
    policy: { ...managing, level: 'distributor' },
    uses: ofDistributor,
    send: newStaffByProfile,
  },
  getDistributorStaffUser: { policy: { ...managing, level: 'distributor' }, uses: ofDistributor },
  patchDistributorStaffUser: { policy: { ...managing, level: 'distributor' }, uses: ofDistributor, send: rename },
  'patchDistributorStaffUser with a profile': {
    policy: { ...managing, level: 'distributor' },
    uses: ofDistributor,
    send: giveProfile,
  },
  deleteDistributorStaffUser: { policy: { ...managing, level: 'distributor' }, uses: ofDistributor },
  getProviderStaff: { policy: { ...managing, level: 'admin' } },
  addProviderStaff: { policy: { ...managing, level: 'admin' }, send: newStaff },
  'addProviderStaff with a profile': {
    policy: { ...managing, level: 'admin' },
    uses: ofProvider,
    send: newStaffByProfile,
    except: noSuchProfile,
  },
  'patchProviderStaffUser with a profile': {
    policy: { ...managing, level: 'admin' },
    uses: ofProvider,
    send: giveProfile,
    except: noSuchProfile,
  },
  getProviderStaffUser: { policy: { ...managing, level: 'admin' }, uses: ofProvider },
  patchProviderStaffUser: { policy: { ...managing, level: 'admin' }, uses: ofProvider, send: rename },
  deleteProviderStaffUser: { policy: { ...managing, level: 'admin' }, uses: ofProvider },
}

const keys = byPerson('manageApiKeys')

const ownKey: OperationCase['uses'] = ({ who }) =>
  who.is.kind === 'staff' && who.is.level === 'reseller' ? { apiKey: who.is.ownKeyId } : {}
const notOfTheReseller: OperationCase['except'] = ({ who }) =>
  who.is.kind === 'staff' && who.is.level !== 'reseller'
    ? { verdict: 'forbidden', because: 'a key acts as whoever made it, who has to be of the reseller' }
    : undefined
const actsAsAnother: OperationCase['except'] = () => ({
  verdict: 'forbidden',
  because: 'it acts as a colleague, with what the colleague may do',
})

const apiKeys: Readonly<Record<string, OperationCase>> = {
  getResellerApiKeys: { policy: keys },
  postResellerApiKey: { policy: keys, send: name, except: notOfTheReseller },
  getResellerApiKey: { policy: keys },
  patchResellerApiKey: { policy: keys, send: name, uses: ownKey, except: notOfTheReseller },
  'patchResellerApiKey of a colleague’s key': { policy: keys, send: name, except: actsAsAnother },
  deleteResellerApiKey: { policy: keys },
  rotateResellerApiKey: { policy: keys, uses: ownKey, except: notOfTheReseller },
  'rotateResellerApiKey of a colleague’s key': { policy: keys, except: actsAsAnother },
}

export const dealers: Readonly<Record<string, OperationCase>> = {
  ...accounts,
  ...subscriptions,
  ...organisations,
  ...jobs,
  ...staff,
  ...apiKeys,
}
