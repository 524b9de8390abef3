// Small things that only show: badge, skeleton, empty state, progress, notice, tooltip.
import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'

export type Mood = 'neutral' | 'brand' | 'success' | 'warning' | 'danger'

const moods: Record<Mood, string> = {
  neutral: 'bg-sunken text-text',
  brand: 'bg-tint text-link',
  success: 'bg-success-tint text-success-text',
  warning: 'bg-warning-tint text-warning-text',
  danger: 'bg-danger-tint text-danger-text',
}

/** One or two words about a state. */
export function Badge({ mood = 'neutral', icon, children }: { mood?: Mood; icon?: IconName; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap ${moods[mood]}`}
    >
      {icon === undefined ? null : <Icon name={icon} size={14} />}
      {children}
    </span>
  )
}

/** The place of something that is still loading. Its size comes from `className`; put several into a {@link SkeletonGroup}. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-shimmer rounded-md bg-sunken ${className}`} />
}

interface SkeletonGroupProps {
  /** Nothing else of the page is there, not even its heading. */
  isPage?: boolean
  children: ReactNode
  className?: string
}

/** Says once that something is loading, however many skeletons it is drawn with. */
export function SkeletonGroup({ isPage = false, children, className = '' }: SkeletonGroupProps) {
  const text = useKitText()
  const Heading = isPage ? 'h1' : 'span'
  return (
    <div role="status" className={className}>
      <Heading className="sr-only">{text('Loading')}</Heading>
      {children}
    </div>
  )
}

interface EmptyStateProps {
  icon: IconName
  title: string
  /** The heading of the whole page, where there is no other. */
  isPage?: boolean
  children?: ReactNode
  /** What can be done about it. */
  action?: ReactNode
}

/** What stands where there is nothing to list, or where something could not be loaded. */
export function EmptyState({ icon, title, isPage = false, children, action }: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={`mx-auto flex max-w-md flex-col items-center px-4 text-center ${isPage ? 'py-24' : 'py-12'}`}>
      <span className="mb-4 inline-flex size-12 items-center justify-center rounded-full bg-sunken text-muted">
        <Icon name={icon} size={24} />
      </span>
      <Heading className={`font-semibold ${isPage ? 'text-xl tracking-tight' : 'text-base'}`}>{title}</Heading>
      {children === undefined ? null : <div className="mt-1 text-muted">{children}</div>}
      {action === undefined ? null : <div className="mt-5">{action}</div>}
    </div>
  )
}

/** A bar that fills; without `value` (0-1) it says only that work is under way. */
export function ProgressBar({ value, label }: { value?: number; label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === undefined ? undefined : Math.round(value * 100)}
      className="relative h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={`absolute inset-y-0 rounded-full bg-control ${value === undefined ? 'w-1/3 animate-slide' : 'start-0 transition-[width]'}`}
        style={value === undefined ? undefined : { width: `${value * 100}%` }}
      />
    </div>
  )
}

const noticeIcons: Record<Mood, IconName> = {
  neutral: 'info',
  brand: 'info',
  success: 'success',
  warning: 'warning',
  danger: 'warning',
}

/** A sentence that belongs to the place where it stands. */
export function Notice({ mood = 'neutral', children }: { mood?: Mood; children: ReactNode }) {
  return (
    <div className={`flex gap-3 rounded-md px-4 py-3 ${moods[mood]}`} role={mood === 'danger' ? 'alert' : undefined}>
      <Icon name={noticeIcons[mood]} />
      <div className="min-w-0">{children}</div>
    </div>
  )
}

/** A few words shown on hover and keyboard focus of the control inside, which needs an accessible name of its own. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <span className="group/tip relative inline-flex">
      {children}
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-full left-1/2 z-30 mt-1.5 -translate-x-1/2 rounded-sm bg-text px-2 py-1 text-xs whitespace-nowrap text-surface opacity-0 transition-opacity delay-300 group-focus-within/tip:opacity-100 group-hover/tip:opacity-100"
      >
        {text}
      </span>
    </span>
  )
}
