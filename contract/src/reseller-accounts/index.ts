import * as z from 'zod/mini'
import {
  contactDetails,
  contactDetailsPatch,
  email,
  ofReseller,
  organisationIdText,
  organisationName,
  personalContactDetails,
  resellerParams,
} from '../resellers/index.ts'
import { languageCode, searchText, userDetailsPatch } from '../user-details/index.ts'
import { userBasePatch } from '../users/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

const accountStatus = z.enum(['active', 'inactive', 'suspended'])
const userType = z.enum(['regular', 'trial', 'demo'])
const featureFlags = z.object({ userSelfServiceManagement: z.boolean(), preventEditUserDetails: z.boolean() })
const limits = { maxSubUsers: z.int(), maxCameras: z.int(), maxDevices: z.int() }
const limitGiven = z.nullable(z.int().check(z.gte(0), z.lte(100_000)))

/** A customer of a reseller (specification §3). A null limit means that the reseller or the package decides. */
export { accountVisibility, patchAccountStatus } from './account-status.ts'
export { getAccountDetails, patchAccountDetails } from './own-account.ts'

export const account = z.object({
  accountId: id,
  resellerId: id,
  name: z.string(),
  /** The owner's; an account that is being removed may have no owner. */
  email: z.nullable(z.string()),
  status: accountStatus,
  userType,
  /** Guests can enter it without a password, as a demo. */
  publicDemo: z.boolean(),
  timeZone: z.string(),
  language: languageCode,
  zohoId: z.nullable(z.string()),
  contactDetails,
  featureFlags,
  /** Sub-users can't use the Web App. */
  subUsersBarred: z.boolean(),
  maxSubUsers: z.nullable(limits.maxSubUsers),
  maxCameras: z.nullable(limits.maxCameras),
  maxDevices: z.nullable(limits.maxDevices),
  /** Usage and maximum; null means unlimited. */
  usage: z.object({
    subUsers: z.int(),
    subUserSlots: z.int(),
    cameras: z.int(),
    cameraSlots: z.nullable(z.int()),
    devices: z.int(),
    deviceSlots: z.nullable(z.int()),
  }),
  /** The owner's grant for support; null means closed. */
  allowsHelpdeskExpirationDate: z.nullable(dateTime),
  allowsHelpdeskShowVideo: z.boolean(),
  /** When it will be deleted at its owner's request; null without one. */
  deletesAt: z.nullable(dateTime),
  createdAt: dateTime,
})
export type Account = z.infer<typeof account>

export const accountParams = z.object({ resellerId: organisationIdText, accountId: idText })
export const ofAccount = { ...ofReseller, 'params.accountId': 'account' } as const

export const getAccount = route({
  name: 'getAccount',
  summary: 'Get the caller’s account; for staff, any account they can access',
  method: 'GET',
  path: 'accounts/{accountId}',
  access: 'object',
  callers: 'both',
  permission: 'viewAccounts',
  support: 'yes',
  ids: { 'params.accountId': 'account' },
  params: z.object({ accountId: z.union([z.literal('self'), idText]) }),
  reply: account,
  errors: ['notFound'],
})

export const getResellerAccounts = route({
  name: 'getResellerAccounts',
  summary: 'List the accounts of a reseller that the caller can access',
  method: 'GET',
  path: 'resellers/{resellerId}/accounts',
  access: 'object',
  callers: 'staff',
  permission: 'viewAccounts',
  support: 'no',
  ids: ofReseller,
  params: resellerParams,
  query: z.partial(
    z.object({
      /**
       * Part of the account's name, of a user's email address or of a telephone number, or the whole number of the
       * account or MAC address of a camera or device; case-insensitive.
       */
      q: searchText(128),
      /** The owner's full email address; case-insensitive. */
      email: searchText(255),
      status: accountStatus,
      userType,
    }),
  ),
  reply: z.array(account),
  list: {
    key: 'accountId',
    sort: ['name', 'email', 'status', 'createdAt', 'accountId'],
    defaultLimit: 100,
    pagedBy: 'store',
  },
  errors: ['validation', 'notFound'],
})

interface PackageNamed {
  readonly subscriptionId?: number | undefined
  readonly subscriptionPackageId?: number | undefined
}

