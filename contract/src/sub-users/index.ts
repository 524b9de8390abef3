// One table: all calls about the users of an account (api.md §6). One file, because it is a catalog.
import * as z from 'zod/mini'
import { passwordProblem } from '../credentials/index.ts'
import { userRights } from '../rights/index.ts'
import {
  checkedText,
  emailProblem,
  languageCode,
  nameProblem,
  phoneProblem,
  searchText,
  userDetails,
  userDetailsPatch,
} from '../user-details/index.ts'
import { userBase } from '../users/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'
import { rightSwitches } from './switches.ts'

export {
  isMandatory,
  mandatoryFault,
  type RightSwitches,
  rightSwitches,
  storedRights,
  switched,
  toRightSwitches,
} from './switches.ts'

/**
 * Why the caller may not change this user's rights, access, email address, names, password or blocking, or delete them:
 * the user is the owner, the caller, or has a right, camera or zone that the caller lacks.
 */
export const userGuard = z.enum(['owner', 'self', 'holdsMore'])
export type UserGuard = z.infer<typeof userGuard>

/** A user of the account, including the owner (`isSuperUser`). */
export const managedUser = z.object({
  ...userBase.shape,
  /** First and last name; lists sort by the last name first. */
  name: z.string(),
  isSuperUser: z.boolean(),
  /** `demo` for users with the right demoUser, which removes all changes; otherwise the account's. */
  userType: z.enum(['regular', 'trial', 'demo']),
  blocked: z.boolean(),
  /** Null: has never signed in. */
  lastLogin: z.nullable(dateTime),
  /** Whether a second factor is on. */
  mfaEnabled: z.boolean(),
  /** While the rights are those of a profile; null if they are the user's own. */
  permissionProfileId: z.nullable(id),
  permissionProfileName: z.nullable(z.string()),
  /** All cameras, including those added later. */
  allCameras: z.boolean(),
  /** How many of the cameras that the caller has access to are accessible to this user. */
  cameras: z.int(),
  createdAt: dateTime,
  /** Null: the caller may change this user, with the right for the change. */
  guard: z.nullable(userGuard),
  /** After the first sign-in, only the user and the owner can change the email address; this caller is neither. */
  emailIsTheirs: z.boolean(),
})
export type ManagedUser = z.infer<typeof managedUser>

const someIds = z.array(id).check(z.maxLength(10_000))

export const newUser = z.object({
  email: checkedText(emailProblem),
  firstName: checkedText((text) => nameProblem('First', text)),
  lastName: checkedText((text) => nameProblem('Last', text)),
  /** Default: the user gets an invitation by email and chooses a password. */
  password: z.optional(checkedText(passwordProblem)),
  /** Default: the account's. */
  language: z.optional(languageCode),
  phone: z.optional(z.nullable(checkedText(phoneProblem))),
  /** `demo` grants the right demoUser. */
  userType: z.optional(z.enum(['regular', 'demo'])),
  /** The granted rights; mandatory ones are added automatically. Not together with a profile. */
  rights: z.optional(rightSwitches),
  permissionProfileId: z.optional(id),
  allCameras: z.optional(z.boolean()),
  cameraIds: z.optional(someIds),
  zoneIds: z.optional(someIds),
})
export type NewUser = z.infer<typeof newUser>

export const managedUserPatch = z.partial(z.pick(newUser, { email: true, firstName: true, lastName: true }))
export type ManagedUserPatch = z.infer<typeof managedUserPatch>

/**
 * One of three: switches by name; `grantAll`, all rights of the caller except demoUser; or a profile, which the user
 * follows until a switch is changed (null removes the profile and keeps the rights).
 */
export const rightsPatch = z.object({
  ...rightSwitches.shape,
  grantAll: z.optional(z.literal(true)),
  permissionProfileId: z.optional(z.nullable(id)),
})
export type RightsPatch = z.infer<typeof rightsPatch>

/**
 * The cameras that a user has access to: all, or the listed ones and those in the listed zones. Contains only what the
 * caller has access to.
 */
export const userAccess = z.object({ allCameras: z.boolean(), cameraIds: z.array(id), zoneIds: z.array(id) })
export type UserAccess = z.infer<typeof userAccess>

/** A given list replaces the existing one. */
export const accessPatch = z.partial(z.object({ allCameras: z.boolean(), cameraIds: someIds, zoneIds: someIds }))
export type AccessPatch = z.infer<typeof accessPatch>

const params = z.object({ userId: idText })
const ofUser = { 'params.userId': 'user' } as const
/** API keys can't manage people (security.md §1), and neither can support (product.md). */
const reading = { access: 'object', apiKey: 'no', support: 'yes', ids: ofUser, params } as const
const changing = { access: 'object', apiKey: 'no', support: 'no', ids: ofUser, params } as const

export const getUsers = route({
  name: 'getUsers',
  summary: 'List the users of the account, including its owner',
  method: 'GET',
  path: 'users',
  access: 'tenant',
  right: 'viewUserSettings',
  apiKey: 'no',
  support: 'yes',
  query: z.object({
    /** Part of the name or of the email address; case-insensitive. */
    q: z.optional(searchText(128)),
    blocked: z.optional(z.enum(['true', 'false'])),
  }),
  reply: z.array(managedUser),
  list: {
    key: 'userId',
    sort: ['name', 'email', 'lastLogin', 'createdAt', 'userId'],
    defaultLimit: 500,
    pagedBy: 'store',
  },
  errors: ['validation'],
})

