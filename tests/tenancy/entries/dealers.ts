/** The dealer plane: api.md §5, §7, §17, §20. */
import type { OperationCase, RequestScene } from '../operation.ts'

const withPermission = (permission: string) => ({ callers: 'staff', permission, support: 'no' }) as const
/** People, keys and what cannot be taken back: not by an API key. */
const byPerson = (permission: string) => ({ ...withPermission(permission), apiKey: 'no' }) as const
/** Accounts and what they subscribe to: by a key that is switched on for it. */
const provisioning = (permission: string) => ({ ...withPermission(permission), apiKey: 'provisioning' }) as const
const reading = withPermission('viewAccounts')
const reporting = { ...withPermission('viewInsights'), module: true } as const
const thatDay = () => new Date().toISOString().slice(0, 10)
const name = ({ fresh }: RequestScene) => ({ body: { name: fresh } })

/** An account without cameras, which may be moved and removed. */
const bareAccount: OperationCase['uses'] = ({ world, who }) => ({
  account: who.is.kind === 'staff' ? who.is.reseller.bareAccountId : world.own.bareAccountId,
})

const accounts: Readonly<Record<string, OperationCase>> = {
  getResellerAccounts: { law: reading },
  addAccount: {
    law: provisioning('addAccount'),
    send: ({ ids, fresh }) => ({
      body: {
        contactDetails: { firstName: fresh, lastName: fresh, contactEmail: `${fresh}@tenancy.example` },
        email: `${fresh}@tenancy.example`,
        subscriptionId: ids.subscriptionPackage,
      },
    }),
  },
  getResellerAccount: { law: reading },
  patchResellerAccount: { law: provisioning('editAccount'), send: name },
  deleteResellerAccount: { law: byPerson('deleteAccount'), uses: bareAccount },
  moveAccount: {
    law: { ...byPerson('editAccount'), level: 'distributor' },
    uses: bareAccount,
    send: ({ world, who }) => ({ body: { resellerId: otherReseller(world, who) } }),
  },
  putZohoId: { law: provisioning('editAccount'), send: () => ({ body: { zohoId: '1234567890' } }) },
  getAccountUsers: { law: reading },
  getAccountUser: { law: reading },
  patchAccountUser: { law: byPerson('editAccountUsers'), send: ({ fresh }) => ({ body: { firstName: fresh } }) },
  'patchAccountUser of the address': {
    law: byPerson('editAccountUsers'),
    send: ({ fresh }) => ({ body: { email: `${fresh}@tenancy.example` } }),
  },
  findAccountUsers: { law: reading, send: () => ({ query: { email: 'nobody@tenancy.example' } }) },
  getAccountAuditLogs: { law: withPermission('viewAuditLogs') },
  getResellerAuditLogs: { law: withPermission('viewAuditLogs') },
  getInsights: {
    law: withPermission('viewInsights'),
    wrong: ({ is }, text) => {
      const { total } = (JSON.parse(text) as { accounts: { total: number } }).accounts
      const most = is.kind === 'staff' ? is.accounts?.length : undefined
      return most === undefined || total <= most ? undefined : `counts ${total} accounts of ${most}`
    },
  },
  getResellerReports: { law: reporting },
  addResellerReport: { law: reporting, send: () => ({ body: { type: 'billing', from: thatDay(), till: thatDay() } }) },
  getResellerReport: { law: reporting },
  getResellerReportFile: { law: reporting },
  postSupportToken: { law: { ...byPerson('generateAccessToken'), module: true } },
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
  getAccount: { law: accountOrStaff },
  getAccountDetails: { law: { ...accountOrStaff, owner: true } },
  patchAccountDetails: {
    law: { ...accountOrStaff, owner: true, permission: 'editAccount', support: 'no', apiKey: 'no' },
    send: ({ fresh }) => ({ body: { city: fresh } }),
  },
  getCurrentSubscription: { law: accountOrStaff },
  getSubscriptions: { law: { ...accountOrStaff, owner: true, selfService: true } },
  getAccountSubscriptions: { law: reading },
  getAccountSubscription: { law: reading },
  patchSubscription: {
    law: subscribing,
    send: ({ ids }) => ({ body: { subscriptionId: ids.subscriptionPackage } }),
  },
  'patchSubscription of the next one': {
    law: subscribing,
    send: ({ ids }) => ({ body: { nextSubscriptionPackageId: ids.subscriptionPackage } }),
  },
  getSubscriptionPackages: { law: reading },
  putSubscriptionPackage: {
    law: { ...byPerson('manageSubscriptions'), level: 'distributor' },
    send: ({ fresh }) => ({
      body: { name: fresh, sku: fresh, quality: 'SD1', retention: 168, maxAmountOfCameras: 10 },
    }),
    // Each reseller has its own list; an id that is in another's only is a new one here.
    chosen: ['params.subscriptionPackageId'],
  },
}

const distributors = { callers: 'staff', level: 'distributor', support: 'no' } as const
const distributorsPerson = { ...distributors, apiKey: 'no' } as const
const admins = { callers: 'staff', level: 'admin', support: 'no' } as const
const adminsPerson = { ...admins, apiKey: 'no' } as const

