import * as z from 'zod/mini'
import {
  distributorParams,
  email,
  ofDistributor,
  ofReseller,
  organisationIdText,
  resellerParams,
} from '../resellers/index.ts'
import { modules, permissions, staffLevels } from '../rights/index.ts'
import { languageCode, userDetailsPatch } from '../user-details/index.ts'
import { userBasePatch } from '../users/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** A person who works for a reseller, a distributor or the provider. */
export const staffUser = z.object({
  userId: id,
  level: z.enum(staffLevels),
  resellerId: z.nullable(id),
  distributorId: z.nullable(id),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.nullable(z.string()),
  language: languageCode,
  permissions,
  /** While the permissions are those of the profile. */
  permissionProfileId: z.nullable(id),
  /** False: only the accounts in `accountIds`. */
  allAccounts: z.boolean(),
  accountIds: z.array(id),
  blocked: z.boolean(),
  /** Whether a second factor is on. */
  mfaEnabled: z.boolean(),
  createdAt: dateTime,
})
export type StaffUser = z.infer<typeof staffUser>

const { firstName, lastName } = userBasePatch.def.shape
/** Fields that can be set when a person is added and later. */
const changeable = {
  phone: userDetailsPatch.def.shape.phone,
  language: z.optional(languageCode),
  /** Permissions that aren't listed are off. */
  permissions: z.optional(z.strictObject(z.partial(permissions).def.shape)),
  /** Instead of listing them individually. */
  permissionProfileId: z.optional(id),
  /** Whether the person may manage all accounts of this part of the tree; true by default. */
  allAccounts: z.optional(z.boolean()),
  /** The accounts; then `allAccounts` is false. */
  accountIds: z.optional(z.array(id).check(z.maxLength(1000))),
}
const onlyOneSource = z.refine<{ permissions?: unknown; permissionProfileId?: unknown }>(
  (given) => given.permissions === undefined || given.permissionProfileId === undefined,
  'send either permissions or permissionProfileId',
)

export const newStaffUser = z
  .object({ email, firstName: firstName.def.innerType, lastName: lastName.def.innerType, ...changeable })
  .check(onlyOneSource)
export type NewStaffUser = z.infer<typeof newStaffUser>

/** Permissions that aren't listed don't change. An email address belongs to a person and doesn't change. */
export const staffPatch = z
  .object({ firstName, lastName, ...changeable, blocked: z.optional(z.boolean()) })
  .check(onlyOneSource)
export type StaffPatch = z.infer<typeof staffPatch>

const staffList = {
  key: 'userId',
  sort: ['email', 'lastName', 'firstName', 'createdAt', 'userId'],
  defaultLimit: 100,
} as const
const ofStaff = { 'params.userId': 'staff' } as const
const ofGrants = { 'body.permissionProfileId': 'permissionProfile', 'body.accountIds': 'account' } as const

/** The five calls about staff are the same at each level: a reseller's, a distributor's, the provider's. */
const people = { access: 'object', callers: 'staff', permission: 'manageUsers', apiKey: 'no', support: 'no' } as const
const listing = { ...people, method: 'GET', reply: z.array(staffUser), list: staffList } as const
const adding = {
  ...people,
  method: 'POST',
  body: newStaffUser,
  reply: staffUser,
  status: 201,
  errors: ['validation', 'notFound', 'duplicate'],
} as const
const reading = { ...people, method: 'GET', reply: staffUser, errors: ['notFound'] } as const
const changing = {
  ...people,
  method: 'PATCH',
  body: staffPatch,
  reply: staffUser,
  errors: ['validation', 'notFound', 'businessRule'],
} as const
const removing = {
  ...people,
  method: 'DELETE',
  reply: nothing,
  status: 204,
  errors: ['notFound', 'businessRule'],
} as const

const oneOfReseller = z.object({ resellerId: organisationIdText, userId: idText })

export const getResellerStaff = route({
  name: 'getResellerStaff',
  summary: 'List the staff of a reseller',
  path: 'resellers/{resellerId}/users',
  ...listing,
  ids: ofReseller,
  params: resellerParams,
  errors: ['notFound'],
})

export const addResellerStaff = route({
  name: 'addResellerStaff',
  summary:
    'Create a staff member of a reseller, who gets an email to set a password; callers can grant only permissions they have',
  path: 'resellers/{resellerId}/users',
  ...adding,
  ids: { ...ofReseller, ...ofGrants },
  params: resellerParams,
  created: 'resellers/{resellerId}/users/{userId}',
})

export const getResellerStaffUser = route({
  name: 'getResellerStaffUser',
  summary: 'Get a staff member of a reseller',
  path: 'resellers/{resellerId}/users/{userId}',
  ...reading,
  ids: { ...ofReseller, ...ofStaff },
  params: oneOfReseller,
})

export const patchResellerStaffUser = route({
  name: 'patchResellerStaffUser',
  summary: 'Update a staff member of a reseller; not yourself, and not anyone with more permissions than you',
  path: 'resellers/{resellerId}/users/{userId}',
  ...changing,
  ids: { ...ofReseller, ...ofStaff, ...ofGrants },
  params: oneOfReseller,
})

