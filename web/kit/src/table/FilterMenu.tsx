import { type ReactNode, useId, useRef, useState } from 'react'
import { CheckList, type CheckListProps } from '../CheckList.tsx'
import { Icon } from '../Icon.tsx'
import { useKitText } from '../kit-text.tsx'
import { Menu } from '../Menu.tsx'
import { placeUnder } from '../popup-place.ts'

/** The look of a button that opens a filter; a filter that leaves something out stands out. */
export const filterButton = (active: boolean): string =>
  `control inline-flex max-w-full items-center gap-1.5 border px-3 whitespace-nowrap transition-colors ${active ? 'border-control bg-tint text-link' : 'border-outline bg-surface hover:bg-sunken'}`

interface FilterMenuProps<Value extends string> {
  /** What is filtered: `Status`. */
  label: string
  choices: readonly { readonly value: Value; readonly label: string }[]
  /** Undefined: everything is shown. */
  value: Value | undefined
  onChange: (value: Value | undefined) => void
}

/** Shows only the rows of one kind, out of a few. */
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

interface FilterPopupProps {
  label: string
  /** What the button says while the filter leaves something out: `Users: 3`. */
  summary: string | undefined
  children: ReactNode
}

const POPUP_WIDTH = 'min(22rem, 100vw - 1rem)'

/** A button that opens what filters: a list to tick, a range of days. */
export function FilterPopup({ label, summary, children }: FilterPopupProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={open}
        className={filterButton(summary !== undefined)}
      >
        <span className="truncate">{summary ?? label}</span>
        <Icon name="chevronDown" size={16} />
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onBeforeToggle={(event) => {
          if (event.newState === 'open') placeUnder(button.current, event.currentTarget, POPUP_WIDTH)
        }}
        onToggle={(event) => {
          const opens = event.newState === 'open'
          setOpen(opens)
          if (!opens) return
          const popup = event.currentTarget
          // What it holds is drawn with the next frame.
          requestAnimationFrame(() => popup.querySelector<HTMLElement>('input, button')?.focus())
        }}
        style={{ width: POPUP_WIDTH }}
        className="fixed inset-auto m-0 max-h-[70dvh] overflow-y-auto rounded-md border border-border bg-raised p-3 text-sm text-text shadow-popup open:animate-rise"
      >
        {open ? children : null}
      </div>
    </>
  )
}

interface FilterListProps extends Omit<CheckListProps, 'hideLabel'> {
  /** What the button says for so many ticked: `3 users`. */
  summary: (count: number) => string
}

/** Shows only the rows of some of many: ticked in a list that can be searched. Nothing ticked shows everything. */
export function FilterList({ summary, ...list }: FilterListProps) {
  const [only] = list.chosen
  const one = list.chosen.size === 1 ? list.options.find((option) => option.value === only)?.label : undefined
  const said = list.chosen.size === 0 ? undefined : (one ?? summary(list.chosen.size))
  return (
    <FilterPopup label={list.label} summary={said}>
      <CheckList {...list} hideLabel />
    </FilterPopup>
  )
}
