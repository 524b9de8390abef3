import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { type ReactNode, type Ref, type RefObject, useLayoutEffect } from 'react'

/**
 * Around every popup: without `<style>` elements, which the content security policy forbids (kit.css has what they would
 * say), and in the direction of the page.
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
 * `render` of a popup's Trigger: stands for the button that is on the page since before the popup's module was loaded. The
 * popup is placed beside that button and returns the focus to it.
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
 * Where the elements of a popup are: in the landmark of its button, so that it belongs to a part of the page for screen readers
 * too.
 */
export const findLandmark = (button: RefObject<HTMLElement | null>): HTMLElement | undefined =>
  button.current?.closest<HTMLElement>('[role=dialog], main, header') ?? undefined

/** The look of what opens over the page. */
export const popupClass =
  'max-h-(--available-height) max-w-(--available-width) animate-rise overflow-y-auto overscroll-contain rounded-md border border-border bg-raised text-sm text-text shadow-popup outline-none'

/** Where a popup stands: on the other side of its button, or aligned to its other end, if the window has no room. */
export const placement = {
  align: 'start',
  sideOffset: 6,
  collisionPadding: 8,
  collisionAvoidance: { side: 'flip', align: 'flip', fallbackAxisSide: 'none' },
  className: 'z-50 outline-none',
} as const

/** One row of a list. */
export const rowClass =
  'flex w-full items-center gap-3 rounded-sm px-3 py-2 text-start outline-none data-disabled:text-muted data-highlighted:bg-sunken pointer-coarse:py-3'
