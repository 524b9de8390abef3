import { Icon } from './Icon.tsx'

interface ChipProps {
  label: string
  /** The label of the cross: `Remove the zone Yard`. */
  remove: string
  onRemove: () => void
}

/** One of several selected items, with a cross that removes it. */
export function Chip({ label, remove, onRemove }: ChipProps) {
  return (
    <span className="inline-flex max-w-full items-center rounded-full bg-sunken ps-3 outline outline-transparent">
      <span className="truncate">{label}</span>
      <button
        type="button"
        aria-label={remove}
        title={remove}
        onClick={onRemove}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-full text-muted hover:text-text pointer-coarse:size-11"
      >
        <Icon name="close" size={14} />
      </button>
    </span>
  )
}
