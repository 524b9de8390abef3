import type {
  CameraConnectionDetails,
  CameraCredentialsReply,
  cameraConnectionPatch,
  cameraCredentialsPatch,
} from '@sightline/contract/camera-connection'
import type { ApiError } from '@sightline/contract/errors'
import type {
  CameraCommandAnswer,
  ConnectionFailure,
  FoundConnection,
  PasswordDenyReason,
  TriedConnection,
} from '@sightline/contract/media-plane'
import type { Right } from '@sightline/contract/rights'
import type * as z from 'zod/mini'

type Rights = ReadonlySet<Right>

/** How a camera is reached, with its password as it is stored. */
export interface StoredConnection {
  readonly cameraId: number
  readonly address: string
  readonly namedPort: number | null
  readonly rtspPort: number
  readonly mainPath: string
  readonly isSecure: boolean
  readonly onvif: { readonly port: number; readonly isSecure: boolean } | null
  readonly username: string | null
  readonly passwordSealed: Buffer | null
  readonly allowBasic: boolean
  /** As the camera said last; null or empty if it never did. */
  readonly serial: string | null
  readonly input: number | null
  readonly deviceId: number | null
  /** The machines that reach it; none: all. */
  readonly machines: readonly string[]
}

/** As that caller sees it: local addresses take the right `localExceptions`. */
export const toConnection = (
  stored: StoredConnection,
  { rights }: { readonly rights: Rights },
): CameraConnectionDetails => ({
  ...(rights.has('localExceptions')
    ? { localIp: stored.address, localPort: portOf(stored) }
    : { localIp: null, localPort: null }),
  globalIp: null,
  globalPort: null,
  https: stored.onvif?.isSecure ?? stored.isSecure,
  streamType: stored.isSecure ? 'rtsps' : 'rtsp',
  connectionType: 'Ethernet',
  onvif: stored.onvif !== null,
  deviceId: stored.deviceId,
})

/** Port 0: where the stream is isn't known yet. */
const portOf = ({ onvif, namedPort, rtspPort }: StoredConnection): number | null =>
  onvif?.port ?? namedPort ?? (rtspPort === 0 ? null : rtspPort)

export const toCredentials = ({ username, passwordSealed, allowBasic }: StoredConnection): CameraCredentialsReply => ({
  username,
  passwordKnown: passwordSealed !== null,
  allowBasic,
})

/** Why the connection of a camera isn't its own. */
export const recorderFault = ({ deviceId }: StoredConnection): ApiError | undefined =>
  deviceId === null
    ? undefined
    : {
        error: 'businessRule',
        detail: `this camera is an input of recorder ${deviceId}: change the address and credentials of the recorder`,
      }

/** The stored connection, to try it. */
export const tried = (stored: StoredConnection): TriedConnection => ({
  address: stored.address,
  port: null,
  https: stored.onvif?.isSecure ?? stored.isSecure,
  username: stored.username,
  passwordSealed: stored.passwordSealed?.toString('base64') ?? null,
  allowBasic: stored.allowBasic,
})

/** A user could enter the address of their own server to receive the stored password, so a new address needs the password. */
export function passwordFault(
  stored: StoredConnection,
  { localIp = stored.address, password }: z.infer<typeof cameraConnectionPatch>,
): ApiError | undefined {
  if (localIp === stored.address || stored.passwordSealed === null || password !== undefined) return undefined
  const message = 'Enter the password of the camera: the saved one isn’t sent to another address'
  return { error: 'validation', detail: message, fields: [{ field: 'password', message }] }
}

/** The connection at another address. A port that isn't named stays, unless the address or TLS changes. */
export function atAddress(
  stored: StoredConnection,
  patch: z.infer<typeof cameraConnectionPatch>,
  seal: (password: string) => Buffer,
): TriedConnection {
  const known = tried(stored)
  const passwordSealed = patch.password === undefined ? known.passwordSealed : seal(patch.password).toString('base64')
  const before = { ...known, passwordSealed }
  const { localIp = before.address, https = before.https, localPort } = patch
  const isSamePlace = localIp === before.address && https === before.https
  return { ...before, address: localIp, https, port: localPort ?? (isSamePlace ? portOf(stored) : stored.namedPort) }
}

