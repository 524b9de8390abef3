import { type ReactNode, useId } from 'react'
import { Icon } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import { SwitchRow } from './SwitchRow.tsx'

interface SettingSwitchProps {
  label: string
  /** What the setting changes. */
  description?: ReactNode
  checked: boolean
  /** Why it can't be changed. The switch is then read-only and shows this reason. */
  fixed?: string | undefined
  /** Id of a notice that gives the reason for several switches; replaces {@link fixed}. */
  fixedBy?: string | undefined
  /** The change is shown but not yet saved on the server. */
  pending?: boolean
  onChange: (checked: boolean) => void
}

/**
 * A setting that saves immediately. A fixed one can still get the keyboard focus, so that screen reader users learn the
 * reason.
 */
export function SettingSwitch(props: SettingSwitchProps) {
  const { label, description, checked, fixed, fixedBy, pending = false, onChange } = props
  const id = useId()
  const text = useKitText()
  const isFixed = fixed !== undefined || fixedBy !== undefined
  const noteId = fixed === undefined ? fixedBy : `${id}-fixed`
  return (
    <div className="py-3">
      <SwitchRow
        id={id}
        label={label}
        description={description}
        checked={checked}
        note={
          fixed === undefined ? null : (
            <p id={noteId} className="mt-1 flex items-start gap-1.5 text-xs text-muted">
              <Icon name="lock" size={14} className="mt-px" />
              {fixed}
            </p>
          )
        }
        noteIds={noteId === undefined ? [] : [noteId]}
        isFixed={isFixed}
        isBusy={pending}
        onChange={onChange}
        knob={
          pending ? (
            <span className="size-2 animate-shimmer rounded-full bg-surface group-data-checked:bg-control" />
          ) : null
        }
        status={
          <span role="status" className="sr-only">
            {pending ? text('Saving') : ''}
          </span>
        }
      />
    </div>
  )
}
