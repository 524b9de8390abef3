import { useId } from 'react'
import { TickBox } from '../TickBox.tsx'

interface CheckboxProps {
  /** The accessible name. */
  label: string
  checked: boolean | 'some'
  onChange: (checked: boolean, withShift: boolean) => void
}

/** A checkbox with a large touch target. */
export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  const id = useId()
  return (
    <label htmlFor={id} className="inline-flex size-10 items-center justify-center pointer-coarse:size-11">
      <TickBox id={id} label={label} checked={checked} onChange={onChange} />
    </label>
  )
}
