import type { DetectionArea } from '@sightline/contract/detectors'
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import {
  type AreaEditing,
  type AreaKind,
  findMiddles,
  getArrow,
  withAddedPoint,
  withMovedPoint,
  withoutPoint,
} from './area-shapes.ts'
import { useText } from './text.ts'

interface AreaCanvasProps {
  editing: AreaEditing
  selected: number | undefined
  nameOf: (area: DetectionArea) => string
  readOnly: boolean
  onSelect: (areaId: number) => void
  onChange: (editing: AreaEditing) => void
}

/** The shapes differ by their lines too, not only by color. */
const looks: Readonly<Record<AreaKind, { readonly shape: string; readonly dash?: string }>> = {
  intrusion: { shape: 'fill-success/30 stroke-success' },
  exclusion: { shape: 'fill-danger/40 stroke-danger', dash: '8 5' },
  tripwire: { shape: 'fill-none stroke-warning', dash: '2 5' },
}

/** Units of the drawing in both directions; the picture is stretched to it. */
const SIZE = 1000

function Shape({ area, isSelected }: { area: DetectionArea; isSelected: boolean }) {
  const { kind, points, enabled, direction } = area
  const { shape, dash } = looks[kind]
  const path = points.map(([x = 0, y = 0]) => `${x * SIZE},${y * SIZE}`).join(' ')
  const line = {
    points: path,
    vectorEffect: 'non-scaling-stroke',
    className: `${shape} ${enabled ? '' : 'opacity-40'}`,
    strokeWidth: isSelected ? 4 : 2.5,
    ...(dash === undefined ? {} : { strokeDasharray: dash }),
  } as const
  if (kind !== 'tripwire') return <polygon {...line} />
  const { x, y, dx, dy } = getArrow(area)
  const toRight = direction !== 'rightToLeft'
  const toLeft = direction !== 'leftToRight'
  const end = (sign: number) => ({ x2: (x + dx * 0.06 * sign) * SIZE, y2: (y + dy * 0.06 * sign) * SIZE })
  return (
    <g className={enabled ? '' : 'opacity-40'}>
      <polyline {...line} />
      {[toRight ? 1 : 0, toLeft ? -1 : 0]
        .filter((sign) => sign !== 0)
        .map((sign) => (
          <line
            key={sign}
            x1={x * SIZE}
            y1={y * SIZE}
            {...end(sign)}
            markerEnd="url(#tripwire-arrow)"
            vectorEffect="non-scaling-stroke"
            strokeWidth={2.5}
            className="stroke-warning"
          />
        ))}
    </g>
  )
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-0.01, 0],
  ArrowRight: [0.01, 0],
  ArrowUp: [0, -0.01],
  ArrowDown: [0, 0.01],
}

interface HandlesProps {
  /** The selected area, as it is drawn now. */
  area: DetectionArea
  editing: AreaEditing
  frame: RefObject<HTMLDivElement | null>
  drag: Drag | undefined
  onDrag: (drag: Drag | undefined) => void
  onChange: (editing: AreaEditing) => void
}

/** A point that is being moved. */
interface Drag {
  readonly at: number
  readonly to: readonly number[]
}

const handleClass = 'absolute -translate-1/2 rounded-full border-white text-white after:absolute'
const toPlace = ({ x, y }: { readonly x: number; readonly y: number }) => ({ left: `${x * 100}%`, top: `${y * 100}%` })
const toPercent = (share: number) => Math.round(share * 100)

/** The points of an area as buttons, and one between each two that adds a point. */
function Handles({ area, editing, frame, drag, onDrag, onChange }: HandlesProps) {
  const t = useText()
  const { areaId } = area
  const handles = area.points.map(([x = 0, y = 0], at) => ({ at, x, y }))
  const place = (event: PointerEvent): readonly number[] => {
    const { left, top, width, height } = frame.current?.getBoundingClientRect() ?? new DOMRect()
    return [(event.clientX - left) / width, (event.clientY - top) / height]
  }
  const onKey = (event: KeyboardEvent, { at, x, y }: (typeof handles)[number]) => {
    const step = steps[event.key]
    const isRemoval = event.key === 'Delete' || event.key === 'Backspace'
    if (step === undefined && !isRemoval) return
    event.preventDefault()
    const factor = event.shiftKey ? 5 : 1
    onChange(
      step === undefined
        ? withoutPoint(editing, { areaId, at })
        : withMovedPoint(editing, { areaId, at }, [x + step[0] * factor, y + step[1] * factor]),
    )
  }
  return (
    <>
      {findMiddles(area).map(({ at, x, y }) => (
        <button
          key={at}
          type="button"
          aria-label={t('Add point after point {number}', { number: at + 1 })}
          onClick={() => onChange(withAddedPoint(editing, { areaId, at }))}
          className={`${handleClass} flex size-5 items-center justify-center border bg-black/60 text-xs after:-inset-2`}
          style={toPlace({ x, y })}
        >
          +
        </button>
      ))}
      {handles.map((handle) => {
        const { at, x, y } = handle
        return (
          <button
            key={at}
            type="button"
            aria-label={t('Point {number}: {x} % from the left, {y} % from the top', {
              number: at + 1,
              x: toPercent(x),
              y: toPercent(y),
            })}
            onKeyDown={(event) => onKey(event, handle)}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId)
              onDrag({ at, to: place(event) })
            }}
            onPointerMove={(event) => {
              if (drag?.at === at) onDrag({ at, to: place(event) })
            }}
            onPointerUp={(event) => {
              if (drag !== undefined) onChange(withMovedPoint(editing, { areaId, at }, place(event)))
              onDrag(undefined)
            }}
            onPointerCancel={() => onDrag(undefined)}
            className={`${handleClass} size-4 cursor-move touch-none border-2 bg-control after:-inset-3`}
            style={toPlace({ x, y })}
          />
        )
      })}
    </>
  )
}

/** The shapes over the picture. Points of the selected one are buttons: drag them, or move them with the arrow keys. */
export function AreaCanvas({ editing, selected, nameOf, readOnly, onSelect, onChange }: AreaCanvasProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const { areas } =
    selected === undefined || drag === undefined
      ? editing
      : withMovedPoint(editing, { areaId: selected, at: drag.at }, drag.to)
  const current = areas.find(({ areaId }) => areaId === selected)
  return (
    <div ref={frame} className="absolute inset-0">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        preserveAspectRatio="none"
        className="pointer-events-none absolute inset-0 size-full"
      >
        <defs>
          <marker
            id="tripwire-arrow"
            viewBox="0 0 10 10"
            refX="8"
            refY="5"
            markerWidth="6"
            markerHeight="6"
            orient="auto"
          >
            <path d="M0 0 10 5 0 10z" className="fill-warning" />
          </marker>
        </defs>
        {areas.map((one) => (
          <Shape key={one.areaId} area={one} isSelected={one.areaId === selected} />
        ))}
      </svg>
      {areas
        .filter(({ areaId }) => areaId !== selected)
        .map((one) => {
          const [x = 0, y = 0] = one.points[0] ?? []
          return (
            <button
              key={one.areaId}
              type="button"
              onClick={() => onSelect(one.areaId)}
              className="absolute max-w-40 truncate rounded-sm bg-black/70 px-1.5 py-0.5 text-xs text-white"
              style={toPlace({ x: Math.min(x, 0.8), y: Math.min(y, 0.93) })}
            >
              {nameOf(one)}
            </button>
          )
        })}
      {current === undefined || readOnly ? null : (
        <Handles area={current} {...{ editing, frame, drag, onChange }} onDrag={setDrag} />
      )}
    </div>
  )
}
