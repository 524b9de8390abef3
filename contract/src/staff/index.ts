import * as z from 'zod/mini'
import { distributorIdText } from '../distributors/index.ts'
import { email, resellerIdText } from '../resellers/index.ts'
import { modules, permissions, staffLevels } from '../rights/index.ts'
import { languageCode, userDetailsPatch } from '../user-details/index.ts'
import { userBasePatch } from '../users/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** Who works for a reseller, a distributor or the provider. */
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
  /** As long as the permissions are those of the profile. */
  permissionProfileId: z.nullable(id),
  /** False: those of `accountIds` only. */
  allAccounts: z.boolean(),
  accountIds: z.array(id),
  blocked: z.boolean(),
  createdAt: dateTime,
})
export type StaffUser = z.infer<typeof staffUser>

const person = {
  firstName: userBasePatch.def.shape.firstName.def.innerType,
  lastName: userBasePatch.def.shape.lastName.def.innerType,
}
const grants = {
  /** What is not named is off. */
  permissions: z.optional(z.strictObject(z.partial(permissions).def.shape)),
  /** Instead of naming them one by one. */
  permissionProfileId: z.optional(id),
  /** Whether every account of this part of the tree is worked with; true where nothing is said. */
  allAccounts: z.optional(z.boolean()),
  /** Names them; then `allAccounts` is false. */
  accountIds: z.optional(z.array(id).check(z.maxLength(1000))),
}
const onlyOneSource = z.refine<{ permissions?: unknown; permissionProfileId?: unknown }>(
  (given) => given.permissions === undefined || given.permissionProfileId === undefined,
  'either permissions or permissionProfileId',
)

export const staffGiven = z
  .object({
    email,
    ...person,
    phone: userDetailsPatch.def.shape.phone,
    language: z.optional(languageCode),
    ...grants,
  })
  .check(onlyOneSource)
export type StaffGiven = z.infer<typeof staffGiven>

/** Permissions that are not named stay as they are. An e-mail address is that of a person and does not change. */
export const staffPatch = z
  .object({
    firstName: userBasePatch.def.shape.firstName,
    lastName: userBasePatch.def.shape.lastName,
    phone: userDetailsPatch.def.shape.phone,
    language: z.optional(languageCode),
    ...grants,
    blocked: z.optional(z.boolean()),
  })
  .check(onlyOneSource)
export type StaffPatch = z.infer<typeof staffPatch>

const staffIds = {
  'params.userId': 'staff',
  'body.permissionProfileId': 'permissionProfile',
  'body.accountIds': 'account',
} as const
const staffList = {
  key: 'userId',
  sort: ['email', 'lastName', 'firstName', 'createdAt', 'userId'],
  defaultLimit: 100,
} as const
const people = { access: 'object', callers: 'staff', permission: 'manageUsers', apiKey: 'no', support: 'no' } as const

const inReseller = z.object({ resellerId: resellerIdText })
const oneOfReseller = z.object({ resellerId: resellerIdText, userId: idText })
const resellers = { 'params.resellerId': 'reseller' } as const

export const getResellerStaff = route({
  name: 'getResellerStaff',
  summary: 'The staff of a reseller',
  method: 'GET',
  path: 'resellers/{resellerId}/users',
  ...people,
  ids: resellers,
  params: inReseller,
  reply: z.array(staffUser),
  list: staffList,
  errors: ['notFound'],
})

export const addResellerStaff = route({
  name: 'addResellerStaff',
  summary: 'Adds staff of a reseller, who gets a mail to set the password; nobody gives more than they have',
  method: 'POST',
  path: 'resellers/{resellerId}/users',
  ...people,
  ids: { ...resellers, 'body.permissionProfileId': 'permissionProfile', 'body.accountIds': 'account' },
  params: inReseller,
  body: staffGiven,
  reply: staffUser,
  status: 201,
  created: 'resellers/{resellerId}/users/{userId}',
  errors: ['validation', 'notFound', 'duplicate'],
})

export const getResellerStaffUser = route({
  name: 'getResellerStaffUser',
  summary: 'One of the staff of a reseller',
  method: 'GET',
  path: 'resellers/{resellerId}/users/{userId}',
  ...people,
  ids: { ...resellers, 'params.userId': 'staff' },
  params: oneOfReseller,
  reply: staffUser,
  errors: ['notFound'],
})

