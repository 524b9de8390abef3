import { MINUTES_PER_DAY, type Paint, type WeekPlan, withPaint } from './week-plan.ts'

/** Minutes of one cell. Exact minutes are set in the list. */
export const CELL_MINUTES = 30
export const CELLS = MINUTES_PER_DAY / CELL_MINUTES

/** A cell by its day and its place in it. */
export interface HalfHour {
  readonly day: number
  readonly cell: number
}

/** A rectangle of cells that is being painted. */
export interface Stroke {
  readonly from: HalfHour
  readonly to: HalfHour
  readonly paint: Paint
}

export const toMinute = ({ day, cell }: HalfHour): number => day * MINUTES_PER_DAY + cell * CELL_MINUTES

export function painted(plan: WeekPlan, { from, to, paint }: Stroke): WeekPlan {
  const [firstDay, lastDay] = [Math.min(from.day, to.day), Math.max(from.day, to.day)]
  const [first, last] = [Math.min(from.cell, to.cell), Math.max(from.cell, to.cell) + 1]
  let next = plan
  for (let day = firstDay; day <= lastDay; day++) {
    const midnight = day * MINUTES_PER_DAY
    next = withPaint(next, { start: midnight + first * CELL_MINUTES, end: midnight + last * CELL_MINUTES, paint })
  }
  return next
}

/** Within 0 and `most`. */
export const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value))
