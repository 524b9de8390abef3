import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** A press that moves less than this is a click. */
const CLICK_PX = 5
/** If the pointer is held this close to an edge during a drag, the timeline scrolls automatically. */
const EDGE_PX = 28
const EDGE_SPEED = 0.6

export interface DragActions {
  /** All in CSS pixels from the start of the timeline. */
  readonly onClick: (x: number) => void
  readonly onHover: (x: number | undefined) => void
  readonly onPan: (byPx: number) => void
  /** Below 1 shows less time; `x` stays at its position. */
  readonly onZoom: (factor: number, x: number) => void
}

interface Press {
  readonly startX: number
  lastX: number
  moved: boolean
}

const offsetX = (event: { clientX: number }, element: Element) => event.clientX - element.getBoundingClientRect().left

/** Pixels per frame that the timeline scrolls while the pointer is held at an edge. */
export function edgePan(x: number, width: number): number {
  if (x > width - EDGE_PX) return (x - (width - EDGE_PX)) * EDGE_SPEED
  if (x < EDGE_PX) return (x - EDGE_PX) * EDGE_SPEED
  return 0
}

/** Mouse, pen and touch on a timeline: click, drag, pinch, wheel. */
export function useDrag(ref: RefObject<HTMLElement | null>, actions: DragActions) {
  const presses = useRef(new Map<number, Press>())
  const frame = useRef(0)
  const onWheel = useEffectEvent((event: WheelEvent, element: Element) => {
    event.preventDefault()
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) actions.onPan(event.deltaX || event.deltaY)
    else actions.onZoom(Math.exp(event.deltaY * 0.002), offsetX(event, element))
  })
  const autoPan = useEffectEvent((element: Element) => {
    const [press, other] = presses.current.values()
    if (press === undefined) return
    if (press.moved && other === undefined) {
      const by = edgePan(press.lastX, element.clientWidth)
      if (by !== 0) actions.onPan(-by)
    }
    frame.current = requestAnimationFrame(() => autoPan(element))
  })
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    // React adds passive listeners, which can't keep the page from scrolling.
    const listener = (event: WheelEvent) => onWheel(event, element)
    element.addEventListener('wheel', listener, { passive: false })
    return () => {
      element.removeEventListener('wheel', listener)
      cancelAnimationFrame(frame.current)
    }
  }, [ref])

  const move = (press: Press, x: number) => {
    const [one, two] = presses.current.values()
    if (one !== undefined && two !== undefined) {
      const before = Math.abs(one.lastX - two.lastX)
      press.lastX = x
      const after = Math.abs(one.lastX - two.lastX)
      if (before > 0 && after > 0) actions.onZoom(before / after, (one.lastX + two.lastX) / 2)
      return
    }
    actions.onPan(press.lastX - x)
    press.lastX = x
  }
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const x = offsetX(event, event.currentTarget)
      presses.current.set(event.pointerId, { startX: x, lastX: x, moved: presses.current.size > 0 })
      const element = event.currentTarget
      cancelAnimationFrame(frame.current)
      frame.current = requestAnimationFrame(() => autoPan(element))
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const x = offsetX(event, event.currentTarget)
      actions.onHover(x)
      const press = presses.current.get(event.pointerId)
      if (press === undefined) return
      press.moved ||= Math.abs(x - press.startX) > CLICK_PX
      if (press.moved) move(press, x)
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const press = presses.current.get(event.pointerId)
      presses.current.delete(event.pointerId)
      if (press !== undefined && !press.moved) actions.onClick(press.startX)
      if (event.pointerType !== 'mouse') actions.onHover(undefined)
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      presses.current.delete(event.pointerId)
      actions.onHover(undefined)
    },
    onPointerLeave() {
      if (presses.current.size === 0) actions.onHover(undefined)
    },
  }
}
