import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { type ReactNode, type Ref, type RefObject, useLayoutEffect } from 'react'

/**
 * Wraps every popup: prevents `<style>` elements, which the content security policy forbids (kit.css has their rules), and
 * sets the page's direction.
 */
export function PopupFrame({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
        {children}
      </DirectionProvider>
    </CSPProvider>
  )
}

/**
 * `render` of a popup's Trigger: represents the button, which existed before the popup's module loaded. The popup is
 * positioned at that button and returns the focus to it.
 */
export function LoadedEarlier({ button, ref }: { button: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref !== 'function') return undefined
    const cleanUp = ref(button.current)
    return () => {
      if (typeof cleanUp === 'function') cleanUp()
      else ref(null)
    }
  }, [button, ref])
  return null
}

/**
 * The container of a popup's elements: its button's landmark, so that the popup belongs to that part of the page for screen
 * readers too.
 */
export const findLandmark = (button: RefObject<HTMLElement | null>): HTMLElement | undefined =>
  button.current?.closest<HTMLElement>('[role=dialog], main, header') ?? undefined

/** The style of popups. */
export const popupClass =
  'max-h-(--available-height) max-w-(--available-width) animate-rise overflow-y-auto overscroll-contain rounded-md border border-border bg-raised text-sm text-text shadow-popup outline-none'

/** A popup's position; it flips to the other side of its button or aligns to its other end if there is no room. */
export const placement = {
  align: 'start',
  sideOffset: 6,
  collisionPadding: 8,
  collisionAvoidance: { side: 'flip', align: 'flip', fallbackAxisSide: 'none' },
  className: 'z-50 outline-none',
} as const

/** The style of one row of a list. */
export const rowClass =
  'flex w-full items-center gap-3 rounded-sm px-3 py-2 text-start outline-none data-disabled:text-muted data-highlighted:bg-sunken pointer-coarse:py-3'