const organisations: Readonly<Record<string, OperationCase>> = {
  getDistributors: { law: admins },
  addDistributor: { law: adminsPerson, send: name },
  getDistributor: { law: distributors },
  patchDistributor: { law: adminsPerson, send: name },
  deleteDistributor: { law: adminsPerson, uses: ({ world }) => ({ distributor: world.emptyDistributorId }) },
  patchAccountStatus: { law: adminsPerson, send: () => ({ body: { publicDemo: false } }) },
  getResellers: { law: distributors },
  addReseller: { law: distributorsPerson, send: name },
  getReseller: { law: { callers: 'staff', support: 'no' } },
  patchReseller: { law: distributorsPerson, send: name },
  deleteReseller: {
    law: distributorsPerson,
    uses: ({ world, who }) => ({ reseller: otherReseller(world, who) }),
  },
  patchModules: { law: distributorsPerson, send: () => ({ body: { reports: false } }) },
  getResellerTheme: { law: { ...withPermission('whiteLabel'), module: true } },
  patchResellerTheme: {
    law: { ...byPerson('whiteLabel'), module: true },
    send: ({ fresh }) => ({ body: { companyName: fresh } }),
  },
}

const jobs: Readonly<Record<string, OperationCase>> = {
  getJobs: { law: adminsPerson },
  getJobCounts: { law: adminsPerson },
  retryJob: { law: adminsPerson },
  discardJob: { law: adminsPerson },
}

const managing = byPerson('manageUsers')
const person = ({ fresh }: RequestScene) => ({ email: `${fresh}@tenancy.example`, firstName: fresh, lastName: fresh })
// Only staff of a reseller can be limited to accounts.
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

/** The provider has no profiles besides those built in; a reseller's is another's. */
const noSuchProfile: OperationCase['except'] = () => ({ verdict: 'absent', because: 'the profile is a reseller’s' })

const staff: Readonly<Record<string, OperationCase>> = {
  getResellerStaff: { law: managing },
  getStaffProfiles: { law: managing },
  addResellerStaff: { law: managing, send: newDealer },
  'addResellerStaff with a profile': { law: managing, send: newDealerByProfile },
  getResellerStaffUser: { law: managing },
  patchResellerStaffUser: { law: managing, send: changeDealer },
  'patchResellerStaffUser with a profile': { law: managing, send: giveProfile },
  deleteResellerStaffUser: { law: managing },
  getDistributorStaff: { law: { ...managing, level: 'distributor' } },
  addDistributorStaff: { law: { ...managing, level: 'distributor' }, send: newStaff },
  'addDistributorStaff with a profile': {
    law: { ...managing, level: 'distributor' },
    uses: ofDistributor,
    send: newStaffByProfile,
  },
  getDistributorStaffUser: { law: { ...managing, level: 'distributor' }, uses: ofDistributor },
  patchDistributorStaffUser: { law: { ...managing, level: 'distributor' }, uses: ofDistributor, send: rename },
  'patchDistributorStaffUser with a profile': {
    law: { ...managing, level: 'distributor' },
    uses: ofDistributor,
    send: giveProfile,
  },
  deleteDistributorStaffUser: { law: { ...managing, level: 'distributor' }, uses: ofDistributor },
  getProviderStaff: { law: { ...managing, level: 'admin' } },
  addProviderStaff: { law: { ...managing, level: 'admin' }, send: newStaff },
  'addProviderStaff with a profile': {
    law: { ...managing, level: 'admin' },
    uses: ofProvider,
    send: newStaffByProfile,
    except: noSuchProfile,
  },
  'patchProviderStaffUser with a profile': {
    law: { ...managing, level: 'admin' },
    uses: ofProvider,
    send: giveProfile,
    except: noSuchProfile,
  },
  getProviderStaffUser: { law: { ...managing, level: 'admin' }, uses: ofProvider },
  patchProviderStaffUser: { law: { ...managing, level: 'admin' }, uses: ofProvider, send: rename },
  deleteProviderStaffUser: { law: { ...managing, level: 'admin' }, uses: ofProvider },
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
  getResellerApiKeys: { law: keys },
  postResellerApiKey: { law: keys, send: name, except: notOfTheReseller },
  getResellerApiKey: { law: keys },
  patchResellerApiKey: { law: keys, send: name, uses: ownKey, except: notOfTheReseller },
  'patchResellerApiKey of a colleague’s key': { law: keys, send: name, except: actsAsAnother },
  deleteResellerApiKey: { law: keys },
  rotateResellerApiKey: { law: keys, uses: ownKey, except: notOfTheReseller },
  'rotateResellerApiKey of a colleague’s key': { law: keys, except: actsAsAnother },
}

export const dealers: Readonly<Record<string, OperationCase>> = {
  ...accounts,
  ...subscriptions,
  ...organisations,
  ...jobs,
  ...staff,
  ...apiKeys,
}
