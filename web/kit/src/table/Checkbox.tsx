import { useEffect, useRef } from 'react'

interface CheckboxProps {
  /** What a screen reader says, where no text stands beside. */
  label: string
  checked: boolean | 'some'
  onChange: (checked: boolean, withShift: boolean) => void
}

/** A box to tick with room for a thumb around. */
export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current !== null) ref.current.indeterminate = checked === 'some'
  }, [checked])
  return (
    <label className="inline-flex size-10 items-center justify-center pointer-coarse:size-11">
      <input
        ref={ref}
        type="checkbox"
        aria-label={label}
        checked={checked === true}
        onChange={(event) => onChange(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey === true)}
        className="size-4.5 accent-control"
      />
    </label>
  )
}
