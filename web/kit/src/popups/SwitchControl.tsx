import { Switch } from '@base-ui/react/switch'
import type { SwitchControlProps } from '../SwitchRow.tsx'

/** The switch of a `SwitchRow`, by Base UI. */
export function SwitchControl(props: SwitchControlProps) {
  const { id, describedBy, checked, disabled, isFixed, isBusy, onChange, knob, status, className, knobClass } = props
  return (
    <Switch.Root
      id={id}
      nativeButton
      render={<button type="button" />}
      checked={checked}
      disabled={disabled}
      readOnly={isFixed}
      onCheckedChange={onChange}
      aria-describedby={describedBy}
      aria-disabled={isFixed || undefined}
      aria-busy={isBusy || undefined}
      className={className}
    >
      <Switch.Thumb className={knobClass}>{knob}</Switch.Thumb>
      {status}
    </Switch.Root>
  )
}
