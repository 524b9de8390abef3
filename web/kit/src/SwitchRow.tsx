import { Switch } from '@base-ui/react/switch'
import type { ReactNode } from 'react'

interface SwitchRowProps {
  id: string
  label: ReactNode
  description?: ReactNode
  /** Shown below the description. */
  note?: ReactNode
  /** Ids of further elements that describe the switch. */
  noteIds?: readonly string[]
  checked: boolean
  disabled?: boolean
  /** The switch can be focused but not changed. */
  isFixed?: boolean
  /** The change is being saved. */
  isBusy?: boolean
  onChange: (checked: boolean) => void
  /** Content of the knob. */
  knob?: ReactNode
  /** Content of the button after the knob. */
  status?: ReactNode
}

/** A switch with label and description; the base of {@link Switch} and {@link SettingSwitch}. */
export function SwitchRow(props: SwitchRowProps) {
  const { id, label, description, note, noteIds = [], checked, knob, status, onChange } = props
  const { disabled = false, isFixed = false, isBusy = false } = props
  const describedBy = [...(description === undefined ? [] : [`${id}-about`]), ...noteIds].join(' ')
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
        {note}
      </div>
      <Switch.Root
        id={id}
        nativeButton
        render={<button type="button" />}
        checked={checked}
        disabled={disabled}
        readOnly={isFixed}
        onCheckedChange={onChange}
        aria-describedby={describedBy === '' ? undefined : describedBy}
        aria-disabled={isFixed || undefined}
        aria-busy={isBusy || undefined}
        className="group relative mt-0.5 h-6 w-11 shrink-0 rounded-full border border-outline bg-sunken transition-colors after:absolute after:-inset-x-2 after:-inset-y-2.5 aria-checked:border-control aria-checked:bg-control disabled:opacity-50 aria-disabled:opacity-60"
      >
        <Switch.Thumb className="absolute inset-y-0.75 start-0.75 flex size-4 items-center justify-center rounded-full bg-outline transition-[inset-inline-start] group-aria-checked:start-5.75 group-aria-checked:bg-on-control">
          {knob}
        </Switch.Thumb>
        {status}
      </Switch.Root>
    </div>
  )
}
