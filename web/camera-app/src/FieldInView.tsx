import { type ReactNode, useEffect, useRef } from 'react'

/** What can hold the focus in a form. */
const FOCUSABLE = 'input, button, [role="combobox"]'

/** Fields that a link leads to, by the part of its address after `#`: they come into view, and the first one gets the focus. */
export function FieldInView({ name, children }: { name: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (window.location.hash !== `#${name}`) return
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.querySelector<HTMLElement>(FOCUSABLE)?.focus({ preventScroll: true })
  }, [name])
  return <div ref={place}>{children}</div>
}
