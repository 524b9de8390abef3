import { Icon, type IconName } from '@sightline/kit'
import { useEffect, useRef } from 'react'
import { type MoveRepeater, still, type Velocity } from './move-repeater.ts'

/** How long a press by keyboard or screen reader moves the camera. */
const NUDGE_MS = 400

export const panelButton =
  'inline-flex size-9 shrink-0 items-center justify-center rounded-md text-white hover:bg-white/20 focus-visible:outline-white aria-pressed:bg-white aria-pressed:text-black pointer-coarse:size-11'

/** Moves the camera a little: for those who can't hold a control. */
export function useNudge(repeater: MoveRepeater): (velocity: Velocity) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (velocity) => {
    clearTimeout(timer.current)
    repeater.move(velocity)
    timer.current = setTimeout(() => repeater.stop(), NUDGE_MS)
  }
}

interface HoldButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly velocity: Partial<Velocity>
  readonly repeater: MoveRepeater
}

/** Moves the camera while it is held. */
export function HoldButton({ icon, label, velocity, repeater }: HoldButtonProps) {
  const nudge = useNudge(repeater)
  const whole = { ...still, ...velocity }
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      className={`${panelButton} touch-none select-none`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        repeater.move(whole)
      }}
      onPointerUp={() => repeater.stop()}
      onLostPointerCapture={() => repeater.stop()}
      onContextMenu={(event) => event.preventDefault()}
      // A click without a pointer is one of the keyboard or a screen reader.
      onClick={(event) => event.detail === 0 && nudge(whole)}
    >
      <Icon name={icon} />
    </button>
  )
}
