import { type ReactNode, useId } from 'react'
import { useKitText } from './kit-text.tsx'

interface SwitchGroupProps {
  title: string
  /** One sentence about the group. */
  description?: ReactNode
  /** How many switches are on, and the total. */
  on: number
  of: number
  /** Sets all switches that are not fixed; undefined if none can be changed. */
  onAll?: ((on: boolean) => void) | undefined
  /** `SettingSwitch`es. */
  children: ReactNode
}

/** A group of switches. */
export function SwitchGroup({ title, description, on, of, onAll, children }: SwitchGroupProps) {
  const id = useId()
  const text = useKitText()
  const button =
    'inline-flex min-h-8 items-center rounded-sm px-2 font-medium text-link hover:bg-sunken aria-disabled:text-muted pointer-coarse:min-h-11'
  return (
    <section aria-labelledby={id} className="rounded-lg border border-border bg-surface shadow-card">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-border px-5 py-3 sm:px-6">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <span className="me-auto text-xs text-muted tabular-nums">
          {text('{count} of {total} on', { count: on, total: of })}
        </span>
        {onAll === undefined ? null : (
          <span className="-me-2 flex gap-1">
            <button type="button" aria-describedby={id} onClick={() => onAll(true)} className={button}>
              {text('Turn all on')}
            </button>
            <button type="button" aria-describedby={id} onClick={() => onAll(false)} className={button}>
              {text('Turn all off')}
            </button>
          </span>
        )}
        {description === undefined ? null : <p className="basis-full text-muted">{description}</p>}
      </header>
      <div className="divide-y divide-border px-5 sm:px-6">{children}</div>
    </section>
  )
}
