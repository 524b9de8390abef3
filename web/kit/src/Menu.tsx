import type { ReactNode } from 'react'
import type { IconName } from './Icon.tsx'
import { lazyModule } from './lazy-module.ts'
import { usePopup } from './use-popup.ts'

export type MenuItem =
  | {
      readonly kind?: 'item'
      readonly label: string
      readonly icon?: IconName
      /** A page to go to; without it `onSelect` acts. */
      readonly href?: string
      readonly onSelect?: () => void
      /** The one of several that holds now; gets a tick. */
      readonly current?: boolean
      readonly danger?: boolean
      readonly disabled?: boolean
    }
  | { readonly kind: 'line' }
  | { readonly kind: 'heading'; readonly label: string; readonly detail?: string }

interface MenuProps {
  /** What the button opens: its name, after whatever `trigger` writes. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  triggerClass?: string
  items: readonly MenuItem[]
}

const menuPopup = lazyModule(() => import('./popups/MenuPopup.tsx'))

/** A button with a list of actions or pages (WAI-ARIA menu button). The list comes with the first hover or focus. */
export function Menu({ label, trigger, triggerClass = '', items }: MenuProps) {
  const { Module, popupProps, triggerProps } = usePopup(menuPopup)
  return (
    <>
      <button {...triggerProps} type="button" aria-haspopup="menu" title={label} className={triggerClass}>
        {trigger}
        <span className="sr-only">{label}</span>
      </button>
      {Module === undefined ? null : <Module.MenuPopup {...popupProps} label={label} items={items} />}
    </>
  )
}
