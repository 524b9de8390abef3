import type { ReactNode } from 'react'
import { CheckList, type CheckListProps } from '../CheckList.tsx'
import { Icon } from '../Icon.tsx'
import { useKitText } from '../kit-text.tsx'
import { lazyModule } from '../lazy-module.ts'
import { Menu } from '../Menu.tsx'
import { usePopup } from '../use-popup.ts'

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

const popoverPopup = lazyModule(() => import('../popups/PopoverPopup.tsx'))

/** A button that opens what filters: a list to tick, a range of days. */
export function FilterPopup({ label, summary, children }: FilterPopupProps) {
  const { Module, popupProps, triggerProps } = usePopup(popoverPopup)
  return (
    <>
      <button {...triggerProps} type="button" aria-haspopup="dialog" className={filterButton(summary !== undefined)}>
        <span className="truncate">{summary ?? label}</span>
        <Icon name="chevronDown" size={16} />
      </button>
      {Module === undefined ? null : (
        <Module.PopoverPopup {...popupProps} label={label} className="w-88 p-3">
          {children}
        </Module.PopoverPopup>
      )}
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
