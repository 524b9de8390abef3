import type { NotificationSetting } from '@sightline/contract/notification-settings'
import type { ScopedCamera } from '@sightline/contract/rights'
import { findSpan, type ScheduleSpans, toLocalMinute } from '@sightline/contract/schedules'

/** A camera with what decides whether it may be told about now. */
export interface AlertedCamera extends ScopedCamera {
  readonly name: string
  readonly mode: string
  /** Its own, or its zone's. */
  readonly schedule: ScheduleSpans
  /** Of its zone, or the account's. */
  readonly timeZone: string
  readonly inMaintenance: boolean
}

export interface AlertWays {
  readonly byEmail: boolean
  readonly byPush: boolean
}

/**
 * How a user may be told about a camera now. Only armed cameras notify (specification §4); those with a schedule at the
 * times that it has for emails and for messages.
 *
 * @param now milliseconds since 1970
 */
export function openWays(
  { alertByEmail, alertByPush }: Pick<NotificationSetting, 'alertByEmail' | 'alertByPush'>,
  { mode, schedule, timeZone, inMaintenance }: AlertedCamera,
  now: number,
): AlertWays {
  if (inMaintenance || (mode !== 'armed' && mode !== 'scheduled')) return { byEmail: false, byPush: false }
  if (mode === 'armed') return { byEmail: alertByEmail, byPush: alertByPush }
  const minute = toLocalMinute(now, timeZone)
  return {
    byEmail: alertByEmail && findSpan(schedule.email, minute) !== undefined,
    byPush: alertByPush && findSpan(schedule.push, minute) !== undefined,
  }
}
