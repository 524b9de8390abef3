/** How far a file of footage can go: to the end of what one disk has of it (docs/decisions/0104). */
/**
 * Of what another machine follows so soon after, that is shown: a viewer who has come to the end here, and connects again,
 * would otherwise begin just before the end again and again.
 */
export const EDGE_MS = 1500

/** Footage on a disk, an hour at most; times in milliseconds since 1970. */
export interface FootageSlice {
  readonly store: string
  readonly start: number
  readonly end: number
  /** When its run began: of two machines, the one that began later took the camera over. */
  readonly began: number
}

/** @param slices by their start. */
export function clipEnd(
  slices: readonly FootageSlice[],
  { from, till }: { readonly from: number; readonly till: number },
): number {
  const at = from + EDGE_MS
  const there = slices.filter(({ start, end }) => start <= at && end > at).toSorted((a, b) => b.began - a.began)
  const first = there[0] ?? slices.find(({ start }) => start > at)
  if (first === undefined) return till
  let { end } = first
  for (;;) {
    const later = slices.filter((slice) => slice.end > end)
    const own = later.find(({ store, start }) => store === first.store && start <= end + EDGE_MS)
    const next = own ?? later.find((slice) => slice.end > end + EDGE_MS)
    if (next === undefined || end >= till) return till
    if (next.store !== first.store) return end
    end = next.end
  }
}
