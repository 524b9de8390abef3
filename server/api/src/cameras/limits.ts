import type { ApiError } from '@sightline/contract/errors'
import { isCheckViolation } from '@sightline/platform/db'

/** The trigger that counts, what it counts, and the calls whose texts of the catalogue speak of slots (decision 8). */
const limits = [
  { constraint: 'limit_of_cameras', detail: 'not enough camera slots', operation: 20 },
  { constraint: 'limit_of_devices', detail: 'not enough device slots', operation: 235 },
] as const

/**
 * What a call answers where the database refused a camera or device because the account may not hold more: code 6 of the
 * calls that add one by itself, 7 elsewhere. Undefined where `error` is something else.
 */
export function slotFault(error: unknown, route: { readonly operation?: number }): ApiError | undefined {
  const reached = limits.find((limit) => isCheckViolation(error, limit.constraint))
  if (reached === undefined) return undefined
  const { detail, operation } = reached
  return { error: route.operation === operation ? 'businessRule' : 'subscriptionLimit', detail }
}
