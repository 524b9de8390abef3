// What only shows: details, initials, the way back, a banner.
import { type ReactNode, useId } from 'react'
import { Button } from '../Button.tsx'
import { Icon } from '../Icon.tsx'
import type { Mood } from '../marks.tsx'

export interface Detail {
  readonly label: string
  readonly value: ReactNode
}

/** What is known of one thing, each value under its name. */
export function Details({ details }: { details: readonly Detail[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      {details.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="mt-0.5 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const initial = (name: string): string => [...name.trim()][0]?.toLocaleUpperCase() ?? ''

/** The initials of a person beside the name, which is written there. */
export function Avatar({ firstName, lastName }: { firstName: string; lastName: string }) {
  const initials = `${initial(firstName)}${initial(lastName)}`
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-sunken text-xs font-semibold print:hidden"
    >
      {initials === '' ? <Icon name="user" size={18} /> : initials}
    </span>
  )
}

/** The way back to the list that this is one of. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      data-here
      href={href}
      className="-ms-1.5 mb-2 inline-flex min-h-8 items-center gap-1 rounded-sm pe-2 text-muted hover:text-text print:hidden pointer-coarse:min-h-11"
    >
      <Icon name="chevronLeft" size={18} mirrored />
      {children}
    </a>
  )
}

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

/** Says something over the whole width of the window for as long as it holds. */
export function Banner({ mood, children, action }: BannerProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={`flex flex-wrap items-center gap-x-4 gap-y-2 sm:justify-center px-4 py-2 print:hidden ${moods[mood]}`}
    >
      <p className="flex min-w-0 items-center gap-3">
        <Icon name={mood === 'warning' || mood === 'danger' ? 'warning' : 'info'} size={18} />
        <span id={id} role="status">
          {children}
        </span>
      </p>
      {action === undefined ? null : (
        <Button variant="secondary" busy={action.busy ?? false} onClick={action.onPress}>
          {action.label}
        </Button>
      )}
    </section>
  )
}
