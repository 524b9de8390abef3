import type { ApiError } from '@sightline/contract/errors'
import type { Account, AccountInput, AccountPatch } from '@sightline/contract/reseller-accounts'
import { foldEmail, type languageCodes } from '@sightline/contract/user-details'

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

/** What a search for accounts can mean. Undefined: the text can't be that. */
export interface AccountSearch {
  /** Compared with parts of names and email addresses. */
  readonly text: string
  readonly accountId: number | undefined
  /** The last digits of a telephone number. */
  readonly phoneDigits: string | undefined
  /** 12 lower-case hexadecimal digits. */
  readonly macDigits: string | undefined
}

const MAX_PHONE_DIGITS = 9
const PHONE = /^\+?[\d\s().\-/]{5,}$/
const MAC_ADDRESS = /^(?:[\da-f]{12}|(?:[\da-f]{2}[:-]){5}[\da-f]{2}|(?:[\da-f]{4}\.){2}[\da-f]{4})$/

/**
 * One field searches for everything that a caller on the telephone can name. People write a telephone number with and
 * without the code of the country, so only its last digits count, without leading zeros.
 */
export function accountSearch(q: string): AccountSearch {
  const text = foldEmail(q.trim())
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '').slice(-MAX_PHONE_DIGITS)
  const accountId = /^\d+$/.test(text) ? Number(text) : undefined
  return {
    text,
    accountId: Number.isSafeInteger(accountId) ? accountId : undefined,
    phoneDigits: PHONE.test(text) && digits.length >= 5 ? digits : undefined,
    macDigits: MAC_ADDRESS.test(text) ? text.replaceAll(/[:.-]/g, '') : undefined,
  }
}
