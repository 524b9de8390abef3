import type { ApiError } from '@sightline/contract/errors'
import type { ScheduleSpans } from '@sightline/contract/schedules'

/** Why that schedule can't be saved. `isInUse`: cameras follow it now. */
export function scheduleFault({ recording }: ScheduleSpans, isInUse: boolean): ApiError | undefined {
  if (!isInUse || recording.length > 0) return undefined
  const detail = 'cameras in the mode scheduled follow this schedule: without recording times nothing would be recorded'
  return { error: 'businessRule', detail }
}
