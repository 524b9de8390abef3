/** A point of a line; null: nothing is known there. */
export interface ChartPoint {
  /** 0 to 1, from the left. */
  readonly x: number
  readonly value: number | null
}

export const CHART = { width: 600, height: 100 } as const

/** The least that a scale shows, so that a line near zero doesn't look like mountains. */
const LEAST = 1

/** The top of the scale: a round number at or above the largest value. */
export function scaleTop(values: readonly (number | null)[]): number {
  const most = Math.max(LEAST, ...values.map((value) => value ?? 0))
  const ten = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 5, 10].find((factor) => factor * ten >= most) ?? 10) * ten
}

/** An SVG path with a line per stretch; `gap` is the distance of two points, in shares of the width, from which they aren't joined. */
export function linePath(points: readonly ChartPoint[], { top, gap }: { readonly top: number; readonly gap: number }) {
  let before: number | undefined
  return points
    .flatMap(({ x, value }) => {
      if (value === null) return []
      const isJoined = before !== undefined && x - before <= gap
      before = x
      const at = `${round(x * CHART.width)} ${round(CHART.height - (value / top) * CHART.height)}`
      // A line of no length is drawn as a dot.
      return [isJoined ? `L${at}` : `M${at}h0`]
    })
    .join('')
}

const round = (value: number): number => Math.round(value * 10) / 10
