import { type ReactNode, useId } from 'react'
import { Icon } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import { SwitchRow } from './SwitchRow.tsx'

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
            <span className="size-2 animate-shimmer rounded-full bg-surface group-aria-checked:bg-control" />
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
