/** The part of a long list that is drawn. */
export interface ListWindow {
  /** In list order; consecutive rows may have a gap between them. */
  readonly rows: readonly DrawnRow[]
  /** Height of all rows in CSS pixels. */
  readonly height: number
  /** The `ref` of a row; the row has its index as `data-index`. */
  readonly measure: (row: Element | null) => void
}

export interface DrawnRow {
  readonly index: number
  /** Distance from the top of the list in CSS pixels. */
  readonly start: number
  readonly size: number
}

/** A row to draw, and the space before it in CSS pixels. */
export interface PlacedRow {
  readonly index: number
  readonly gap: number
}

/** Adds a row and its two neighbors, so that Tab reaches them. */
export function withNeighbors(indexes: readonly number[], kept: number, count: number): number[] {
  if (kept < 0) return [...indexes]
  const beside = [kept - 1, kept, kept + 1].filter((index) => index >= 0 && index < count)
  return [...new Set([...indexes, ...beside])].toSorted((a, b) => a - b)
}

/** The rows with the gaps before them, and the gap after the last one, without rows that no longer exist. */
export function placeRows({ rows, height }: Pick<ListWindow, 'rows' | 'height'>, count: number) {
  let end = 0
  const placed: PlacedRow[] = []
  for (const { index, start, size } of rows) {
    if (index >= count) break
    placed.push({ index, gap: Math.max(0, start - end) })
    end = start + size
  }
  return { placed, after: Math.max(0, height - end) }
}
