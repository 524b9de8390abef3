import type { ReactNode } from 'react'
import type { IconName } from './Icon.tsx'
import { lazyModule } from './lazy-module.ts'
import { usePopup } from './use-popup.ts'

export type MenuItem =
  | {
      readonly kind?: 'item'
      readonly label: string
      /** What it does, in smaller text below the label. */
      readonly detail?: string
      readonly icon?: IconName
      /** The page to open; if undefined, `onSelect` is called. */
      readonly href?: string
      /** Called for a plain click instead of opening `href`. */
      readonly onFollow?: (() => void) | undefined
      readonly onSelect?: () => void
      /** The current one of several choices; gets a check mark. */
      readonly current?: boolean
      readonly danger?: boolean
      readonly disabled?: boolean
    }
  | { readonly kind: 'line' }
  | { readonly kind: 'heading'; readonly label: string; readonly detail?: string }

interface MenuProps {
  /** The accessible name, appended to the text of `trigger`. */
  label: string
  /** The button's content. */
  trigger: ReactNode
  triggerClass?: string
  items: readonly MenuItem[]
  /** The end of the button to which the list is aligned, if the window has room for it. */
  align?: 'start' | 'end'
}

const menuPopup = lazyModule(() => import('./popups/MenuPopup.tsx'))

/** A button with a list of actions or pages (WAI-ARIA menu button). The list loads on the first hover or focus. */
export function Menu({ label, trigger, triggerClass = '', items, align = 'start' }: MenuProps) {
  const { Module, popupProps, triggerProps } = usePopup(menuPopup)
  return (
    <>
      <button {...triggerProps} type="button" aria-haspopup="menu" title={label} className={triggerClass}>
        {trigger}
        <span className="sr-only">{label}</span>
      </button>
      {Module === undefined ? null : <Module.MenuPopup {...popupProps} label={label} items={items} align={align} />}
    </>
  )
}
