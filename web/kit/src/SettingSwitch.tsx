import { type ReactNode, useId } from 'react'
import { Icon } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'

interface SettingSwitchProps {
  label: string
  /** What it changes. */
  description?: ReactNode
  checked: boolean
  /** Why it cannot be changed: it is then shown as it stands, with this sentence. */
  fixed?: string | undefined
  /** Id of the notice that says for several at once why they cannot be changed; in place of {@link fixed}. */
  fixedBy?: string | undefined
  /** The change is on its way to the server; it shows already. */
  pending?: boolean
  onChange: (checked: boolean) => void
}

/**
 * One setting that is on or off, saved at once. One that is fixed can still be reached by keyboard, so that everybody
 * learns why.
 */
export function SettingSwitch(props: SettingSwitchProps) {
  const { label, description, checked, fixed, fixedBy, pending = false, onChange } = props
  const id = useId()
  const text = useKitText()
  const isFixed = fixed !== undefined || fixedBy !== undefined
  const notes = [
    description === undefined ? '' : `${id}-about`,
    fixed === undefined ? '' : `${id}-fixed`,
    fixed === undefined ? (fixedBy ?? '') : '',
  ]
  const about = notes.join(' ').replaceAll(/ +/g, ' ').trim()
  return (
    <div className="flex items-start justify-between gap-4 py-3">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {description === undefined ? null : (
          <p id={`${id}-about`} className="text-muted">
            {description}
          </p>
        )}
        {fixed === undefined ? null : (
          <p id={`${id}-fixed`} className="mt-1 flex items-start gap-1.5 text-xs text-muted">
            <Icon name="lock" size={14} className="mt-px" />
            {fixed}
          </p>
        )}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={checked}
        aria-describedby={about === '' ? undefined : about}
        aria-disabled={isFixed || undefined}
        aria-busy={pending || undefined}
        onClick={isFixed ? undefined : () => onChange(!checked)}
        className="group relative mt-0.5 h-6 w-11 shrink-0 rounded-full border border-outline bg-sunken transition-colors after:absolute after:-inset-x-2 after:-inset-y-2.5 aria-checked:border-control aria-checked:bg-control aria-disabled:opacity-60"
      >
        <span className="absolute inset-y-0.75 start-0.75 flex size-4 items-center justify-center rounded-full bg-outline transition-[inset-inline-start] group-aria-checked:start-5.75 group-aria-checked:bg-on-control">
          {pending ? (
            <span className="size-2 animate-shimmer rounded-full bg-surface group-aria-checked:bg-control" />
          ) : null}
        </span>
        <span role="status" className="sr-only">
          {pending ? text('Saving') : ''}
        </span>
      </button>
    </div>
  )
}
