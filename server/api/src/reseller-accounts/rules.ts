import type { ApiError } from '@sightline/contract/errors'
import type { Account, AccountInput, AccountPatch } from '@sightline/contract/reseller-accounts'
import type { languageCodes } from '@sightline/contract/user-details'

type Language = (typeof languageCodes)[number]

/** The name of the first zone of a new account. */
export const firstZoneName: Readonly<Record<Language, string>> = {
  aa: 'Home',
  de: 'Zuhause',
  en: 'Home',
  es: 'Casa',
  ja: 'ホーム',
  nl: 'Thuis',
  pl: 'Dom',
  pt: 'Casa',
  tr: 'Ev',
}

/** The usage of an account. */
export interface Usage {
  readonly subUsers: number
  readonly cameras: number
  readonly devices: number
}

/** An account with the limits of its package. */
export interface LoadedAccount {
  readonly account: Account
  readonly packageMaxCameras: number | null
  readonly packageMaxDevices: number | null
}

type Limits = Pick<AccountPatch, 'maxSubUsers' | 'maxCameras' | 'maxDevices'>

/** Why these limits are invalid: below the usage (6), or above the package (7). Null means no limit. */
export function limitFault(
  wanted: Limits,
  { account, packageMaxCameras, packageMaxDevices }: LoadedAccount,
): ApiError | undefined {
  const { usage } = account
  const rows = [
    ['sub-users', wanted.maxSubUsers, usage.subUsers, null],
    ['cameras', wanted.maxCameras, usage.cameras, packageMaxCameras],
    ['devices', wanted.maxDevices, usage.devices, packageMaxDevices],
  ] as const
  for (const [what, limit, present, ofPackage] of rows) {
    if (limit === undefined || limit === null) continue
    if (limit < present) return { error: 'businessRule', detail: `the account already has ${present} ${what}` }
    if (ofPackage !== null && limit > ofPackage) {
      return { error: 'subscriptionLimit', detail: `the package allows ${ofPackage} ${what}` }
    }
  }
  return undefined
}

export const getAccountName = ({ name, contactDetails }: AccountInput): string => {
  if (name !== undefined) return name
  const { companyName, firstName, lastName } = contactDetails
  return companyName === undefined || companyName === null || companyName === ''
    ? `${firstName} ${lastName}`
    : companyName
}
