/** A press that moves less than this is a click. */
const CLICK_PX = 5
/** How far from a mark a press still takes it. Fingers are less exact. */
const MARK_REACH_PX = 6
const FINGER_REACH_PX = 16
/** If a mark is held this close to an edge, the timeline moves. */
const EDGE_PX = 28
const EDGE_SPEED = 0.6
/** A finger that rested so long before it was lifted flings nothing. */
const REST_MS = 80

export interface PointerActions {
  /** All in CSS pixels from the start and the top of the timeline. */
  readonly onClick: (x: number, y: number) => void
  readonly onHover: (x: number | undefined, y: number) => void
  readonly onPan: (byPx: number) => void
  /** The speed of the pointer when it was lifted, in CSS pixels per millisecond to the right. */
  readonly onFling: (speed: number) => void
  /** Below 1 shows less time; `x` stays at its position. */
  readonly onZoom: (factor: number, x: number) => void
  /** The mark within `reach` of that place, which is dragged then; undefined: nothing. */
  readonly markAt: (x: number, reach: number) => 'from' | 'till' | undefined
  readonly onMark: (mark: 'from' | 'till', x: number) => void
}

interface Press {
  readonly startX: number
  readonly y: number
  readonly mark: 'from' | 'till' | undefined
  lastX: number
  lastAt: number
  speed: number
  moved: boolean
}

/** Pixels per frame that the timeline moves while something is held at an edge. */
function edgePan(x: number, width: number): number {
  if (x > width - EDGE_PX) return (x - (width - EDGE_PX)) * EDGE_SPEED
  if (x < EDGE_PX) return (x - EDGE_PX) * EDGE_SPEED
  return 0
}

/** Mouse, pen and touch on a timeline: click, drag with momentum, pinch, wheel, and marks that are dragged. */
export class TimelinePointer {
  readonly #element: HTMLElement
  readonly #actions: PointerActions
  readonly #presses = new Map<number, Press>()
  #frame = 0
  readonly #leaving = new AbortController()

  constructor(element: HTMLElement, actions: PointerActions) {
    this.#element = element
    this.#actions = actions
    const { signal } = this.#leaving
    const on = <K extends keyof HTMLElementEventMap>(name: K, act: (event: HTMLElementEventMap[K]) => void) =>
      element.addEventListener(name, act, { signal, passive: name !== 'wheel' })
    on('wheel', (event) => this.#wheel(event))
    on('pointerdown', (event) => this.#down(event))
    on('pointermove', (event) => this.#move(event))
    on('pointerup', (event) => this.#up(event))
    on('pointercancel', (event) => {
      this.#presses.delete(event.pointerId)
      actions.onHover(undefined, 0)
    })
    on('pointerleave', () => {
      if (this.#presses.size === 0) actions.onHover(undefined, 0)
    })
  }

  close(): void {
    this.#leaving.abort()
    cancelAnimationFrame(this.#frame)
  }

  #x(event: { clientX: number }): number {
    return event.clientX - this.#element.getBoundingClientRect().left
  }

  #y(event: { clientY: number }): number {
    return event.clientY - this.#element.getBoundingClientRect().top
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault()
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey)
      this.#actions.onPan(event.deltaX || event.deltaY)
    else this.#actions.onZoom(Math.exp(event.deltaY * 0.002), this.#x(event))
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return
    this.#element.setPointerCapture(event.pointerId)
    const x = this.#x(event)
    const reach = event.pointerType === 'touch' ? FINGER_REACH_PX : MARK_REACH_PX
    this.#presses.set(event.pointerId, {
      startX: x,
      y: this.#y(event),
      mark: this.#presses.size === 0 ? this.#actions.markAt(x, reach) : undefined,
      lastX: x,
      lastAt: event.timeStamp,
      speed: 0,
      moved: this.#presses.size > 0,
    })
    // Whatever was moving is held.
    this.#actions.onPan(0)
  }

  #move(event: PointerEvent): void {
    const x = this.#x(event)
    this.#actions.onHover(x, this.#y(event))
    const press = this.#presses.get(event.pointerId)
    if (press === undefined) return
    press.moved ||= Math.abs(x - press.startX) > CLICK_PX
    if (!press.moved) return
    if (press.mark !== undefined) this.#drag(press, press.mark, x)
    else if (this.#presses.size > 1) this.#pinch(press, x)
    else this.#pan(press, x, event.timeStamp)
  }

  #drag(press: Press, mark: 'from' | 'till', x: number): void {
    press.lastX = x
    this.#actions.onMark(mark, x)
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#holdAtEdge(press, mark))
  }

  #holdAtEdge(press: Press, mark: 'from' | 'till'): void {
    if (![...this.#presses.values()].includes(press)) return
    const by = edgePan(press.lastX, this.#element.clientWidth)
    if (by === 0) return
    this.#actions.onPan(by)
    this.#actions.onMark(mark, press.lastX)
    this.#frame = requestAnimationFrame(() => this.#holdAtEdge(press, mark))
  }

  #pinch(press: Press, x: number): void {
    const [one, two] = this.#presses.values()
    if (one === undefined || two === undefined) return
    const before = Math.abs(one.lastX - two.lastX)
    press.lastX = x
    const after = Math.abs(one.lastX - two.lastX)
    if (before > 0 && after > 0) this.#actions.onZoom(before / after, (one.lastX + two.lastX) / 2)
  }

  #pan(press: Press, x: number, at: number): void {
    const elapsed = Math.max(1, at - press.lastAt)
    // Mice report unevenly, so the last few movements count.
    press.speed = press.speed * 0.6 + ((x - press.lastX) / elapsed) * 0.4
    this.#actions.onPan(press.lastX - x)
    press.lastX = x
    press.lastAt = at
  }

  #up(event: PointerEvent): void {
    const press = this.#presses.get(event.pointerId)
    this.#presses.delete(event.pointerId)
    if (event.pointerType !== 'mouse') this.#actions.onHover(undefined, 0)
    if (press === undefined) return
    if (!press.moved) this.#actions.onClick(press.startX, press.y)
    else if (press.mark === undefined && this.#presses.size === 0 && event.timeStamp - press.lastAt < REST_MS)
      this.#actions.onFling(press.speed)
  }
}
