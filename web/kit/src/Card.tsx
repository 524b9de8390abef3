import type { ComponentProps, ReactNode } from 'react'

interface CardProps {
  title?: ReactNode
  /** One or two sentences under the title. */
  description?: ReactNode
  /** Next to the title: a badge or a menu. */
  aside?: ReactNode
  /** The bar at the bottom, with the save button. */
  footer?: ReactNode
  children: ReactNode
  className?: string
}

/** A surface with a title, for one topic. */
export function Card({ title, description, aside, footer, children, className = '' }: CardProps) {
  return (
    <section className={`rounded-lg border border-border bg-surface shadow-card ${className}`}>
      {title === undefined ? null : (
        <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-5 pt-5 sm:px-6">
          <div className="min-w-0 flex-1 basis-48">
            <h2 className="text-base font-semibold">{title}</h2>
            {description === undefined ? null : <p className="mt-1 max-w-prose text-muted">{description}</p>}
          </div>
          {aside}
        </header>
      )}
      <div className="px-5 py-5 sm:px-6">{children}</div>
      {footer === undefined ? null : (
        <footer className="flex flex-wrap items-center justify-end gap-3 border-t border-border px-5 py-4 sm:px-6">
          {footer}
        </footer>
      )}
    </section>
  )
}

/** A {@link Card} that is a form. */
export function FormCard({ onSubmit, children, ...card }: CardProps & Pick<ComponentProps<'form'>, 'onSubmit'>) {
  return (
    <form noValidate onSubmit={onSubmit}>
      <Card {...card}>{children}</Card>
    </form>
  )
}
