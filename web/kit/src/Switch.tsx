import { type ReactNode, useId } from 'react'

interface SwitchProps {
  label: ReactNode
  /** What it changes. */
  description?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** On or off, at once. */
export function Switch({ label, description, checked, disabled = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {description === undefined ? null : (
          <p id={`${id}-about`} className="text-muted">
            {description}
          </p>
        )}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={checked}
        aria-describedby={description === undefined ? undefined : `${id}-about`}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className="group relative mt-0.5 h-6 w-11 shrink-0 rounded-full border border-outline bg-sunken transition-colors after:absolute after:-inset-x-2 after:-inset-y-2.5 aria-checked:border-control aria-checked:bg-control disabled:opacity-50"
      >
        <span className="absolute inset-y-0.75 start-0.75 size-4 rounded-full bg-outline transition-[inset-inline-start] group-aria-checked:start-5.75 group-aria-checked:bg-on-control" />
      </button>
    </div>
  )
}
