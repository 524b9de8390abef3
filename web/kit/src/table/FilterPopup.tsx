import type { ReactNode } from 'react'
import { Icon } from '../Icon.tsx'
import { lazyModule } from '../lazy-module.ts'
import { usePopup } from '../use-popup.ts'
import { filterButton } from './FilterMenu.tsx'

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
