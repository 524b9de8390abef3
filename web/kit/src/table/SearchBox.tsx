import { inputClass } from '../Field.tsx'
import { Icon } from '../Icon.tsx'

interface SearchBoxProps {
  /** The accessible name and placeholder. */
  label: string
  text: string
  onChange: (text: string) => void
  className?: string
  /** The id of a line that says what can be searched. */
  describedBy?: string
}

/** A search box that filters the list below while the user types. */
export function SearchBox({ label, text, onChange, className = 'w-full sm:w-76', describedBy }: SearchBoxProps) {
  return (
    <label className={`relative block ${className}`}>
      <span className="sr-only">{label}</span>
      <span className="pointer-events-none absolute inset-y-0 start-3 flex items-center text-muted">
        <Icon name="search" size={18} />
      </span>
      <input
        type="search"
        value={text}
        aria-describedby={describedBy}
        placeholder={label}
        onChange={(event) => onChange(event.target.value)}
        className={`${inputClass} ps-10`}
      />
    </label>
  )
}
