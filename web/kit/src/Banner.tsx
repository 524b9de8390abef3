import { type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'
import { MIDDLE } from './Header.tsx'
import { Icon } from './Icon.tsx'
import type { Mood } from './mood.ts'
import { Status } from './Status.tsx'

const moods: Record<Mood, string> = {
  neutral: 'bg-sunken text-text',
  brand: 'bg-primary text-on-primary',
  success: 'bg-success-tint text-success-text',
  warning: 'bg-warning-tint text-warning-text',
  danger: 'bg-danger-tint text-danger-text',
}

interface BannerProps {
  mood: Mood
  children: ReactNode
  action?: { readonly label: string; readonly busy?: boolean; readonly onPress: () => void } | undefined
}

/** A full-width message, shown for as long as it applies. */
export function Banner({ mood, children, action }: BannerProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`print:hidden ${moods[mood]}`}>
      <div
        className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2 in-data-wide:max-w-none in-data-wide:px-3 sm:in-data-wide:px-4 ${MIDDLE}`}
      >
        <div className="flex min-w-0 items-center gap-3">
          <Icon name={mood === 'warning' || mood === 'danger' ? 'warning' : 'info'} size={18} />
          <Status textId={id}>{children}</Status>
        </div>
        {action === undefined ? null : (
          <Button variant="secondary" busy={action.busy ?? false} onClick={action.onPress}>
            {action.label}
          </Button>
        )}
      </div>
    </section>
  )
}
