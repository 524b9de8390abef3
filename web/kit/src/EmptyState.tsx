import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

interface EmptyStateProps {
  icon: IconName
  title: string
  /** The title is the page's only heading. */
  isPage?: boolean
  children?: ReactNode
  /** The button. */
  action?: ReactNode
}

/** Shown instead of an empty list, or of content that failed to load. */
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
