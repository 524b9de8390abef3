import { useEffect, useEffectEvent } from 'react'
import { type MoveRepeater, still, type Velocity } from './move-repeater.ts'

const directions: Readonly<Record<string, Velocity>> = {
  ArrowLeft: { ...still, pan: -1 },
  ArrowRight: { ...still, pan: 1 },
  ArrowUp: { ...still, tilt: 1 },
  ArrowDown: { ...still, tilt: -1 },
  '+': { ...still, zoom: 1 },
  '=': { ...still, zoom: 1 },
  '-': { ...still, zoom: -1 },
}
const SPEED = 0.5

/** Controls that use these keys themselves. */
const OWN_KEYS =
  'input, textarea, select, [contenteditable], [role=slider], [role=dialog], [role=menu], [role=listbox], [role=combobox]'

const sum = (keys: ReadonlySet<string>, speed: number): Velocity => {
  const held = [...keys].map((key) => directions[key] ?? still)
  const part = (axis: keyof Velocity) => speed * Math.sign(held.reduce((total, one) => total + one[axis], 0))
  return { pan: part('pan'), tilt: part('tilt'), zoom: part('zoom') }
}

const isOfOthers = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey || (target instanceof Element && target.closest(OWN_KEYS) !== null)

/** Arrow keys turn the camera and + and - zoom, as long as they are held; faster with Shift. */
export function useMoveKeys(repeater: MoveRepeater): void {
  const onKey = useEffectEvent((event: KeyboardEvent, held: Set<string>) => {
    if (directions[event.key] === undefined) return
    if (event.type === 'keydown') {
      if (isOfOthers(event)) return
      // Before the shortcuts of the page.
      event.preventDefault()
      event.stopPropagation()
      if (event.repeat) return
      held.add(event.key)
    } else if (!held.delete(event.key)) return
    repeater.move(sum(held, event.shiftKey ? 1 : SPEED))
  })
  useEffect(() => {
    const held = new Set<string>()
    const listener = (event: KeyboardEvent) => onKey(event, held)
    // No key is let go of in a window that isn't in front.
    const leave = () => {
      held.clear()
      repeater.stop()
    }
    const options = { capture: true }
    window.addEventListener('keydown', listener, options)
    window.addEventListener('keyup', listener, options)
    window.addEventListener('blur', leave)
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', leave)
    return () => {
      window.removeEventListener('keydown', listener, options)
      window.removeEventListener('keyup', listener, options)
      window.removeEventListener('blur', leave)
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', leave)
      leave()
    }
  }, [repeater])
}
