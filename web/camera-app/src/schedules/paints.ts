import type { Text } from './text.ts'
import type { Paint } from './week-plan.ts'

export type ScheduleKind = 'recording' | 'push' | 'email'

interface KindTexts {
  readonly name: Text
  readonly meaning: Text
  /** What can be painted, the usual first. */
  readonly paints: readonly Exclude<Paint, 'off'>[]
}

export const kindOrder: readonly ScheduleKind[] = ['recording', 'push', 'email']

/** The three schedules. */
export const kinds: Readonly<Record<ScheduleKind, KindTexts>> = {
  recording: {
    name: 'Recording',
    meaning: 'When cameras in Scheduled mode record.',
    paints: ['on', 'continuous', 'event'],
  },
  push: {
    name: 'Push notifications',
    meaning: 'When cameras in Scheduled mode send push notifications.',
    paints: ['on'],
  },
  email: { name: 'Emails', meaning: 'When cameras in Scheduled mode send emails.', paints: ['on'] },
}

/** The name of a paint in a schedule. */
export function paintText(kind: ScheduleKind, paint: Paint): Text {
  if (paint === 'off') return 'Off'
  if (paint === 'continuous') return 'Continuous recording'
  if (paint === 'event') return 'Event-based recording'
  return kind === 'recording' ? "Camera's recording type" : 'On'
}

/** The look of each paint: also without colors, they differ. */
export const paintClass: Readonly<Record<Exclude<Paint, 'off'>, string>> = {
  on: 'bg-control',
  continuous: 'bg-control border-y-4 border-text',
  event: 'bg-[repeating-linear-gradient(135deg,var(--tone-control)_0_4px,var(--tone-tint)_4px_8px)]',
}