export const patchResellerStaffUser = route({
  name: 'patchResellerStaffUser',
  summary: 'Changes staff of a reseller; not oneself, nor anybody who may do more',
  method: 'PATCH',
  path: 'resellers/{resellerId}/users/{userId}',
  ...people,
  ids: { ...resellers, ...staffIds },
  params: oneOfReseller,
  body: staffPatch,
  reply: staffUser,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const deleteResellerStaffUser = route({
  name: 'deleteResellerStaffUser',
  summary: 'Removes staff of a reseller; not oneself, nor anybody who may do more',
  method: 'DELETE',
  path: 'resellers/{resellerId}/users/{userId}',
  ...people,
  ids: { ...resellers, 'params.userId': 'staff' },
  params: oneOfReseller,
  reply: nothing,
  status: 204,
  errors: ['notFound', 'businessRule'],
})

const inDistributor = z.object({ distributorId: distributorIdText })
const oneOfDistributor = z.object({ distributorId: distributorIdText, userId: idText })
const distributors = { 'params.distributorId': 'distributor' } as const

export const getDistributorStaff = route({
  name: 'getDistributorStaff',
  summary: 'The staff of a distributor',
  method: 'GET',
  path: 'distributors/{distributorId}/users',
  ...people,
  level: 'distributor',
  ids: distributors,
  params: inDistributor,
  reply: z.array(staffUser),
  list: staffList,
  errors: ['notFound'],
})

export const addDistributorStaff = route({
  name: 'addDistributorStaff',
  summary: 'Adds staff of a distributor, who gets a mail to set the password; nobody gives more than they have',
  method: 'POST',
  path: 'distributors/{distributorId}/users',
  ...people,
  level: 'distributor',
  ids: { ...distributors, 'body.permissionProfileId': 'permissionProfile', 'body.accountIds': 'account' },
  params: inDistributor,
  body: staffGiven,
  reply: staffUser,
  status: 201,
  created: 'distributors/{distributorId}/users/{userId}',
  errors: ['validation', 'notFound', 'duplicate'],
})

export const getDistributorStaffUser = route({
  name: 'getDistributorStaffUser',
  summary: 'One of the staff of a distributor',
  method: 'GET',
  path: 'distributors/{distributorId}/users/{userId}',
  ...people,
  level: 'distributor',
  ids: { ...distributors, 'params.userId': 'staff' },
  params: oneOfDistributor,
  reply: staffUser,
  errors: ['notFound'],
})

export const patchDistributorStaffUser = route({
  name: 'patchDistributorStaffUser',
  summary: 'Changes staff of a distributor; not oneself, nor anybody who may do more',
  method: 'PATCH',
  path: 'distributors/{distributorId}/users/{userId}',
  ...people,
  level: 'distributor',
  ids: { ...distributors, ...staffIds },
  params: oneOfDistributor,
  body: staffPatch,
  reply: staffUser,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const deleteDistributorStaffUser = route({
  name: 'deleteDistributorStaffUser',
  summary: 'Removes staff of a distributor; not oneself, nor anybody who may do more',
  method: 'DELETE',
  path: 'distributors/{distributorId}/users/{userId}',
  ...people,
  level: 'distributor',
  ids: { ...distributors, 'params.userId': 'staff' },
  params: oneOfDistributor,
  reply: nothing,
  status: 204,
  errors: ['notFound', 'businessRule'],
})

const oneOfProvider = z.object({ userId: idText })

export const getProviderStaff = route({
  name: 'getProviderStaff',
  summary: 'The administrators',
  method: 'GET',
  path: 'provider/users',
  ...people,
  access: 'tenant',
  level: 'admin',
  reply: z.array(staffUser),
  list: staffList,
  errors: [],
})

export const addProviderStaff = route({
  name: 'addProviderStaff',
  summary: 'Adds an administrator, who gets a mail to set the password; nobody gives more than they have',
  method: 'POST',
  path: 'provider/users',
  ...people,
  access: 'tenant',
  level: 'admin',
  ids: { 'body.permissionProfileId': 'permissionProfile', 'body.accountIds': 'account' },
  body: staffGiven,
  reply: staffUser,
  status: 201,
  created: 'provider/users/{userId}',
  errors: ['validation', 'notFound', 'duplicate'],
})

export const getProviderStaffUser = route({
  name: 'getProviderStaffUser',
  summary: 'One administrator',
  method: 'GET',
  path: 'provider/users/{userId}',
  ...people,
  level: 'admin',
  ids: { 'params.userId': 'staff' },
  params: oneOfProvider,
  reply: staffUser,
  errors: ['notFound'],
})

export const patchProviderStaffUser = route({
  name: 'patchProviderStaffUser',
  summary: 'Changes an administrator; not oneself, nor anybody who may do more',
  method: 'PATCH',
  path: 'provider/users/{userId}',
  ...people,
  level: 'admin',
  ids: staffIds,
  params: oneOfProvider,
  body: staffPatch,
  reply: staffUser,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const deleteProviderStaffUser = route({
  name: 'deleteProviderStaffUser',
  summary: 'Removes an administrator; not oneself, nor anybody who may do more',
  method: 'DELETE',
  path: 'provider/users/{userId}',
  ...people,
  level: 'admin',
  ids: { 'params.userId': 'staff' },
  params: oneOfProvider,
  reply: nothing,
  status: 204,
  errors: ['notFound', 'businessRule'],
})

export const getStaffProfiles = route({
  name: 'getStaffProfiles',
  summary: 'Permissions under a name, which staff of a reseller can be given',
  method: 'GET',
  path: 'resellers/{resellerId}/permissionProfiles',
  ...people,
  ids: resellers,
  params: inReseller,
  reply: z.array(
    z.object({ permissionProfileId: id, name: z.string(), permissions, /** Of the provider. */ builtin: z.boolean() }),
  ),
  list: { key: 'permissionProfileId', sort: ['name', 'permissionProfileId'], defaultLimit: 'all' },
  errors: ['notFound'],
})

/** Where the signed-in staff stands and what they may do, for what the dealer dashboard shows. */
export const ownStaff = z.object({
  level: z.enum(staffLevels),
  resellerId: z.nullable(id),
  distributorId: z.nullable(id),
  organisationName: z.string(),
  permissions,
  /** Of the own reseller; above one each reseller has its own. */
  modules,
})
export type OwnStaff = z.infer<typeof ownStaff>

export const getOwnStaff = route({
  name: 'getOwnStaff',
  summary: 'Level, organisation, permissions and modules of the signed-in staff',
  method: 'GET',
  path: 'users/self/staff',
  access: 'authenticated',
  callers: 'staff',
  support: 'no',
  reply: ownStaff,
  errors: [],
})
