import { type NewPackage, quality, type SubscriptionPackage } from '@sightline/contract/subscriptions'
import type { Rules } from '@sightline/kit'

/** Who can have a package: anyone, those who have it already, or no one any more. */
export const packageStatuses = ['offered', 'existing', 'retired'] as const
export type PackageStatus = (typeof packageStatuses)[number]

export const toPackageStatus = ({
  available,
  valid,
}: Pick<SubscriptionPackage, 'available' | 'valid'>): PackageStatus => {
  if (available) return 'offered'
  return valid ? 'existing' : 'retired'
}

/** The API's values for each status. */
const statusFlags: Readonly<Record<PackageStatus, { readonly available: boolean; readonly valid: boolean }>> = {
  offered: { available: true, valid: true },
  existing: { available: false, valid: true },
  retired: { available: false, valid: false },
}

/** The form values of a package. */
export interface PackageValues {
  readonly [field: string]: string
  readonly number: string
  readonly name: string
  readonly sku: string
  /** Empty for a custom package. */
  readonly quality: string
  /** Days; empty for a custom package. */
  readonly days: string
  /** Empty: no limit. */
  readonly maxCameras: string
  readonly maxDevices: string
  readonly priceReference: string
  readonly sortOrder: string
  readonly status: string
}

/** The API's field names in its errors, by form field. */
export const apiFieldNames = {
  name: 'name',
  sku: 'sku',
  retention: 'days',
  maxAmountOfCameras: 'maxCameras',
  maxAmountOfDevices: 'maxDevices',
  priceReference: 'priceReference',
  sortOrder: 'sortOrder',
} as const

export const emptyPackage: PackageValues = {
  number: '',
  name: '',
  sku: '',
  quality: 'HD1',
  days: '7',
  maxCameras: '10',
  maxDevices: '',
  priceReference: '',
  sortOrder: '0',
  status: 'offered',
}

const HOURS_PER_DAY = 24
const textOf = (value: number | string | null | undefined): string => ((value ?? '') === '' ? '' : String(value))

export const packageValues = (one: SubscriptionPackage): PackageValues => ({
  number: String(one.subscriptionPackageId),
  name: one.name,
  sku: textOf(one.sku),
  quality: textOf(one.quality),
  days: one.retention === null ? '' : String(one.retention / HOURS_PER_DAY),
  maxCameras: textOf(one.maxAmountOfCameras),
  maxDevices: textOf(one.maxAmountOfDevices),
  priceReference: textOf(one.priceReference),
  sortOrder: String(one.sortOrder),
  status: toPackageStatus(one),
})

const MAX_DAYS = 730
const MAX_COUNT = 100_000
const MAX_NAME = 128
const MAX_SHORT = 64
const MAX_ORDER = 1_000_000
const isWhole = (text: string, max: number): boolean => /^\d{1,7}$/.test(text) && Number(text) <= max
const countProblem = (text: string): string | undefined =>
  text === '' || isWhole(text, MAX_COUNT) ? undefined : 'Enter a whole number, or leave this empty for no limit'
const shortProblem = (text: string): string | undefined =>
  text.length <= MAX_SHORT ? undefined : 'Use at most 64 characters'

/** The validation rules; `taken` are the numbers of existing packages. */
export const packageRules = (taken: ReadonlySet<string>): Rules<PackageValues> => ({
  number: (text) => {
    if (!/^[1-9]\d{0,14}$/.test(text)) return 'Enter the number from your price list'
    return taken.has(text) ? 'A package with this number already exists. Edit it instead.' : undefined
  },
  name: (text) => (text.trim() === '' || text.length > MAX_NAME ? 'Enter a name of up to 128 characters' : undefined),
  sku: shortProblem,
  priceReference: shortProblem,
  days: (text) => (text === '' || isWhole(text, MAX_DAYS) ? undefined : 'Enter a whole number of days, up to 730'),
  maxCameras: countProblem,
  maxDevices: countProblem,
  sortOrder: (text) => (isWhole(text, MAX_ORDER) ? undefined : 'Enter a whole number'),
})

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text))

/** The request. A package keeps its flags if its status is unchanged. */
export function packageBody(values: PackageValues, before: SubscriptionPackage | undefined): NewPackage {
  const status = packageStatuses.find((one) => one === values.status) ?? 'offered'
  const kept = before !== undefined && toPackageStatus(before) === status
  const { available, valid } = kept ? before : statusFlags[status]
  const days = numberOrNull(values.days)
  return {
    name: values.name.trim(),
    sku: orNull(values.sku),
    quality: values.quality === '' ? null : quality.parse(values.quality),
    retention: days === null ? null : days * HOURS_PER_DAY,
    maxAmountOfCameras: numberOrNull(values.maxCameras),
    maxAmountOfDevices: numberOrNull(values.maxDevices),
    maxStorageBytes: before?.maxStorageBytes ?? null,
    priceReference: orNull(values.priceReference),
    sortOrder: Number(values.sortOrder),
    available,
    valid,
  }
}
