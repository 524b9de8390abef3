import { cameraAddressProblem, normalizeCameraAddress } from '@sightline/contract/camera-additions'
import type { CameraConnectionDetails, CameraCredentialsReply } from '@sightline/contract/camera-connection'
import type { Text } from './text.ts'

export interface AddressValues {
  readonly [field: string]: string
  readonly localIp: string
  /** Empty: the usual ones. */
  readonly localPort: string
  /** `true` or `false`. */
  readonly https: string
  /** Needed for another address if one is saved. */
  readonly password: string
}

export const addressFields = ['localIp', 'localPort', 'https', 'password'] as const

export const addressValues = ({ localIp, localPort, https }: CameraConnectionDetails): AddressValues => ({
  localIp: localIp ?? '',
  localPort: localPort === null ? '' : String(localPort),
  https: String(https),
  password: '',
})

const MAX_PORT = 65_535
const portProblem = (text: string): Text | undefined =>
  text.trim() === '' || (/^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MAX_PORT)
    ? undefined
    : 'Enter a port from 1 to 65535, or leave it empty.'

export const addressRules = {
  localIp: (text: string) => cameraAddressProblem(normalizeCameraAddress(text)),
  localPort: portProblem,
}

/** Only what was changed: a port that isn't named is looked for at another address. */
export function addressPatch(saved: CameraConnectionDetails, values: AddressValues) {
  const before = addressValues(saved)
  const port = values.localPort.trim()
  return {
    ...(values.localIp !== before.localIp && { localIp: normalizeCameraAddress(values.localIp) }),
    ...(port !== before.localPort && { localPort: port === '' ? null : Number(port) }),
    ...(values.https !== before.https && { https: values.https === 'true' }),
    ...(values.localIp !== before.localIp && values.password !== '' && { password: values.password }),
  }
}

export interface SignInValues {
  readonly [field: string]: string
  /** Empty: the camera needs no user. */
  readonly username: string
  /** Empty: the stored one stays. */
  readonly password: string
  readonly allowBasic: string
}

export const signInFields = ['username', 'password', 'allowBasic'] as const

export const signInValues = ({ username, allowBasic }: CameraCredentialsReply): SignInValues => ({
  username: username ?? '',
  password: '',
  allowBasic: String(allowBasic),
})

export function signInPatch(saved: CameraCredentialsReply, values: SignInValues) {
  const before = signInValues(saved)
  return {
    ...(values.username !== before.username && { username: values.username === '' ? null : values.username }),
    ...(values.password !== '' && { password: values.password }),
    ...(values.allowBasic !== before.allowBasic && { allowBasic: values.allowBasic === 'true' }),
  }
}
