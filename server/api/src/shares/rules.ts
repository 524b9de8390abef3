import type { ApiError } from '@sightline/contract/errors'
import { MAX_SHARE_DAYS, MAX_SHARE_MINUTES, type newShare } from '@sightline/contract/shares'
import type * as z from 'zod/mini'

/** Tolerance for client clocks that differ from ours. */
const AHEAD_MS = 60_000
const MS_PER_MINUTE = 60_000
const MS_PER_DAY = 86_400_000

const invalid = (field: string, message: string): ApiError => ({
  error: 'validation',
  detail: `${field} ${message}`,
  fields: [{ field, message }],
})

/** Why the requested share isn't possible. */
export function findShareFault(
  { from, till, expiresAt }: Pick<z.output<typeof newShare>, 'from' | 'till' | 'expiresAt'>,
  now: number,
): ApiError | undefined {
  if (till <= from) return invalid('till', 'must be later than from')
  if (till - from > MAX_SHARE_MINUTES * MS_PER_MINUTE)
    return invalid('till', `must be at most ${MAX_SHARE_MINUTES} minutes after from`)
  if (till > now + AHEAD_MS) return invalid('till', 'must not be in the future')
  if (expiresAt <= now) return invalid('expiresAt', 'must be in the future')
  if (expiresAt > now + MAX_SHARE_DAYS * MS_PER_DAY + AHEAD_MS)
    return invalid('expiresAt', `must be at most ${MAX_SHARE_DAYS} days from now`)
  return undefined
}
