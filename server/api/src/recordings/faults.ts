import type { ApiError } from '@sightline/contract/errors'
import { MAX_TIMELINE_CAMERAS } from '@sightline/contract/recordings'
import { MS_PER_HOUR } from '@sightline/platform/clock'

/** Why a span can't be asked for. */
export function spanFault({ from, till }: { from: number; till: number }, longestMs: number): ApiError | undefined {
  if (from < till && till - from <= longestMs) return undefined
  const hours = longestMs / MS_PER_HOUR
  const longest = hours % 24 === 0 ? `${hours / 24} days` : `${hours} hours`
  const field = { field: 'till', message: `must be after from, by at most ${longest}` }
  return { error: 'validation', detail: `till: ${field.message}`, fields: [field] }
}

export function numberFault(cameraIds: readonly number[]): ApiError | undefined {
  if (cameraIds.length <= MAX_TIMELINE_CAMERAS) return undefined
  const field = { field: 'cameraIds', message: `must be at most ${MAX_TIMELINE_CAMERAS} ids, not ${cameraIds.length}` }
  return { error: 'validation', detail: `cameraIds: ${field.message}`, fields: [field] }
}
