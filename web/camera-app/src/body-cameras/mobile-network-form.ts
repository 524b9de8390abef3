import {
  accessPointTextProblem,
  apnProblem,
  mccProblem,
  mncProblem,
  mobileNetworkPayload,
} from '@sightline/contract/body-cameras'
import type { CameraMobileNetwork, NewMobileNetwork } from '@sightline/contract/mobile-networks'
import type { Rules } from '@sightline/kit'
import type { AccessPointValues } from './setup-form.ts'
import type { Text } from './text.ts'

export interface MobileNetworkValues extends AccessPointValues {
  readonly name: string
  /** `true` or `false`. */
  readonly needsPassword: string
}

export const networkValues = (saved: CameraMobileNetwork): MobileNetworkValues => ({
  name: saved.name ?? '',
  apn: saved.accessPointName ?? '',
  mcc: saved.mobileCountryCode ?? '',
  mnc: saved.mobileNetworkCode ?? '',
  userName: saved.userName ?? '',
  needsPassword: String(saved.needsPassword),
})

const nameProblem = (text: string): Text | undefined => {
  const length = [...text.trim()].length
  return length >= 1 && length <= 64 ? undefined : 'Enter a name of 1 to 64 characters'
}

export const networkRules: Rules<MobileNetworkValues> = {
  name: nameProblem,
  apn: (text) => apnProblem(text.trim()),
  mcc: (text) => mccProblem(text.trim()),
  mnc: (text) => mncProblem(text.trim()),
  userName: (text) => accessPointTextProblem(text.trim()),
}

/** The body of the call. */
export function networkBody(values: MobileNetworkValues): NewMobileNetwork {
  const userName = values.userName.trim()
  return {
    name: values.name.trim(),
    accessPointName: values.apn.trim(),
    userName: userName === '' ? null : userName,
    needsPassword: values.needsPassword === 'true',
    mobileCountryCode: values.mcc.trim(),
    mobileNetworkCode: values.mnc.trim(),
  }
}

/** The text of the QR code for a saved network; undefined if none is saved. */
export function networkCode(saved: CameraMobileNetwork, password: string): string | undefined {
  const { accessPointName: apn, mobileCountryCode: mcc, mobileNetworkCode: mnc, userName } = saved
  if (apn === null || mcc === null || mnc === null) return undefined
  return mobileNetworkPayload({
    apn,
    mcc,
    mnc,
    ...(userName === null ? {} : { userName }),
    ...(saved.needsPassword ? { password } : {}),
  })
}

/** The password is entered for each code, where the operator asks for one. */
export const codeRules = ({ needsPassword }: CameraMobileNetwork): Rules<{ password: string }> => ({
  password: (text) => (needsPassword && text === '' ? enterPassword : accessPointTextProblem(text)),
})
const enterPassword: Text = 'Enter the password of the mobile network'
