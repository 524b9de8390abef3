import { type CameraUser, type CameraUserDenyReason, findUsedByServer } from '@sightline/contract/camera-users'
import type { ApiError } from '@sightline/contract/errors'
import type {
  CameraCommandFailure,
  CameraUserChange,
  ListedUser,
  UserDenyReason,
} from '@sightline/contract/media-plane'

/** What has users of its own. */
export type HostNoun = 'camera' | 'recorder'

/** How the server signs in to a camera or recorder. */
export interface HostSignIn {
  readonly username: string | null
  readonly allowBasic: boolean
  /** Null for a camera without ONVIF. */
  readonly onvif: { readonly isSecure: boolean } | null
}

/** The users as the camera lists them, with the one that the server signs in with. */
export function toCameraUsers(
  listed: readonly ListedUser[],
  { username }: Pick<HostSignIn, 'username'>,
): readonly CameraUser[] {
  const used = findUsedByServer(listed, username)
  return listed.map((user) => ({ ...user, usedByServer: user === used }))
}

/** Why a password isn't sent there. `allowPlainText`: the caller agrees that it crosses the network unencrypted. */
export const plainTextFault = (
  noun: HostNoun,
  { onvif, allowBasic }: HostSignIn,
  allowPlainText: boolean | undefined,
): ApiError | undefined =>
  onvif === null || onvif.isSecure || allowBasic || allowPlainText === true
    ? undefined
    : {
        error: 'capabilityNotSupported',
        detail: `the password would be sent to the ${noun} in plain text: set allowPlainText if you agree to that`,
      }

const invalid = (field: 'username' | 'password', message: string): ApiError => ({
  error: 'validation',
  detail: message,
  fields: [{ field, message }],
})

const changeErrors = (noun: HostNoun): Readonly<Record<CameraUserDenyReason, ApiError>> => ({
  notFound: { error: 'notFound', detail: `the ${noun} has no user of this name` },
  usedByServer: {
    error: 'businessRule',
    detail: `the server signs in to the ${noun} with this user: ${
      noun === 'camera' ? 'set its password with connection/password, or ' : ''
    }sign in with another user first`,
  },
  lastAdministrator: {
    error: 'businessRule',
    detail: `this is the last administrator of the ${noun}: its settings couldn’t be changed anymore`,
  },
})

const refusals = (noun: HostNoun): Readonly<Record<UserDenyReason, ApiError>> => ({
  passwordTooWeak: invalid(
    'password',
    `The ${noun} refused this password as too weak. Make it longer, with capital letters, digits and symbols.`,
  ),
  passwordTooLong: invalid('password', `The ${noun} refused this password as too long.`),
  usernameInvalid: invalid('username', `The ${noun} refused this name as too short or too long.`),
  usernameTaken: { error: 'duplicate', detail: `the ${noun} has a user of this name already` },
  tooManyUsers: { error: 'businessRule', detail: `the ${noun} takes no more users: remove one first` },
  userUnknown: changeErrors(noun).notFound,
  userFixed: { error: 'businessRule', detail: `the ${noun} doesn't allow this user to be changed or removed` },
})

const sentences = (noun: HostNoun): Readonly<Record<CameraCommandFailure, string>> => ({
  noOnvif: `only the users of ${noun}s that are connected by ONVIF can be listed and changed`,
  unsupported: `the ${noun}'s users can't be changed by ONVIF: use the ${noun}'s own settings`,
  rejected: `the ${noun} refused this change of its users`,
  credentialsIncorrect: `the ${noun} rejected this: the user that the server signs in with needs to be an administrator`,
  cameraOffline: `the ${noun} doesn't respond, so its users can't be read or changed`,
  timedOut: `the ${noun} didn't respond in time: read its users before you try again`,
})

/** The errors of calls about the users of a camera or recorder, in its words. */
export const userErrors = (noun: HostNoun) => ({
  ...changeErrors(noun),
  usernameTaken: refusals(noun).usernameTaken,
  passwordIgnored: invalid(
    'password',
    `The ${noun} reported that it changed the password, but doesn’t accept the new one. The old one may still work.`,
  ),
  incomplete: {
    error: 'deviceInternal',
    detail: `the ${noun} accepted the change and lists its users without it: read them again`,
  } as const satisfies ApiError,
  sentences: sentences(noun),
  /** For what it refused. A reason that doesn't belong to the change is none: it refused it, for whatever reason. */
  refused(kind: CameraUserChange['kind'], reason: UserDenyReason): ApiError {
    const belongs = kind === 'add' || (reason !== 'usernameTaken' && reason !== 'usernameInvalid' && kind === 'set')
    const isAboutUser = reason === 'userUnknown' || reason === 'userFixed' || reason === 'tooManyUsers'
    return belongs || isAboutUser
      ? refusals(noun)[reason]
      : { error: 'deviceInternal', detail: `the ${noun} refused this change of its users` }
  },
})
