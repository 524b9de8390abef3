/**
 * The parts of a package that matter for a change of subscription. Null means that a custom package doesn't define it.
 */
export interface PackageFacts {
  readonly subscriptionPackageId: number
  readonly quality: 'SD1' | 'HD1' | 'HD2' | 'CM10' | null
  /** Hours. */
  readonly retention: number | null
  /** Null means unlimited. */
  readonly maxAmountOfCameras: number | null
  readonly available: boolean
  readonly valid: boolean
}

/** Days are `yyyy-mm-dd` in the account's time zone. */
export interface SubscriptionState {
  readonly packageId: number
  /** Undefined: it ends on its last day. */
  readonly nextPackageId: number | undefined
  readonly startDate: string
  readonly endDate: string
  /** At least 1. */
  readonly contractPeriodMonths: number
}

export type SubscriptionChange =
  | { readonly kind: 'changed'; readonly state: SubscriptionState }
  | { readonly kind: 'refused'; readonly because: 'nothingToEnd' | 'notValid' | 'notAvailable' | 'tooFewSlots' }

interface Wish {
  /** Undefined: the account has none yet. */
  readonly state: SubscriptionState | undefined
  /** The package of `state`. */
  readonly current: PackageFacts | undefined
  readonly target: PackageFacts | 'none'
  /** `lastDay`: upgrades also wait until then. */
  readonly from: 'soonest' | 'lastDay'
  readonly camerasInUse: number
  readonly today: string
}

const NEW_CONTRACT_MONTHS = 12

/**
 * The subscription after a choice (specification §4, api.md §5 "State rules"): the current package is renewed, which
 * also cancels a downgrade; an upgrade applies immediately until the same last day; any other package follows after the
 * last day; `none` lets it end.
 */
export function changeSubscription({
  state: stored,
  current,
  target,
  from,
  camerasInUse,
  today,
}: Wish): SubscriptionChange {
  const state = stored === undefined ? undefined : onDay(stored, today)
  if (target === 'none') {
    if (state === undefined) return { kind: 'refused', because: 'nothingToEnd' }
    return { kind: 'changed', state: { ...state, nextPackageId: undefined } }
  }
  const isCurrent = state?.packageId === target.subscriptionPackageId
  if (isCurrent && !target.valid) return { kind: 'refused', because: 'notValid' }
  if (!isCurrent && !target.available) return { kind: 'refused', because: 'notAvailable' }
  if ((target.maxAmountOfCameras ?? Number.POSITIVE_INFINITY) < camerasInUse) {
    return { kind: 'refused', because: 'tooFewSlots' }
  }
  const nextPackageId = target.subscriptionPackageId
  if (state === undefined || state.endDate < today) {
    const contractPeriodMonths = state?.contractPeriodMonths ?? NEW_CONTRACT_MONTHS
    const endDate = lastDay(today, contractPeriodMonths)
    return {
      kind: 'changed',
      state: { packageId: nextPackageId, nextPackageId, startDate: today, endDate, contractPeriodMonths },
    }
  }
  if (isCurrent || from === 'lastDay' || current === undefined || !givesMore(target, current)) {
    return { kind: 'changed', state: { ...state, nextPackageId } }
  }
  return { kind: 'changed', state: { ...state, packageId: nextPackageId, nextPackageId, startDate: today } }
}

/** The subscription on a given day: after its last day, the next one, period by period. */
export function onDay(state: SubscriptionState, today: string): SubscriptionState {
  let now = state
  while (now.endDate < today && now.nextPackageId !== undefined) {
    const startDate = dayAfter(now.endDate)
    now = { ...now, packageId: now.nextPackageId, startDate, endDate: lastDay(startDate, now.contractPeriodMonths) }
  }
  return now
}

/** What happens to a subscription after its last day. */
export type DueChange =
  /** The same package, or another one, follows. */
  | { readonly kind: 'prolonged' | 'changed'; readonly state: SubscriptionState }
  /** Nothing follows. */
  | { readonly kind: 'ended' }

/** The action for a day; undefined until the last day has passed. */
export function getDueChange(state: SubscriptionState, today: string): DueChange | undefined {
  if (state.endDate >= today) return undefined
  if (state.nextPackageId === undefined) return { kind: 'ended' }
  const now = onDay(state, today)
  return { kind: now.packageId === state.packageId ? 'prolonged' : 'changed', state: now }
}

/** What happens after the last day (specification §4): the same package, another one, or none. */
export type ProlongState = 'auto' | 'downgrade' | 'cancel'

/** @param next `nextSubscriptionPackageId`, -1 for none. */
export function prolongState(current: number, next: number): ProlongState {
  if (next === -1) return 'cancel'
  return next === current ? 'auto' : 'downgrade'
}

export type SubscriptionAction = 'cancelDowngrade' | 'prolong' | 'doNotProlong'

/** The menu (specification §4); empty for accounts that aren't active. */
export function subscriptionActions(given: {
  readonly state: ProlongState
  /** The current package can be renewed by accounts that have it. */
  readonly valid: boolean
  readonly isActive: boolean
}): readonly SubscriptionAction[] {
  const { state, valid, isActive } = given
  if (!isActive) return []
  if (state === 'downgrade') return ['cancelDowngrade', 'doNotProlong']
  if (state === 'auto') return ['doNotProlong']
  return valid ? ['prolong'] : []
}

type Gifts = Pick<PackageFacts, 'quality' | 'retention' | 'maxAmountOfCameras'>

const qualityOrder = ['CM10', 'SD1', 'HD1', 'HD2'] as const

/**
 * An upgrade: more of something and less of nothing. It applies immediately. An undefined value of a custom package
 * equals only another undefined one.
 */
export function givesMore(target: Gifts, current: Gifts): boolean {
  const steps = [
    differenceOf(rankOf(target.quality), rankOf(current.quality)),
    differenceOf(target.retention, current.retention),
    differenceOf(
      target.maxAmountOfCameras ?? Number.MAX_SAFE_INTEGER,
      current.maxAmountOfCameras ?? Number.MAX_SAFE_INTEGER,
    ),
  ]
  return steps.every((step) => step >= 0) && steps.some((step) => step > 0)
}

const rankOf = (quality: PackageFacts['quality']): number | null =>
  quality === null ? null : qualityOrder.indexOf(quality)

function differenceOf(target: number | null, current: number | null): number {
  if (target === current) return 0
  if (target === null || current === null) return -1
  return target - current
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const dayAfter = (day: string): string => dateOf(Date.parse(`${day}T00:00:00Z`) + 86_400_000)

/**
 * The last day of a period of that many months: the day before the same day of the month, or the month's last day if it
 * is shorter.
 */
function lastDay(startDate: string, months: number): string {
  const [year = 0, month = 1, day = 1] = startDate.split('-').map(Number)
  const daysThen = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return dateOf(Date.UTC(year, month - 1 + months, Math.min(day, daysThen)) - 86_400_000)
}