/** The package of a new account. Old and new field names are accepted (decision 4), but not two packages. */
export function getPackageId({ subscriptionId, subscriptionPackageId }: PackageNamed): number | undefined {
  if (subscriptionId === undefined) return subscriptionPackageId
  return subscriptionPackageId === undefined || subscriptionPackageId === subscriptionId ? subscriptionId : undefined
}

const newAccountFields = z.object({
  contactDetails: personalContactDetails,
  /** Of the owner, who gets an email to set the password. */
  email,
  subscriptionId: z.optional(id),
  /** The other name of the same field (decision 4). */
  subscriptionPackageId: z.optional(id),
  /** Default: the company's, then the owner's. */
  name: z.optional(organisationName),
  language: z.optional(languageCode),
  /** Default: the reseller's. */
  timeZone: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  userType: z.optional(userType),
  featureFlags: z.optional(z.partial(featureFlags)),
  maxSubUsers: z.optional(limitGiven),
  maxCameras: z.optional(limitGiven),
  maxDevices: z.optional(limitGiven),
})
export const accountInput = newAccountFields.check(
  z.refine((given) => getPackageId(given) !== undefined, {
    path: ['subscriptionId'],
    error: 'Please choose a subscription',
  }),
)
export type AccountInput = z.infer<typeof accountInput>

export const addAccount = route({
  name: 'addAccount',
  summary: 'Create an account with an owner, who gets an email to set a password, and a subscription',
  method: 'POST',
  path: 'resellers/{resellerId}/accounts',
  access: 'object',
  callers: 'staff',
  permission: 'addAccount',
  apiKey: 'provisioning',
  support: 'no',
  operation: 35,
  ids: {
    ...ofReseller,
    'body.subscriptionId': 'subscriptionPackage',
    'body.subscriptionPackageId': 'subscriptionPackage',
  },
  params: resellerParams,
  body: accountInput,
  reply: account,
  status: 201,
  created: 'resellers/{resellerId}/accounts/{accountId}',
  errors: ['validation', 'notFound', 'duplicate', 'subscriptionLimit'],
})

export const getResellerAccount = route({
  name: 'getResellerAccount',
  summary: 'Get an account of a reseller',
  method: 'GET',
  path: 'resellers/{resellerId}/accounts/{accountId}',
  access: 'object',
  callers: 'staff',
  permission: 'viewAccounts',
  support: 'no',
  ids: ofAccount,
  params: accountParams,
  reply: account,
  errors: ['notFound'],
})

export const accountPatch = z.partial(
  z.object({
    name: organisationName,
    contactDetails: contactDetailsPatch,
    status: accountStatus,
    userType,
    language: languageCode,
    timeZone: z.string().check(z.minLength(1), z.maxLength(64)),
    featureFlags: z.partial(featureFlags),
    subUsersBarred: z.boolean(),
    maxSubUsers: limitGiven,
    maxCameras: limitGiven,
    maxDevices: limitGiven,
  }),
)
export type AccountPatch = z.infer<typeof accountPatch>

export const patchResellerAccount = route({
  name: 'patchResellerAccount',
  summary: 'Update the contact, status, limits or flags of an account; a limit can’t be below current usage',
  method: 'PATCH',
  path: 'resellers/{resellerId}/accounts/{accountId}',
  access: 'object',
  callers: 'staff',
  permission: 'editAccount',
  apiKey: 'provisioning',
  support: 'no',
  ids: ofAccount,
  params: accountParams,
  body: accountPatch,
  reply: account,
  errors: ['validation', 'notFound', 'businessRule', 'subscriptionLimit'],
})

export const deleteResellerAccount = route({
  name: 'deleteResellerAccount',
  summary:
    'Delete an account with its users and zones; not possible while cameras or devices are attached; its audit log is kept',
  method: 'DELETE',
  path: 'resellers/{resellerId}/accounts/{accountId}',
  access: 'object',
  callers: 'staff',
  permission: 'deleteAccount',
  apiKey: 'no',
  support: 'no',
  ids: ofAccount,
  params: accountParams,
  reply: nothing,
  status: 204,
  errors: ['notFound', 'businessRule'],
})

