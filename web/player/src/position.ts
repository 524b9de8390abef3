/** Maps media time to time of day: known at some points, and counted forward from the last one before. */
export interface PositionMap {
  /** Seconds of media time, and milliseconds since 1970. A new point discards points at later media times. */
  add(mediaTime: number, wallclock: number): void
  wallclockAt(mediaTime: number): number | undefined
  clear(): void
}

/** Points arrive about once a second; this keeps ten minutes of them. */
const MOST_POINTS = 600
/** Browsers round media times to microseconds, and a seek lands slightly after the picture's time. */
const TOLERANCE = 0.002

export function positionMap(): PositionMap {
  let points: { readonly mediaTime: number; readonly wallclock: number }[] = []
  return {
    add(mediaTime, wallclock) {
      points = points.filter((point) => point.mediaTime < mediaTime).slice(-MOST_POINTS)
      points.push({ mediaTime, wallclock })
    },
    wallclockAt(mediaTime) {
      const point = points.findLast((candidate) => candidate.mediaTime <= mediaTime + TOLERANCE) ?? points[0]
      return point === undefined ? undefined : point.wallclock + (mediaTime - point.mediaTime) * 1000
    },
    clear() {
      points = []
    },
  }
}
