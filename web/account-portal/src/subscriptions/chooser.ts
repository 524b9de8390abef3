import { givesMore, type SubscriptionPackage } from '@sightline/contract/subscriptions'

type Offered = Pick<
  SubscriptionPackage,
  'subscriptionPackageId' | 'name' | 'sku' | 'quality' | 'retention' | 'maxAmountOfCameras'
>

const HOURS_PER_DAY = 24
/** The limit if there is no other (specification §5). */
export const MAX_CAMERAS = 99_999

/** The values of the chooser (specification §4). Live only means camera management without storage. */
export interface Choice {
  readonly kind: 'cloud' | 'liveOnly'
  readonly quality: NonNullable<Offered['quality']>
  readonly days: number
  /** At least 1. */
  readonly cameras: number
}

/** The defaults of each kind (specification §9). */
export const defaults: Readonly<Record<Choice['kind'], Choice>> = {
  cloud: { kind: 'cloud', quality: 'SD1', days: 7, cameras: 10 },
  liveOnly: { kind: 'liveOnly', quality: 'CM10', days: 0, cameras: 200 },
}

const kindOf = ({ quality }: Pick<Offered, 'quality'>): Choice['kind'] => (quality === 'CM10' ? 'liveOnly' : 'cloud')

/** A package is custom if it lacks SKU, quality, days or cameras. */
const saysAll = ({ sku, quality, retention, maxAmountOfCameras }: Offered): boolean =>
  ![sku, quality, retention, maxAmountOfCameras].includes(null)

/** Whether the user chooses names instead of qualities and days: if the first package doesn't have them. */
export const isCustom = ([first]: readonly Offered[]): boolean => first !== undefined && !saysAll(first)

/** The choice that matches the account's package, or else the default of cloud storage. */
export function initialChoice(now: Offered | undefined): Choice {
  if (now === undefined || !saysAll(now)) return defaults.cloud
  const { quality, retention, maxAmountOfCameras } = now
  return {
    kind: kindOf(now),
    quality: quality ?? 'SD1',
    days: (retention ?? 0) / HOURS_PER_DAY,
    cameras: Math.max(1, maxAmountOfCameras ?? 1),
  }
}

const ofKind = (packages: readonly Offered[], kind: Choice['kind']) =>
  packages.filter((one) => saysAll(one) && kindOf(one) === kind)

/** The available qualities and days, each in ascending order. */
export function availableOptions(packages: readonly Offered[]): {
  readonly qualities: readonly Choice['quality'][]
  readonly days: readonly number[]
} {
  const cloud = ofKind(packages, 'cloud')
  const order = ['SD1', 'HD1', 'HD2'] as const
  const days = new Set(cloud.map(({ retention }) => (retention ?? 0) / HOURS_PER_DAY))
  return {
    qualities: order.filter((quality) => cloud.some((one) => one.quality === quality)),
    days: [...days].sort((a, b) => a - b),
  }
}

/** The maximum cameras with this many days of storage, according to the packages (product decision 7). */
export function mostCameras(packages: readonly Offered[], { kind, days }: Choice): number {
  const limits = ofKind(packages, kind)
    .filter(({ retention }) => retention === days * HOURS_PER_DAY)
    .map(({ maxAmountOfCameras }) => maxAmountOfCameras ?? MAX_CAMERAS)
  return limits.length === 0 ? MAX_CAMERAS : Math.max(...limits)
}

/** A whole number from 1 to the maximum; invalid values become 1. */
export const clampCameras = (cameras: number, most: number): number =>
  Number.isFinite(cameras) ? Math.min(Math.max(1, Math.trunc(cameras)), Math.max(1, most)) : 1

/** The smallest package with that quality and days that has enough cameras; undefined if there is none. */
export function findPackage<P extends Offered>(packages: readonly P[], choice: Choice): P | undefined {
  const { quality, days, cameras } = choice
  const room = (one: P) => one.maxAmountOfCameras ?? Number.POSITIVE_INFINITY
  return packages
    .filter((one) => saysAll(one) && one.quality === quality)
    .filter((one) => one.retention === days * HOURS_PER_DAY && room(one) >= cameras)
    .sort((one, other) => room(one) - room(other))[0]
}

interface NamedPackage {
  readonly name: string
  readonly cameras: number | undefined
}

/** `Museum_10` is `Museum` for 10 cameras (specification §3 "Custom subscription"). */
export function namedPackage({ name, maxAmountOfCameras }: Pick<Offered, 'name' | 'maxAmountOfCameras'>): NamedPackage {
  const [, short, count] = /^(.+)_(\d+)$/.exec(name) ?? []
  if (short === undefined) return { name, cameras: maxAmountOfCameras ?? undefined }
  return { name: short, cameras: Number(count) }
}

/** The effect of a choice, as the server decides it: none, immediate, or after the last day. */
export type Effect = 'none' | 'now' | 'lastDay'

export function changeEffect(target: Offered | undefined, now: Offered | undefined, isOver: boolean): Effect {
  if (target === undefined) return 'none'
  if (now === undefined || isOver) return 'now'
  if (target.subscriptionPackageId === now.subscriptionPackageId) return 'none'
  return givesMore(target, now) ? 'now' : 'lastDay'
}

/** The next day, `yyyy-mm-dd`. */
export const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + HOURS_PER_DAY * 3_600_000).toISOString().slice(0, 10)

/** Whole days from one day to another, both `yyyy-mm-dd`. */
export const countDays = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / (HOURS_PER_DAY * 3_600_000))

/** Today in a time zone, `yyyy-mm-dd`. */
export const localToday = (timeZone: string, now: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