export const moveAccount = route({
  name: 'moveAccount',
  summary:
    'Move an account to another reseller, which must have the same package and no user with the same email address',
  method: 'PUT',
  path: 'resellers/{resellerId}/accounts/{accountId}/reseller',
  access: 'object',
  callers: 'staff',
  level: 'distributor',
  permission: 'editAccount',
  apiKey: 'no',
  support: 'no',
  operation: 176,
  ids: { ...ofAccount, 'body.resellerId': 'reseller' },
  params: accountParams,
  body: z.object({ resellerId: id }),
  reply: account,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const putZohoId = route({
  name: 'putZohoId',
  summary: 'Link an account to a Zoho customer; null removes the link',
  method: 'PUT',
  path: 'resellers/{resellerId}/accounts/{accountId}/zoho',
  access: 'object',
  callers: 'staff',
  permission: 'editAccount',
  apiKey: 'provisioning',
  support: 'no',
  operation: 44,
  ids: ofAccount,
  params: accountParams,
  // Any text is accepted, because an invalid identifier is rejected with the operation's own code 6.
  body: z.object({ zohoId: z.nullable(z.string().check(z.maxLength(255))) }),
  reply: nothing,
  status: 204,
  errors: ['validation', 'notFound', 'businessRule'],
})

/** A user of an account as dealers see them. */
export const accountUser = z.object({
  userId: id,
  accountId: id,
  email: z.string(),
  /** Requested by a dealer and not confirmed by the current address yet. */
  pendingEmail: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.nullable(z.string()),
  language: languageCode,
  /** Of the account. */
  timeZone: z.string(),
  isOwner: z.boolean(),
  blocked: z.boolean(),
  createdAt: dateTime,
})
export type AccountUser = z.infer<typeof accountUser>

const accountUserParams = z.object({ resellerId: organisationIdText, accountId: idText, userId: idText })
const ofAccountUser = { ...ofAccount, 'params.userId': 'user' } as const

export const getAccountUsers = route({
  name: 'getAccountUsers',
  summary: 'List the users of an account',
  method: 'GET',
  path: 'resellers/{resellerId}/accounts/{accountId}/users',
  access: 'object',
  callers: 'staff',
  permission: 'viewAccounts',
  support: 'no',
  ids: ofAccount,
  params: accountParams,
  reply: z.array(accountUser),
  list: { key: 'userId', sort: ['email', 'lastName', 'firstName', 'createdAt', 'userId'], defaultLimit: 'all' },
  errors: ['notFound'],
})

export const getAccountUser = route({
  name: 'getAccountUser',
  summary: 'Get a user of an account',
  method: 'GET',
  path: 'resellers/{resellerId}/accounts/{accountId}/users/{userId}',
  access: 'object',
  callers: 'staff',
  permission: 'viewAccounts',
  support: 'no',
  ids: ofAccountUser,
  params: accountUserParams,
  reply: accountUser,
  errors: ['notFound'],
})

export const accountUserPatch = z.partial(
  z.object({
    firstName: userBasePatch.def.shape.firstName,
    lastName: userBasePatch.def.shape.lastName,
    phone: userDetailsPatch.def.shape.phone,
    language: languageCode,
    /** The account's. */
    timeZone: z.string().check(z.minLength(1), z.maxLength(64)),
    /** Waits as `pendingEmail` until the current address confirms it, for 7 days. */
    email,
  }),
)
export type AccountUserPatch = z.infer<typeof accountUserPatch>

export const patchAccountUser = route({
  name: 'patchAccountUser',
  summary: 'Update a user’s name, telephone, language, time zone or email address; the user must confirm a new address',
  method: 'PATCH',
  path: 'resellers/{resellerId}/accounts/{accountId}/users/{userId}',
  access: 'object',
  callers: 'staff',
  permission: 'editAccountUsers',
  apiKey: 'no',
  support: 'no',
  ids: ofAccountUser,
  params: accountUserParams,
  body: accountUserPatch,
  reply: accountUser,
  errors: ['validation', 'notFound', 'duplicate', 'businessRule'],
})

export const findAccountUsers = route({
  name: 'findAccountUsers',
  summary: 'Find the user with an email address, among the accounts of a reseller that the caller can access',
  method: 'GET',
  path: 'resellers/{resellerId}/accountUsers',
  access: 'object',
  callers: 'staff',
  permission: 'viewAccounts',
  support: 'no',
  ids: ofReseller,
  params: resellerParams,
  query: z.object({ email: searchText(255).check(z.minLength(1)) }),
  reply: z.array(z.object({ userId: id, accountId: id, email: z.string() })),
  list: { key: 'userId', sort: ['userId'], defaultLimit: 'all' },
  errors: ['validation', 'notFound'],
})
