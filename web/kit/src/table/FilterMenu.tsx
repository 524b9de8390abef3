import { Icon } from '../Icon.tsx'
import { useKitText } from '../kit-text.tsx'
import { Menu } from '../Menu.tsx'

/** The style of a filter button; an active filter is highlighted. */
export const filterButton = (active: boolean): string =>
  `control inline-flex max-w-full items-center gap-1.5 border px-3 whitespace-nowrap transition-colors ${active ? 'border-control bg-tint text-link' : 'border-outline bg-surface hover:bg-sunken'}`

interface FilterMenuProps<Value extends string> {
  /** The filter's name: `Status`. */
  label: string
  choices: readonly { readonly value: Value; readonly label: string }[]
  /** Undefined: no filter. */
  value: Value | undefined
  onChange: (value: Value | undefined) => void
}

/** A filter with a few choices, one at a time. */
export function FilterMenu<Value extends string>({ label, choices, value, onChange }: FilterMenuProps<Value>) {
  const text = useKitText()
  const now = choices.find((choice) => choice.value === value)
  return (
    <Menu
      label={label}
      trigger={
        <>
          <span className="truncate">{now === undefined ? label : now.label}</span>
          <Icon name="chevronDown" size={16} />
        </>
      }
      triggerClass={filterButton(now !== undefined)}
      items={[
        { label: text('All'), current: now === undefined, onSelect: () => onChange(undefined) },
        ...choices.map((choice) => ({
          label: choice.label,
          current: choice.value === value,
          onSelect: () => onChange(choice.value),
        })),
      ]}
    />
  )
}
