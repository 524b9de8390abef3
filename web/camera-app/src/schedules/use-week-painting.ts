import { type PointerEvent, useRef, useState } from 'react'
import { CELLS, clamp, type HalfHour, painted, type Stroke, toMinute } from './week-cells.ts'
import { getPaint, type Paint, type WeekPlan } from './week-plan.ts'

/** What is painted on, and with what. */
export interface Painting {
  readonly plan: WeekPlan
  readonly brush: Paint
  readonly readOnly: boolean
  readonly onChange: (plan: WeekPlan) => void
}

/** Painting by pointer: a mouse paints days and hours, a finger along one day, so that the page still scrolls. */
export function useWeekPainting({ plan, brush, readOnly, onChange }: Painting) {
  const grid = useRef<HTMLDivElement>(null)
  const [stroke, setStroke] = useState<Stroke>()
  const cellAt = (event: PointerEvent): HalfHour | undefined => {
    const rows = [...(grid.current?.querySelectorAll('[data-day]') ?? [])].map((row) => row.getBoundingClientRect())
    const [row] = rows
    if (row === undefined) return undefined
    const below = rows.findIndex(({ bottom }) => event.clientY < bottom)
    const share = (event.clientX - row.left) / row.width
    const isRightToLeft = getComputedStyle(grid.current ?? document.body).direction === 'rtl'
    const cell = Math.floor((isRightToLeft ? 1 - share : share) * CELLS)
    return { day: below === -1 ? 6 : below, cell: clamp(cell, CELLS - 1) }
  }
  return {
    grid,
    shown: stroke === undefined ? plan : painted(plan, stroke),
    handlers: readOnly
      ? {}
      : {
          onPointerDown: (event: PointerEvent) => {
            const from = cellAt(event)
            if (from === undefined || event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            setStroke({ from, to: from, paint: getPaint(plan, toMinute(from)) === brush ? 'off' : brush })
          },
          onPointerMove: (event: PointerEvent) => {
            const to = stroke === undefined ? undefined : cellAt(event)
            if (stroke === undefined || to === undefined) return
            setStroke({ ...stroke, to: event.pointerType === 'touch' ? { ...to, day: stroke.from.day } : to })
          },
          onPointerUp: () => {
            if (stroke !== undefined) onChange(painted(plan, stroke))
            setStroke(undefined)
          },
          onPointerCancel: () => setStroke(undefined),
        },
  }
}
