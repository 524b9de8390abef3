import {
  accessPointTextProblem,
  apnProblem,
  mccProblem,
  mncProblem,
  wifiNameProblem,
  wifiPasswordProblem,
} from '@sightline/contract/body-cameras'
import { zoneOrCameraNameProblem } from '@sightline/contract/zones'
import type { Rules } from '@sightline/kit'

/** What a form has about a mobile operator. */
export interface AccessPointValues extends Record<string, string> {
  readonly apn: string
  readonly mcc: string
  readonly mnc: string
  readonly userName: string
}

/** The fields of the form for a set-up code. */
export interface SetupValues extends AccessPointValues {
  readonly name: string
  readonly zoneId: string
  readonly network: 'wifi' | 'mobile'
  readonly ssid: string
  readonly wifiPassword: string
  readonly password: string
}

export const emptySetup = (zoneId: string): SetupValues => ({
  name: '',
  zoneId,
  network: 'wifi',
  ssid: '',
  wifiPassword: '',
  apn: '',
  mcc: '',
  mnc: '',
  userName: '',
  password: '',
})

/** A rule that counts only with that network. */
const only =
  (network: SetupValues['network'], problem: (text: string) => string | undefined) =>
  (text: string, all: SetupValues): string | undefined =>
    all.network === network ? problem(text.trim()) : undefined

export const setupRules: Rules<SetupValues> = {
  name: (text) => zoneOrCameraNameProblem('Camera', text),
  ssid: only('wifi', wifiNameProblem),
  wifiPassword: (text, { network }) => (network === 'wifi' ? wifiPasswordProblem(text) : undefined),
  apn: only('mobile', apnProblem),
  mcc: only('mobile', mccProblem),
  mnc: only('mobile', mncProblem),
  userName: only('mobile', accessPointTextProblem),
  password: only('mobile', accessPointTextProblem),
}

/** The body of the call. */
export function setupBody(values: SetupValues) {
  const of = { name: values.name.trim(), zoneId: Number(values.zoneId) }
  if (values.network === 'wifi') return { ...of, wifi: { ssid: values.ssid.trim(), password: values.wifiPassword } }
  const { apn, mcc, mnc, userName, password } = values
  const access = { ...(userName === '' ? {} : { userName }), ...(password === '' ? {} : { password }) }
  return { ...of, mobile: { apn: apn.trim(), mcc: mcc.trim(), mnc: mnc.trim(), ...access } }
}

/** `4:07` of milliseconds; `0:00` once they are over. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
