import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

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
