import type { ReactNode } from 'react'

/** The top of a screen: title, description and actions. */
export function ScreenTitle({
  title,
  children,
  actions,
}: {
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-60">
        <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">{title}</h1>
        {children === undefined ? null : <p className="mt-1 max-w-prose text-muted">{children}</p>}
      </div>
      {actions}
    </div>
  )
}