export const deleteResellerStaffUser = route({
  name: 'deleteResellerStaffUser',
  summary: 'Delete a staff member of a reseller; not yourself, and not anyone with more permissions than you',
  path: 'resellers/{resellerId}/users/{userId}',
  ...removing,
  ids: { ...ofReseller, ...ofStaff },
  params: oneOfReseller,
})

const oneOfDistributor = z.object({ distributorId: organisationIdText, userId: idText })

export const getDistributorStaff = route({
  name: 'getDistributorStaff',
  summary: 'List the staff of a distributor',
  path: 'distributors/{distributorId}/users',
  ...listing,
  level: 'distributor',
  ids: ofDistributor,
  params: distributorParams,
  errors: ['notFound'],
})

export const addDistributorStaff = route({
  name: 'addDistributorStaff',
  summary:
    'Create a staff member of a distributor, who gets an email to set a password; callers can grant only permissions they have',
  path: 'distributors/{distributorId}/users',
  ...adding,
  level: 'distributor',
  ids: { ...ofDistributor, ...ofGrants },
  params: distributorParams,
  created: 'distributors/{distributorId}/users/{userId}',
})

export const getDistributorStaffUser = route({
  name: 'getDistributorStaffUser',
  summary: 'Get a staff member of a distributor',
  path: 'distributors/{distributorId}/users/{userId}',
  ...reading,
  level: 'distributor',
  ids: { ...ofDistributor, ...ofStaff },
  params: oneOfDistributor,
})

export const patchDistributorStaffUser = route({
  name: 'patchDistributorStaffUser',
  summary: 'Update a staff member of a distributor; not yourself, and not anyone with more permissions than you',
  path: 'distributors/{distributorId}/users/{userId}',
  ...changing,
  level: 'distributor',
  ids: { ...ofDistributor, ...ofStaff, ...ofGrants },
  params: oneOfDistributor,
})

export const deleteDistributorStaffUser = route({
  name: 'deleteDistributorStaffUser',
  summary: 'Delete a staff member of a distributor; not yourself, and not anyone with more permissions than you',
  path: 'distributors/{distributorId}/users/{userId}',
  ...removing,
  level: 'distributor',
  ids: { ...ofDistributor, ...ofStaff },
  params: oneOfDistributor,
})

const oneOfProvider = z.object({ userId: idText })

export const getProviderStaff = route({
  name: 'getProviderStaff',
  summary: 'List the administrators',
  path: 'provider/users',
  ...listing,
  access: 'tenant',
  level: 'admin',
  errors: [],
})

export const addProviderStaff = route({
  name: 'addProviderStaff',
  summary: 'Create an administrator, who gets an email to set a password; callers can grant only permissions they have',
  path: 'provider/users',
  ...adding,
  access: 'tenant',
  level: 'admin',
  ids: ofGrants,
  created: 'provider/users/{userId}',
})

export const getProviderStaffUser = route({
  name: 'getProviderStaffUser',
  summary: 'Get an administrator',
  path: 'provider/users/{userId}',
  ...reading,
  level: 'admin',
  ids: ofStaff,
  params: oneOfProvider,
})

export const patchProviderStaffUser = route({
  name: 'patchProviderStaffUser',
  summary: 'Update an administrator; not yourself, and not anyone with more permissions than you',
  path: 'provider/users/{userId}',
  ...changing,
  level: 'admin',
  ids: { ...ofStaff, ...ofGrants },
  params: oneOfProvider,
})

export const deleteProviderStaffUser = route({
  name: 'deleteProviderStaffUser',
  summary: 'Delete an administrator; not yourself, and not anyone with more permissions than you',
  path: 'provider/users/{userId}',
  ...removing,
  level: 'admin',
  ids: ofStaff,
  params: oneOfProvider,
})

export const getStaffProfiles = route({
  name: 'getStaffProfiles',
  summary: 'List the permission profiles for staff of a reseller',
  method: 'GET',
  path: 'resellers/{resellerId}/permissionProfiles',
  ...people,
  ids: ofReseller,
  params: resellerParams,
  reply: z.array(
    z.object({ permissionProfileId: id, name: z.string(), permissions, /** Of the provider. */ builtin: z.boolean() }),
  ),
  list: { key: 'permissionProfileId', sort: ['name', 'permissionProfileId'], defaultLimit: 'all' },
  errors: ['notFound'],
})

/** The level and permissions of the signed-in staff member, for the Dealer Dashboard. */
export const ownStaff = z.object({
  level: z.enum(staffLevels),
  resellerId: z.nullable(id),
  distributorId: z.nullable(id),
  organisationName: z.string(),
  permissions,
  /** Of their reseller; above a reseller, each one has its own. */
  modules,
})
export type OwnStaff = z.infer<typeof ownStaff>

export const getOwnStaff = route({
  name: 'getOwnStaff',
  summary: 'Get the level, organization, permissions and modules of the signed-in staff member',
  method: 'GET',
  path: 'users/self/staff',
  access: 'authenticated',
  callers: 'staff',
  support: 'no',
  reply: ownStaff,
  errors: [],
})
