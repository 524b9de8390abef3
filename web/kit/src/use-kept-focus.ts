import { type RefObject, useEffect } from 'react'

const FOCUSABLE = 'a[href], button:enabled, input:enabled, [tabindex="0"]'

/** The focused element and the elements around it, each with its position among its siblings. */
interface FocusPath {
  readonly address: string
  readonly element: HTMLElement
  readonly around: readonly { readonly parent: Element; readonly index: number }[]
}

function pathTo(element: HTMLElement, root: Element): FocusPath {
  const around: FocusPath['around'][number][] = []
  for (let one: Element = element; one !== root && one.parentElement !== null; one = one.parentElement)
    around.push({ parent: one.parentElement, index: [...one.parentElement.children].indexOf(one) })
  return { address: window.location.pathname, element, around }
}

/** The control at the position of the lost one: in a deleted row, the same one of the next row. None on another screen. */
function successor({ address, element, around }: FocusPath): HTMLElement | undefined {
  if (address !== window.location.pathname) return undefined
  const place = around.find(({ parent }) => parent.isConnected)
  const next = place?.parent.children[Math.min(place.index, place.parent.childElementCount - 1)]
  const found = next === undefined ? [] : [next, ...next.querySelectorAll(FOCUSABLE)]
  const usable = found.filter(
    (one): one is HTMLElement => one instanceof HTMLElement && one.matches(FOCUSABLE) && one.checkVisibility(),
  )
  const kind = (one: HTMLElement) => `${one.tagName} ${one.getAttribute('role')} ${one.getAttribute('aria-haspopup')}`
  return usable.find((one) => kind(one) === kind(element)) ?? usable[0]
}

/**
 * Moves the focus if its element disappears: in a deleted row, a button that a form replaces, the opener of a closed dialog.
 * Browsers move it to the document, where a screen reader starts at the top.
 */
export function useKeptFocus(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    // Only in the content, not in popups.
    let place: FocusPath | undefined
    let isLost = false
    const isPopup = (one: Element) => one.closest('[data-base-ui-portal]') !== null
    const keep = ({ target }: FocusEvent) => {
      isLost = false
      if (!(target instanceof HTMLElement) || content.current === null || isPopup(target)) return
      place = content.current.contains(target) ? pathTo(target, content.current) : undefined
    }
    const restore = () => {
      if (!isLost || place === undefined || content.current === null) return
      if (document.activeElement !== null && document.activeElement !== document.body) return
      isLost = false
      const target = place.element.isConnected ? place.element : successor(place)
      ;(target ?? content.current).focus({ preventScroll: target === undefined })
    }
    const observer = new MutationObserver((changes) => {
      if (document.activeElement !== document.body) return
      const hadFocus = (node: Node) =>
        node instanceof Element && (node.contains(place?.element ?? null) || node.matches('[data-base-ui-portal]'))
      if (!changes.some((one) => [...one.removedNodes].some(hadFocus))) return
      isLost = true
      // A popup first returns the focus to its opener, and a new screen takes it.
      requestAnimationFrame(() => requestAnimationFrame(restore))
    })
    document.addEventListener('focusin', keep)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', keep)
      observer.disconnect()
    }
  }, [content])
}
