import type { ReactNode } from 'react'
import { CheckList, type CheckListProps } from '../CheckList.tsx'
import { Icon } from '../Icon.tsx'
import { useKitText } from '../kit-text.tsx'
import { lazyModule } from '../lazy-module.ts'
import { Menu } from '../Menu.tsx'
import { usePopup } from '../use-popup.ts'

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

interface FilterPopupProps {
  label: string
  /** The button's text while the filter is active: `Users: 3`. */
  summary: string | undefined
  children: ReactNode
}

const popoverPopup = lazyModule(() => import('../popups/PopoverPopup.tsx'))

/** A button that opens a filter, such as a checklist or a date range. */
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
  /** The button's text for a number of checked options: `3 users`. */
  summary: (count: number) => string
}

/** A filter with many choices in a searchable checklist. With none checked, everything is shown. */
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
