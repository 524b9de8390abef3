import type { ApiError } from '@sightline/contract/errors'
import type {
  SubscriptionChange,
  SubscriptionChoice,
  SubscriptionPackage,
  SubscriptionState,
} from '@sightline/contract/subscriptions'

/** The chosen package and its start; -1 means none. */
export function readChoice(choice: SubscriptionChoice): { packageId: number; from: 'soonest' | 'lastDay' } {
  const soonest = choice.subscriptionId ?? choice.subscriptionPackageId
  if (soonest !== undefined) return { packageId: soonest, from: 'soonest' }
  return { packageId: choice.nextSubscriptionId ?? choice.nextSubscriptionPackageId ?? -1, from: 'lastDay' }
}

const words: Readonly<Record<Extract<SubscriptionChange, { kind: 'refused' }>['because'], string>> = {
  nothingToEnd: 'the account has no subscription',
  notValid: 'the package can no longer be renewed',
  notAvailable: 'the package is not available',
  tooFewSlots: 'the account has more cameras than the package allows',
}

export const toChangeError = (change: Extract<SubscriptionChange, { kind: 'refused' }>): ApiError => ({
  error: 'businessRule',
  detail: words[change.because],
})

type Alike = Pick<
  SubscriptionPackage,
  'name' | 'sku' | 'quality' | 'retention' | 'maxAmountOfCameras' | 'maxAmountOfDevices' | 'maxStorageBytes'
>

const traits = ['sku', 'quality', 'retention', 'maxAmountOfCameras', 'maxAmountOfDevices', 'maxStorageBytes'] as const

/** The equivalent package of another reseller with the same SKU, preferably with the same name. */
function sameAmong<P extends Alike & { readonly valid: boolean }>(wanted: Alike, offered: readonly P[]): P | undefined {
  const same = offered.filter((one) => one.valid && traits.every((trait) => one[trait] === wanted[trait]))
  return same.find((one) => one.name === wanted.name) ?? same[0]
}

/** The subscription with another reseller; undefined if that one doesn't have the same packages. */
export function movedState(
  state: SubscriptionState,
  own: readonly SubscriptionPackage[],
  offered: readonly SubscriptionPackage[],
): SubscriptionState | undefined {
  const there = (packageId: number): number | undefined => {
    const mine = own.find((one) => one.subscriptionPackageId === packageId)
    return mine === undefined ? undefined : sameAmong(mine, offered)?.subscriptionPackageId
  }
  const packageId = there(state.packageId)
  const nextPackageId = state.nextPackageId === undefined ? undefined : there(state.nextPackageId)
  const lacksNext = state.nextPackageId !== undefined && nextPackageId === undefined
  return packageId === undefined || lacksNext ? undefined : { ...state, packageId, nextPackageId }
}