/** The connection with other credentials; without a user there is no password. */
export function withCredentials(
  stored: StoredConnection,
  patch: z.infer<typeof cameraCredentialsPatch>,
  seal: (password: string) => Buffer,
): TriedConnection {
  const { username = stored.username, allowBasic = stored.allowBasic, password } = patch
  const sealed = password === undefined ? stored.passwordSealed : seal(password)
  const passwordSealed = username === null ? null : (sealed?.toString('base64') ?? null)
  return { ...tried(stored), username, allowBasic, passwordSealed }
}

const failures: Readonly<Record<ConnectionFailure, ApiError>> = {
  credentialsIncorrect: {
    error: 'deviceCredentialsIncorrect',
    detail: 'the camera rejected this user name and password, so nothing was changed',
  },
  needsBasic: {
    error: 'capabilityNotSupported',
    detail: 'the camera accepts the password only in plain text: set allowBasic if you agree to that',
  },
  deviceOffline: { error: 'deviceOffline', detail: "the camera doesn't respond there, so nothing was changed" },
  unusable: { error: 'deviceInternal', detail: 'what responds there is not this camera, so nothing was changed' },
  timedOut: { error: 'timedOut', detail: "the camera didn't respond in time, so nothing was changed" },
}

type Tried =
  | { readonly kind: 'found'; readonly found: FoundConnection }
  | { readonly kind: 'refused'; readonly error: ApiError }

/** The result of a test: where the camera is, or why the change is rejected. */
export function triedResult(stored: StoredConnection, answer: CameraCommandAnswer<'tryConnection'>): Tried {
  if (answer.kind !== 'done')
    return { kind: 'refused', error: failures[answer.kind === 'timedOut' ? 'timedOut' : 'deviceOffline'] }
  if (answer.output.kind === 'failed') return { kind: 'refused', error: failures[answer.output.reason] }
  const { found } = answer.output
  if (found.serial === '' || !stored.serial || found.serial === stored.serial) return { kind: 'found', found }
  const detail = `another camera responds there (serial number ${found.serial}, expected ${stored.serial}): add it as a new camera`
  return { kind: 'refused', error: { error: 'businessRule', detail } }
}

/** Why the password can't be set in this camera. `allowPlainText`: the caller agrees that it is sent unencrypted. */
export function passwordChangeFault(
  { username, onvif, allowBasic }: StoredConnection,
  allowPlainText: boolean,
): ApiError | undefined {
  if (onvif === null)
    return {
      error: 'capabilityNotSupported',
      detail: 'only the password of cameras that are connected by ONVIF can be set',
    }
  if (username === null)
    return {
      error: 'businessRule',
      detail: 'the server signs in to this camera without a user, so there is no password',
    }
  if (onvif.isSecure || allowBasic || allowPlainText) return undefined
  const detail = 'the new password would be sent to the camera in plain text: set allowPlainText if you agree to that'
  return { error: 'capabilityNotSupported', detail }
}

const refusalMessages: Readonly<Record<PasswordDenyReason, string>> = {
  tooWeak: 'The camera refused this password as too weak. Make it longer, with capital letters, digits and symbols.',
  tooLong: 'The camera refused this password as too long.',
  userUnknown: 'the camera has no ONVIF user of this name, so its password is set in the camera’s own settings only',
  userFixed: "the camera doesn't allow another password for this user",
}

/** The error for a password that the camera refused. */
export function deniedPassword(reason: PasswordDenyReason): ApiError {
  const message = refusalMessages[reason]
  if (reason === 'userUnknown' || reason === 'userFixed') return { error: 'capabilityNotSupported', detail: message }
  return { error: 'validation', detail: message, fields: [{ field: 'password', message }] }
}
