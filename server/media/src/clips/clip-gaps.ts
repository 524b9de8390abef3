import type { ClipPlan } from './clip-plan.ts'

interface Span {
  /** Milliseconds since 1970. */
  readonly from: number
  readonly till: number
}

/** As in playback: a smaller break is normal jitter. */
const GAP_MS = 1500
const LONGEST_PICTURE_MS = 10_000

/** The times of a span without footage. */
export function clipGaps({ pieces }: Pick<ClipPlan, 'pieces'>, { from, till }: Span): readonly Span[] {
  const gaps: Span[] = []
  let end = from
  let run: number | undefined
  for (const { part, runFrom } of pieces) {
    const allowed = run === runFrom ? LONGEST_PICTURE_MS : GAP_MS
    if (part.wallClock - end > allowed) gaps.push({ from: end, till: part.wallClock })
    end = part.wallClock + Math.round(part.duration / 90)
    run = runFrom
  }
  if (till - end > GAP_MS) gaps.push({ from: end, till })
  return gaps
}
