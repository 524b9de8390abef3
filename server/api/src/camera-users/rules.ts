import { type CameraUser, type CameraUserDenyReason, findUsedByServer } from '@sightline/contract/camera-users'
import type { ApiError } from '@sightline/contract/errors'
import type { CameraUserChange, ListedUser, UserDenyReason } from '@sightline/contract/media-plane'

/** What of a camera's stored connection is asked here. */
interface SignIn {
  readonly username: string | null
  readonly allowBasic: boolean
  /** Null for a camera without ONVIF. */
  readonly onvif: { readonly isSecure: boolean } | null
}

/** The users as the camera lists them, with the one that the server signs in with. */
export function toCameraUsers(
  listed: readonly ListedUser[],
  { username }: Pick<SignIn, 'username'>,
): readonly CameraUser[] {
  const used = findUsedByServer(listed, username)
  return listed.map((user) => ({ ...user, usedByServer: user === used }))
}

/** Why a password isn't sent to this camera. `allowPlainText`: the caller agrees that it crosses the network unencrypted. */
export const plainTextFault = (
  { onvif, allowBasic }: Omit<SignIn, 'username'>,
  allowPlainText: boolean | undefined,
): ApiError | undefined =>
  onvif === null || onvif.isSecure || allowBasic || allowPlainText === true
    ? undefined
    : {
        error: 'capabilityNotSupported',
        detail: 'the password would be sent to the camera in plain text: set allowPlainText if you agree to that',
      }

export const changeErrors: Readonly<Record<CameraUserDenyReason, ApiError>> = {
  notFound: { error: 'notFound', detail: 'the camera has no user of this name' },
  usedByServer: {
    error: 'businessRule',
    detail:
      'the server signs in to the camera with this user: set its password with connection/password, or sign in with another user first',
  },
  lastAdministrator: {
    error: 'businessRule',
    detail: 'this is the last administrator of the camera: its settings couldn’t be changed anymore',
  },
}

const invalid = (field: 'username' | 'password', message: string): ApiError => ({
  error: 'validation',
  detail: message,
  fields: [{ field, message }],
})

const refusals: Readonly<Record<UserDenyReason, ApiError>> = {
  passwordTooWeak: invalid(
    'password',
    'The camera refused this password as too weak. Make it longer, with capital letters, digits and symbols.',
  ),
  passwordTooLong: invalid('password', 'The camera refused this password as too long.'),
  usernameInvalid: invalid('username', 'The camera refused this name as too short or too long.'),
  usernameTaken: { error: 'duplicate', detail: 'the camera has a user of this name already' },
  tooManyUsers: { error: 'businessRule', detail: 'the camera takes no more users: remove one first' },
  userUnknown: changeErrors.notFound,
  userFixed: { error: 'businessRule', detail: "the camera doesn't allow this user to be changed or removed" },
}

/** The error for what a camera refused. One that gives a reason which doesn't belong to the change refused it, for whatever reason. */
export function refusedByCamera(kind: CameraUserChange['kind'], reason: UserDenyReason): ApiError {
  const belongs = kind === 'add' || (reason !== 'usernameTaken' && reason !== 'usernameInvalid' && kind === 'set')
  const isAboutUser = reason === 'userUnknown' || reason === 'userFixed' || reason === 'tooManyUsers'
  return belongs || isAboutUser
    ? refusals[reason]
    : { error: 'deviceInternal', detail: 'the camera refused this change of its users' }
}

export const usernameTaken = refusals.usernameTaken
