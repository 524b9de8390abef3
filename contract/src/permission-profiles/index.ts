import * as z from 'zod/mini'
import { userRights } from '../rights/index.ts'
import { rightSwitches } from '../sub-users/index.ts'
import { checkedText, steersText } from '../user-details/index.ts'
import { id, idText, nothing, route } from '../wire/index.ts'

const MAX_PROFILE_NAME_LENGTH = 64

/** The error for the name of a profile; undefined if it is valid: 1-64 characters, not only spaces. */
export function profileNameProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Profile name is required'
  if ([...text].length > MAX_PROFILE_NAME_LENGTH) return 'Profile name should be 1-64 characters'
  return steersText(text) ? 'Please enter a valid profile name' : undefined
}

/** A named set of rights. People with the profile have its rights and get its changes. */
export const permissionProfile = z.object({
  permissionProfileId: id,
  name: z.string(),
  scope: z.literal('account'),
  rights: userRights,
  /** Number of people in the account with this profile. */
  users: z.int(),
  /** A standard profile of the provider, which can't be changed. */
  builtin: z.boolean(),
})
export type PermissionProfile = z.infer<typeof permissionProfile>

export const newProfile = z.object({
  name: checkedText(profileNameProblem),
  scope: z.optional(z.literal('account')),
  /** The granted rights; mandatory ones are added automatically. */
  rights: rightSwitches,
})
export const profilePatch = z.partial(z.pick(newProfile, { name: true, rights: true }))
export type ProfilePatch = z.infer<typeof profilePatch>

const params = z.object({ permissionProfileId: idText })
const ofProfile = { 'params.permissionProfileId': 'permissionProfile' } as const
const changing = { superUserOnly: true, apiKey: 'no', support: 'no' } as const

export const getPermissionProfiles = route({
  name: 'getPermissionProfiles',
  summary: 'List the permission profiles of the account, including built-in ones',
  method: 'GET',
  path: 'permissionProfiles',
  access: 'tenant',
  right: 'viewUserSettings',
  apiKey: 'no',
  support: 'yes',
  reply: z.array(permissionProfile),
  list: { key: 'permissionProfileId', sort: ['name', 'users', 'permissionProfileId'], defaultLimit: 'all' },
  errors: ['validation'],
})

export const addPermissionProfile = route({
  ...changing,
  name: 'addPermissionProfile',
  summary: 'Create a permission profile',
  method: 'POST',
  path: 'permissionProfiles',
  access: 'tenant',
  status: 201,
  created: 'permissionProfiles/{permissionProfileId}',
  body: newProfile,
  reply: permissionProfile,
  errors: ['validation', 'duplicate', 'businessRule'],
})

export const getPermissionProfile = route({
  name: 'getPermissionProfile',
  summary: 'Get a permission profile',
  method: 'GET',
  path: 'permissionProfiles/{permissionProfileId}',
  access: 'object',
  right: 'viewUserSettings',
  apiKey: 'no',
  support: 'yes',
  ids: ofProfile,
  params,
  reply: permissionProfile,
  errors: ['notFound'],
})

export const patchPermissionProfile = route({
  ...changing,
  name: 'patchPermissionProfile',
  // Editors with fewer rights may have assigned this profile. So only the owner changes profiles: they see who has this
  // one and decide that those people get more rights.
  summary: 'Update the name or rights of a permission profile; the rights of all users with this profile change',
  method: 'PATCH',
  path: 'permissionProfiles/{permissionProfileId}',
  access: 'object',
  ids: ofProfile,
  params,
  body: profilePatch,
  reply: permissionProfile,
  errors: ['validation', 'notFound', 'duplicate'],
})

export const deletePermissionProfile = route({
  ...changing,
  name: 'deletePermissionProfile',
  summary: 'Delete a permission profile that no user has',
  method: 'DELETE',
  path: 'permissionProfiles/{permissionProfileId}',
  access: 'object',
  ids: ofProfile,
  params,
  status: 204,
  reply: nothing,
  errors: ['notFound', 'businessRule'],
})
