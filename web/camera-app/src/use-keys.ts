import { useEffect, useEffectEvent } from 'react'

export type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => void>>

const typesText = (target: Element): boolean => target.closest('input, textarea, select, [contenteditable]') !== null

/** Controls that use these keys themselves. */
const ownKeys = (target: Element, key: string): boolean =>
  ((key === ' ' || key === 'enter') && target.closest('button, a, summary') !== null) ||
  target.closest('[role=dialog], [role=menu], [role=listbox]') !== null

/** Keyboard shortcuts of the whole screen, by `event.key` in lower case; inactive while the user types. */
export function useKeys(actions: KeyActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : document.body
    const key = event.key.toLowerCase()
    const action = actions[key]
    if (action === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (typesText(target) || ownKeys(target, key)) return
    event.preventDefault()
    action(event)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
