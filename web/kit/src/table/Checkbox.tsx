import { useId } from 'react'
import { TickBox } from '../TickBox.tsx'

interface CheckboxProps {
  /** What a screen reader says, where no text stands beside. */
  label: string
  checked: boolean | 'some'
  onChange: (checked: boolean, withShift: boolean) => void
}

/** A box to tick with room for a thumb around. */
export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  const id = useId()
  return (
    <label htmlFor={id} className="inline-flex size-10 items-center justify-center pointer-coarse:size-11">
      <TickBox id={id} label={label} checked={checked} onChange={onChange} />
    </label>
  )
}