export const addUser = route({
  name: 'addUser',
  summary: 'Create a sub-user; without a password, they’re invited by email',
  method: 'POST',
  path: 'users',
  access: 'tenant',
  right: 'addUser',
  apiKey: 'no',
  support: 'no',
  operation: 71,
  ids: { 'body.cameraIds': 'camera', 'body.zoneIds': 'zone', 'body.permissionProfileId': 'permissionProfile' },
  status: 201,
  created: 'users/{userId}',
  body: newUser,
  reply: managedUser,
  errors: ['validation', 'notFound', 'duplicate', 'businessRule', 'tooManyRequests'],
})

export const getPerson = route({
  ...reading,
  name: 'getPerson',
  summary: 'Get a user of the account',
  method: 'GET',
  path: 'users/{userId}',
  right: 'viewUserSettings',
  reply: managedUser,
  errors: ['notFound'],
})

export const patchPerson = route({
  ...changing,
  name: 'patchPerson',
  summary: 'Update the name or email address of a sub-user; the previous address is notified of the change',
  method: 'PATCH',
  path: 'users/{userId}',
  right: 'editUser',
  operation: 217,
  body: managedUserPatch,
  reply: managedUser,
  errors: ['validation', 'notFound', 'duplicate'],
})

export const deletePerson = route({
  ...changing,
  name: 'deletePerson',
  summary: 'Delete a sub-user; their sessions end, and the audit log keeps their name',
  method: 'DELETE',
  path: 'users/{userId}',
  right: 'deleteUser',
  status: 204,
  reply: nothing,
  errors: ['notFound', 'businessRule'],
})

export const getPersonDetails = route({
  ...reading,
  name: 'getPersonDetails',
  summary: 'Get the language, company, country, telephone and address of a user',
  method: 'GET',
  path: 'users/{userId}/details',
  right: 'editUser',
  reply: userDetails,
  errors: ['notFound'],
})

export const patchPersonDetails = route({
  ...changing,
  name: 'patchPersonDetails',
  summary: 'Update the details of a sub-user; null or an empty string clears a field',
  method: 'PATCH',
  path: 'users/{userId}/details',
  right: 'editUser',
  body: userDetailsPatch,
  reply: userDetails,
  errors: ['validation', 'notFound'],
})

export const patchPersonCredentials = route({
  ...changing,
  name: 'patchPersonCredentials',
  summary: 'Email a sub-user a link to set a new password',
  method: 'PATCH',
  path: 'users/{userId}/credentials',
  right: 'editUser',
  body: z.object({ sendLink: z.literal(true) }),
  status: 204,
  reply: nothing,
  errors: ['validation', 'notFound'],
})

export const getPersonRights = route({
  ...reading,
  name: 'getPersonRights',
  summary: 'Get all rights of a user, true if on',
  method: 'GET',
  path: 'users/{userId}/rights',
  right: 'viewUserSettings',
  reply: userRights,
  errors: ['notFound'],
})

export const patchPersonRights = route({
  ...changing,
  name: 'patchPersonRights',
  summary: 'Turn rights of a sub-user on or off, grant all rights the caller has, or apply a permission profile',
  method: 'PATCH',
  path: 'users/{userId}/rights',
  right: 'editUser',
  ids: { ...ofUser, 'body.permissionProfileId': 'permissionProfile' },
  body: rightsPatch,
  reply: userRights,
  errors: ['validation', 'notFound'],
})

export const getPersonAccess = route({
  ...reading,
  name: 'getPersonAccess',
  summary: 'Get the cameras and zones a user can access, among those the caller can access',
  method: 'GET',
  path: 'users/{userId}/access',
  right: 'editUser',
  reply: userAccess,
  errors: ['notFound'],
})

export const patchPersonAccess = route({
  ...changing,
  name: 'patchPersonAccess',
  summary: 'Update the cameras and zones a sub-user can access',
  method: 'PATCH',
  path: 'users/{userId}/access',
  right: 'editUser',
  ids: { ...ofUser, 'body.cameraIds': 'camera', 'body.zoneIds': 'zone' },
  body: accessPatch,
  reply: userAccess,
  errors: ['validation', 'notFound'],
})

export const blockPerson = route({
  ...changing,
  name: 'blockPerson',
  summary: 'Block a sub-user and revoke their tokens',
  method: 'POST',
  path: 'users/{userId}/block',
  notReplayed: 'repeating the call changes nothing',
  right: 'blockUser',
  status: 204,
  reply: nothing,
  errors: ['notFound', 'businessRule'],
})

export const unblockPerson = route({
  ...changing,
  name: 'unblockPerson',
  summary: 'Unblock a sub-user',
  method: 'POST',
  path: 'users/{userId}/unblock',
  notReplayed: 'repeating the call changes nothing',
  right: 'blockUser',
  status: 204,
  reply: nothing,
  errors: ['notFound', 'businessRule'],
})

export const invitePerson = route({
  ...changing,
  name: 'invitePerson',
  summary: 'Resend the invitation of a sub-user; the previous link stops working',
  method: 'POST',
  path: 'users/{userId}/invitation',
  right: 'addUser',
  status: 202,
  reply: z.object({ email: z.string() }),
  errors: ['notFound'],
})
