import { type FocusEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import type { Painting } from './use-week-painting.ts'
import { CELLS, clamp, type HalfHour, painted, toMinute } from './week-cells.ts'
import { getPaint, type Paint } from './week-plan.ts'

const steps: Readonly<Record<string, readonly [days: number, cells: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -CELLS],
  End: [0, CELLS],
}

/** Arrows move, Space paints or erases, Shift with an arrow continues what Space did. */
export function useWeekKeys({ plan, brush, readOnly, onChange }: Painting, grid: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState<HalfHour>({ day: 0, cell: 0 })
  const last = useRef<Paint>(brush)
  const paint = () => {
    if (readOnly) return
    last.current = getPaint(plan, toMinute(place)) === brush ? 'off' : brush
    onChange(painted(plan, { from: place, to: place, paint: last.current }))
  }
  const move = ([days, cells]: readonly [days: number, cells: number], withShift: boolean) => {
    const to = { day: clamp(place.day + days, 6), cell: clamp(place.cell + cells, CELLS - 1) }
    setPlace(to)
    grid.current?.querySelector<HTMLElement>(`[data-cell="${to.day}-${to.cell}"]`)?.focus()
    if (withShift && !readOnly) onChange(painted(plan, { from: place, to, paint: last.current }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnCell = event.target instanceof HTMLElement && event.target.dataset.cell !== undefined
    const step = steps[event.key]
    if (!isOnCell || (step === undefined && event.key !== ' ')) return
    event.preventDefault()
    if (step === undefined) return paint()
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl' && event.key.startsWith('Arrow')
    move([step[0], isMirrored ? -step[1] : step[1]], event.shiftKey)
  }
  const onFocus = (event: FocusEvent) => {
    const [day, cell] = event.target instanceof HTMLElement ? (event.target.dataset.cell?.split('-') ?? []) : []
    if (day !== undefined && cell !== undefined) setPlace({ day: Number(day), cell: Number(cell) })
  }
  return { place, keys: { onKeyDown, onFocus } }
}
