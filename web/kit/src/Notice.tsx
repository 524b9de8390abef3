import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { type Mood, moodClass } from './mood.ts'

const noticeIcons: Record<Mood, IconName> = {
  neutral: 'info',
  brand: 'info',
  success: 'success',
  warning: 'warning',
  danger: 'warning',
}

/** A message about the content around it. */
export function Notice({ mood = 'neutral', children }: { mood?: Mood; children: ReactNode }) {
  return (
    <div
      className={`flex gap-3 rounded-md px-4 py-3 ${moodClass[mood]}`}
      role={mood === 'danger' ? 'alert' : undefined}
    >
      <Icon name={noticeIcons[mood]} />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
