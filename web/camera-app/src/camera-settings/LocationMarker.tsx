import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Spot } from '../world-map/index.ts'
import type { Size } from '../zones/index.ts'
import { useText } from './text.ts'

/** How far an arrow key moves the marker, in pixels, and with Shift. */
const STEP = { near: 5, far: 50 } as const
const directions: Readonly<Record<string, Spot>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
}

/** Whether a spot is on the part of the map that is shown. */
export const isInView = ({ x, y }: Spot, { width, height }: Size): boolean =>
  x >= 0 && y >= 0 && x <= width && y <= height

function Dot() {
  return (
    <span className="block size-5 rounded-full border-[3px] border-surface bg-control shadow-popup outline-2 outline-control" />
  )
}

interface LocationMarkerProps {
  spot: Spot
  size: Size
  /** What describes how it moves. */
  hintId: string
  /** Without it the marker stays where it is. */
  onMove: ((to: Spot) => void) | undefined
}

/** Where the camera is: dragged by mouse or finger, and moved by the arrow keys. */
export function LocationMarker({ spot, size, hintId, onMove }: LocationMarkerProps) {
  const t = useText()
  const grip = useRef<Spot>(undefined)
  if (!isInView(spot, size)) return null
  const place = { transform: `translate(${spot.x}px, ${spot.y}px)` }
  if (onMove === undefined) {
    return (
      <span aria-hidden="true" className="pointer-events-none absolute -start-2.5 -top-2.5" style={place}>
        <Dot />
      </span>
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directions[event.key]
    if (direction === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    const step = event.shiftKey ? STEP.far : STEP.near
    onMove({ x: spot.x + direction.x * step, y: spot.y + direction.y * step })
  }
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { x: event.clientX - spot.x, y: event.clientY - spot.y }
  }
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    if (grip.current === undefined) return
    const to = { x: clientX - grip.current.x, y: clientY - grip.current.y }
    if (isInView(to, size)) onMove(to)
  }
  const letGo = () => {
    grip.current = undefined
  }
  return (
    <button
      type="button"
      aria-label={t('Location of this camera')}
      aria-describedby={hintId}
      className="absolute -start-5.5 -top-5.5 flex size-11 cursor-move touch-none items-center justify-center rounded-full"
      style={place}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={letGo}
      onPointerCancel={letGo}
    >
      <Dot />
    </button>
  )
}
