import { type PointerEvent, type ReactNode, useRef } from 'react'
import { nearest, type Spot } from '../world-map/index.ts'
import type { Size } from '../zones/index.ts'

/** How far from a position the mouse still points at it, and a finger. */
const REACH = { mouse: 24, touch: 48 } as const
/** A press that moves farther moves the map. */
const CLICK_WITHIN = 5
/** The middle of the name of a time keeps this distance from the edges; at the end of the line are the buttons. */
const LABEL_EDGE = { start: 88, end: 148 } as const
/** A position that is higher has its name below. */
const LABEL_HEIGHT = 64

const isInside = ({ x, y }: Spot, { width, height }: Size): boolean => x >= 0 && y >= 0 && x <= width && y <= height

/** A ring around a position, and its time. */
export function Pointer({ spot, size, text }: { spot: Spot; size: Size; text: string }) {
  if (!isInside(spot, size)) return null
  const x = Math.max(LABEL_EDGE.start, Math.min(spot.x, size.width - LABEL_EDGE.end))
  const isLow = spot.y > LABEL_HEIGHT
  return (
    <div aria-hidden="true" data-pointer className="pointer-events-none absolute inset-0 overflow-hidden">
      <div
        className="absolute -start-3 -top-3 size-6 rounded-full border-2 border-text"
        style={{ transform: `translate(${spot.x}px, ${spot.y}px)` }}
      />
      <div
        className="absolute start-0 top-0"
        style={{ transform: `translate(${x}px, ${spot.y + (isLow ? -20 : 20)}px)` }}
      >
        <span
          className={`absolute rounded-sm border border-border bg-raised px-2 py-0.5 text-xs whitespace-nowrap text-text tabular-nums shadow-popup -translate-x-1/2 ${isLow ? 'bottom-0' : 'top-0'}`}
        >
          {text}
        </span>
      </div>
    </div>
  )
}

interface SurfaceProps {
  label: string
  size: Size
  /** Where the positions are on the screen now. */
  spots: () => readonly Spot[]
  onPoint: (index: number) => void
  children: ReactNode
}

/** What mouse and fingers point at. Screen readers get its name, the slider and the table. */
export function Surface({ label, size, spots, onPoint, children }: SurfaceProps) {
  const point = ({ currentTarget, clientX, clientY }: PointerEvent, reach: number) => {
    const box = currentTarget.getBoundingClientRect()
    const index = nearest(spots(), { x: clientX - box.left, y: clientY - box.top }, reach)
    if (index !== undefined) onPoint(index)
  }
  const pressed = useRef<Spot>({ x: 0, y: 0 })
  return (
    <div
      role="img"
      aria-label={label}
      className="relative overflow-hidden rounded-lg border border-border bg-sunken"
      style={{ height: size.height }}
      onPointerMove={(event) => {
        if (event.pointerType === 'mouse' && event.buttons === 0) point(event, REACH.mouse)
      }}
      onPointerDown={({ clientX, clientY }) => {
        pressed.current = { x: clientX, y: clientY }
      }}
      onPointerUp={(event) => {
        const { x, y } = pressed.current
        const isClick = Math.hypot(event.clientX - x, event.clientY - y) < CLICK_WITHIN
        if (isClick) point(event, REACH[event.pointerType === 'mouse' ? 'mouse' : 'touch'])
      }}
    >
      {children}
    </div>
  )
}
