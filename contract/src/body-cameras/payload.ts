import * as z from 'zod/mini'
import { checkedText, HIDDEN_CHARACTERS, steersText } from '../user-details/index.ts'

/** 1 to 32 bytes of UTF-8, as IEEE 802.11 allows. */
const MAX_NETWORK_NAME_BYTES = 32
const MAX_APN_LENGTH = 100
const APN = /^[0-9A-Za-z](?:[0-9A-Za-z.-]*[0-9A-Za-z])?$/

/** The message for the name of a Wi-Fi network, or undefined if it is valid. */
export function wifiNameProblem(text: string): string | undefined {
  if (text === '') return 'Enter the name of the Wi-Fi network'
  if (steersText(text)) return HIDDEN_CHARACTERS
  return new TextEncoder().encode(text).length > MAX_NETWORK_NAME_BYTES
    ? 'A Wi-Fi name has at most 32 bytes'
    : undefined
}

/** The message for a Wi-Fi password (WPA: 8 to 63 characters of ASCII, or 64 hexadecimal digits), or undefined. Empty: an open network. */
export function wifiPasswordProblem(text: string): string | undefined {
  if (text === '' || /^[\x20-\x7e]{8,63}$/.test(text) || /^[0-9A-Fa-f]{64}$/.test(text)) return undefined
  return 'A Wi-Fi password has 8 to 63 letters, digits and signs'
}

/** The message for an access point name, or undefined if it is valid. */
export function apnProblem(text: string): string | undefined {
  if (text === '') return 'Enter the access point name (APN)'
  return text.length <= MAX_APN_LENGTH && APN.test(text)
    ? undefined
    : 'An APN has letters, digits, dots and hyphens, at most 100'
}

/** The message for a mobile country code, or undefined if it is valid. */
export const mccProblem = (text: string): string | undefined =>
  /^[0-9]{3}$/.test(text) ? undefined : 'A country code has 3 digits'

/** The message for a mobile network code, or undefined if it is valid. */
export const mncProblem = (text: string): string | undefined =>
  /^[0-9]{2,3}$/.test(text) ? undefined : 'A network code has 2 or 3 digits'

/** The message for a user name or password of an access point, or undefined if it is valid. */
export function accessPointTextProblem(text: string): string | undefined {
  return /^[\x21-\x7e]{0,64}$/.test(text) ? undefined : 'Use at most 64 letters, digits and signs, without spaces'
}

/** What an access point may ask for: a user name, a password. */
export const accessPointText = checkedText(accessPointTextProblem)

export const wifiNetwork = z.object({
  ssid: checkedText(wifiNameProblem),
  /** Empty for an open network. */
  password: checkedText(wifiPasswordProblem),
})

export const mobileNetwork = z.object({
  apn: checkedText(apnProblem),
  /** Mobile country code. */
  mcc: checkedText(mccProblem),
  /** Mobile network code. */
  mnc: checkedText(mncProblem),
  userName: z.optional(accessPointText),
  password: z.optional(accessPointText),
})

/** The networks that a camera can be told of: exactly one of the two. */
export interface SetupNetwork {
  readonly wifi?: z.infer<typeof wifiNetwork> | undefined
  readonly mobile?: z.infer<typeof mobileNetwork> | undefined
}

/**
 * The text of a QR code that sends a camera which is set up already to another mobile network: it has no `code`, so the
 * camera joins the network and keeps its token.
 */
export const mobileNetworkPayload = (mobile: z.infer<typeof mobileNetwork>): string => JSON.stringify({ v: 1, mobile })

/**
 * The text of a QR code, as JSON (docs/guide/body-cameras.md): `v` is the version of the format, `url` where the camera
 * redeems `code`, `wifi` or `mobile` the network that it joins first.
 */
export function setupPayload({ wifi, mobile, ...of }: SetupNetwork & { readonly url: string; readonly code: string }) {
  return JSON.stringify({ v: 1, ...of, ...(wifi === undefined ? { mobile } : { wifi }) })
}
