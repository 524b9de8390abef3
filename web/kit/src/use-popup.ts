import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { type LazyModule, useLazyModule } from './lazy-module.ts'

/** Props of every popup; it is mounted while it is open. */
export interface PopupProps {
  /** The button that opened it: the popup is positioned at it and returns the focus to it. */
  trigger: RefObject<HTMLButtonElement | null>
  /** The keyboard opened it, so the first entry is highlighted immediately. */
  isByKeyboard: boolean
  onClose: () => void
}

/** Keys that open a popup from its button, in addition to Enter and Space, which click it. */
const OPENING_KEYS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp'])

/** The state of a popup whose module loads on the first hover or focus of its button, and the button's props. */
export function usePopup<Module>(module: LazyModule<Module>) {
  const trigger = useRef<HTMLButtonElement>(null)
  const [openedBy, setOpenedBy] = useState<'pointer' | 'keyboard'>()
  const loaded = useLazyModule(module, openedBy !== undefined)
  const preload = () => void module.preload()
  const close = () => {
    setOpenedBy(undefined)
    // A click on an element that can't get the focus would leave it nowhere.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) trigger.current?.focus({ preventScroll: true })
    })
  }
  const open = (by: 'pointer' | 'keyboard') => {
    setOpenedBy(by)
    void module.preload().then((isLoaded) => {
      if (!isLoaded) close()
    })
  }
  const isOpen = openedBy !== undefined && loaded !== undefined
  return {
    isOpen,
    open,
    Module: isOpen ? loaded : undefined,
    popupProps: { trigger, isByKeyboard: openedBy === 'keyboard', onClose: close },
    triggerProps: {
      ref: trigger,
      'aria-expanded': isOpen,
      onPointerEnter: preload,
      onFocus: preload,
      // A click from the keyboard or assistive technology has a click count of 0.
      onClick: ({ detail }: { readonly detail: number }) =>
        openedBy === undefined ? open(detail === 0 ? 'keyboard' : 'pointer') : close(),
      onKeyDown: (event: KeyboardEvent) => {
        const isLoading = openedBy !== undefined && !isOpen
        if (event.key === 'Escape' && isLoading) {
          // Else it would open over what the user does next, and take the focus. Only this popup is meant.
          event.preventDefault()
          event.stopPropagation()
          close()
          return
        }
        if (!OPENING_KEYS.has(event.key)) return
        event.preventDefault()
        open('keyboard')
      },
    },
  }
}
