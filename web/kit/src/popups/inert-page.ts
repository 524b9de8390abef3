import { type RefObject, useLayoutEffect } from 'react'

/** The number of open dialogs that make an element inert. */
const inertBy = new WeakMap<Element, number>()

/** All elements in `parent` that neither are nor contain one of `kept`. */
function outside(parent: Element, kept: readonly Element[]): readonly Element[] {
  return [...parent.children].flatMap((child) => {
    if (kept.includes(child)) return []
    return kept.some((one) => child.contains(one)) ? outside(child, kept) : [child]
  })
}

function count(element: Element, change: 1 | -1): void {
  const dialogs = (inertBy.get(element) ?? 0) + change
  inertBy.set(element, dialogs)
  element.toggleAttribute('inert', dialogs > 0)
}

/**
 * Makes the page behind a modal dialog inert while it is open. Base UI hides the page from screen readers but leaves it
 * focusable, and a hidden element with the focus is silent. Messages (`data-over-dialogs`) and what calendars announce stay
 * usable.
 */
export function useInertPage(portal: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (portal.current === null) return undefined
    const kept = [portal.current, ...document.querySelectorAll('[data-over-dialogs], [data-live-announcer]')]
    const elements = outside(document.body, kept)
    for (const element of elements) count(element, 1)
    return () => {
      for (const element of elements) count(element, -1)
    }
  }, [portal])
}
