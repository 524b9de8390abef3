/** CSS pixels between the button and what it opens, and to the edge of the window. */
const GAP = 6
const EDGE = 8

/**
 * Puts a popover under its button, aligned to the side of the window that the button is nearer to; above where there is
 * more room. `width` is the popover's as CSS, where one is set: it is then kept inside the window.
 */
export function placeUnder(button: HTMLElement | null, popup: HTMLElement, width = '0px'): void {
  const at = button?.getBoundingClientRect()
  if (at === undefined) return
  const { clientWidth, clientHeight } = document.documentElement
  const nearRight = (at.left + at.right) / 2 > clientWidth / 2
  const inside = (px: number) => `max(${EDGE}px, min(${px}px, 100vw - ${width} - ${EDGE}px))`
  popup.style.left = nearRight ? 'auto' : inside(at.left)
  popup.style.right = nearRight ? inside(clientWidth - at.right) : 'auto'
  const below = clientHeight - at.bottom
  const upwards = below < clientHeight / 3 && at.top > below
  popup.style.top = upwards ? 'auto' : `${at.bottom + GAP}px`
  popup.style.bottom = upwards ? `${clientHeight - at.top + GAP}px` : 'auto'
  popup.style.maxHeight = `${(upwards ? at.top : below) - GAP - EDGE}px`
}
