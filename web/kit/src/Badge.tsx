import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { type Mood, moodClass } from './mood.ts'

/** A status in one or two words. */
export function Badge({ mood = 'neutral', icon, children }: { mood?: Mood; icon?: IconName; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap ${moodClass[mood]}`}
    >
      {icon === undefined ? null : <Icon name={icon} size={14} />}
      {children}
    </span>
  )
}
