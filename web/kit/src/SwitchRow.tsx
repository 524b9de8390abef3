import type { ReactNode } from 'react'
import { lazyModule, useLazyModule } from './lazy-module.ts'

interface SwitchState {
  id: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** Content of the knob. */
  knob?: ReactNode
  /** Content of the button after the knob. */
  status?: ReactNode
}

export interface SwitchControlProps extends SwitchState {
  disabled: boolean
  isFixed: boolean
  isBusy: boolean
  describedBy: string | undefined
  className: string
  knobClass: string
}

interface SwitchRowProps extends SwitchState {
  label: ReactNode
  description?: ReactNode
  /** Shown below the description. */
  note?: ReactNode
  /** Ids of further elements that describe the switch. */
  noteIds?: readonly string[]
  disabled?: boolean
  /** The switch can be focused but not changed. */
  isFixed?: boolean
  /** The change is being saved. */
  isBusy?: boolean
}

const trackClass =
  'group relative mt-0.5 h-6 w-11 shrink-0 rounded-full border border-outline bg-sunken transition-colors after:absolute after:-inset-x-2 after:-inset-y-2.5 data-checked:border-control data-checked:bg-control data-disabled:opacity-50 data-readonly:opacity-60'
const knobClass =
  'absolute inset-y-0.75 start-0.75 flex size-4 items-center justify-center rounded-full bg-outline transition-[inset-inline-start] group-data-checked:start-5.75 group-data-checked:bg-on-control'

const control = lazyModule(() => import('./popups/SwitchControl.tsx'))

/**
 * A switch with label and description; the base of {@link Switch} and {@link SettingSwitch}. It is drawn at once and can be
 * switched as soon as its control is loaded.
 */
export function SwitchRow(props: SwitchRowProps) {
  const { id, label, description, note, noteIds = [], checked, knob, status, onChange } = props
  const { disabled = false, isFixed = false, isBusy = false } = props
  const Module = useLazyModule(control, true)
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
      {Module === undefined ? (
        // The attributes that Base UI sets, because the style depends on them.
        <span
          data-checked={checked || undefined}
          data-disabled={disabled || undefined}
          data-readonly={isFixed || undefined}
          className={trackClass}
        >
          <span className={knobClass}>{knob}</span>
        </span>
      ) : (
        <Module.SwitchControl
          id={id}
          describedBy={describedBy === '' ? undefined : describedBy}
          checked={checked}
          disabled={disabled}
          isFixed={isFixed}
          isBusy={isBusy}
          onChange={onChange}
          knob={knob}
          status={status}
          className={trackClass}
          knobClass={knobClass}
        />
      )}
    </div>
  )
}
