import { Icon, type IconName } from '@sightline/kit'
import { type PointerEvent, useRef, useState } from 'react'
import { useNudge } from './HoldButton.tsx'
import { type MoveRepeater, still, type Velocity } from './move-repeater.ts'
import { stickSpeed } from './picture-point.ts'
import { type Text, useText } from './text.ts'

const KNOB_SPEED = 0.5
const sides: readonly { label: Text; icon: IconName; velocity: Velocity; className: string }[] = [
  {
    label: 'Turn up',
    icon: 'chevronUp',
    velocity: { ...still, tilt: KNOB_SPEED },
    className: 'inset-x-0 top-0 mx-auto',
  },
  {
    label: 'Turn down',
    icon: 'chevronDown',
    velocity: { ...still, tilt: -KNOB_SPEED },
    className: 'inset-x-0 bottom-0 mx-auto',
  },
  // The camera's left and right, in every language.
  {
    label: 'Turn left',
    icon: 'chevronLeft',
    velocity: { ...still, pan: -KNOB_SPEED },
    className: 'inset-y-0 left-0 my-auto',
  },
  {
    label: 'Turn right',
    icon: 'chevronRight',
    velocity: { ...still, pan: KNOB_SPEED },
    className: 'inset-y-0 right-0 my-auto',
  },
]

/** A stick that turns the camera: the further from the middle, the faster. Its four sides are buttons for keyboards. */
export function Joystick({ repeater }: { repeater: MoveRepeater }) {
  const t = useText()
  const nudge = useNudge(repeater)
  const pad = useRef<HTMLFieldSetElement>(null)
  const [knob, setKnob] = useState({ x: 0, y: 0 })
  const follow = (event: PointerEvent) => {
    const box = pad.current?.getBoundingClientRect()
    if (box === undefined) return
    const x = (event.clientX - box.left) / (box.width / 2) - 1
    const y = (event.clientY - box.top) / (box.height / 2) - 1
    const length = Math.max(1, Math.hypot(x, y))
    setKnob({ x: x / length, y: y / length })
    repeater.move({ ...still, ...stickSpeed(x, y) })
  }
  const release = () => {
    setKnob({ x: 0, y: 0 })
    repeater.stop()
  }
  return (
    <fieldset
      ref={pad}
      aria-label={t('Turn the camera')}
      data-joystick
      className="relative m-0 size-28 min-w-0 shrink-0 border-0 p-0 cursor-grab touch-none select-none rounded-full bg-white/15 active:cursor-grabbing"
      onPointerDown={(event) => {
        pad.current?.setPointerCapture(event.pointerId)
        follow(event)
      }}
      onPointerMove={(event) => pad.current?.hasPointerCapture(event.pointerId) === true && follow(event)}
      onPointerUp={release}
      onLostPointerCapture={release}
      onContextMenu={(event) => event.preventDefault()}
    >
      {sides.map(({ label, icon, velocity, className }) => (
        <button
          key={label}
          type="button"
          aria-label={t(label)}
          className={`absolute inline-flex size-7 items-center justify-center rounded-full text-white/80 focus-visible:outline-white ${className}`}
          onClick={(event) => event.detail === 0 && nudge(velocity)}
        >
          <Icon name={icon} size={18} />
        </button>
      ))}
      <span
        className="pointer-events-none absolute inset-0 m-auto size-10 rounded-full bg-white/85 shadow-popup"
        style={{ translate: `${knob.x * 36}px ${knob.y * 36}px` }}
      />
    </fieldset>
  )
}
