import {
  type ApiKey,
  type ApiKeyScope,
  allowedAddressProblem,
  apiKeyNameProblem,
  MAX_ALLOWED_ADDRESSES,
} from '@sightline/contract/api-keys'
import { toDateTime } from '@sightline/contract/wire'
import { localDate, localDay } from '../local-day.ts'

/** The values of the form. */
export interface KeyValues {
  readonly [field: string]: string
  readonly name: string
  readonly scopes: string
  /** The last day on which the key works, `yyyy-mm-dd`; empty means no expiry. */
  readonly lastDay: string
  /** One address or range per line. */
  readonly addresses: string
}

export const keyFields = ['name', 'scopes', 'expiresAt', 'allowedAddresses'] as const

export const newKey: KeyValues = { name: '', scopes: 'read', lastDay: '', addresses: '' }

/** The addresses in a text, separated by lines or commas. */
export const parseAddresses = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

export function addressesProblem(text: string): string | undefined {
  const addresses = parseAddresses(text)
  if (addresses.length > MAX_ALLOWED_ADDRESSES) return 'Enter at most 50 addresses and ranges'
  return addresses.map(allowedAddressProblem).find((problem) => problem !== undefined)
}

/** A key works until the end of its last day, in the account's time zone. */
export function expiryTime(lastDay: string, timeZone: string): string | null {
  const day = localDay(lastDay, timeZone)
  return day === undefined ? null : toDateTime(day.till)
}

export const lastValidDay = (expiresAt: string | null, timeZone: string): string =>
  expiresAt === null ? '' : localDate(Date.parse(expiresAt) - 1, timeZone)

const scopesOf = ({ scopes, provisioning }: ApiKey): string => {
  if (provisioning) return 'provisioning'
  return scopes.includes('write') ? 'write' : 'read'
}

export const keyValues = (key: ApiKey, timeZone: string): KeyValues => ({
  name: key.name,
  scopes: scopesOf(key),
  lastDay: lastValidDay(key.expiresAt, timeZone),
  addresses: key.allowedAddresses.join('\n'),
})

/** The request for a valid form. */
export function keyBody(values: KeyValues, timeZone: string) {
  const scopes: ApiKeyScope[] = values.scopes === 'read' ? ['read'] : ['read', 'write']
  return {
    name: values.name,
    scopes,
    provisioning: values.scopes === 'provisioning',
    expiresAt: expiryTime(values.lastDay, timeZone),
    allowedAddresses: parseAddresses(values.addresses),
  }
}

export const keyRules = (today: string) => ({
  name: apiKeyNameProblem,
  lastDay: (day: string) => (day !== '' && day < today ? 'Choose today or a later date' : undefined),
  addresses: addressesProblem,
})
