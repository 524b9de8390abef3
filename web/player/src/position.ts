/** Which time of day the picture at a media time is of: known at some points, counted on from the last one before. */
export interface PositionMap {
  /** Seconds of media time, milliseconds since 1970. Later points must not lie before earlier ones. */
  add(mediaTime: number, wallclock: number): void
  wallclockAt(mediaTime: number): number | undefined
  clear(): void
}

/** Points come about once a second; ten minutes of them are kept. */
const MOST_POINTS = 600
/** A browser's media times are rounded to microseconds, and a seek lands a little after the picture's. */
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
