/** Which time of day the picture at a media time is of: known at some points, counted on from the last one before. */
export interface PositionMap {
  /** Seconds of media time, milliseconds since 1970. */
  add(mediaTime: number, wallclock: number): void
  wallclockAt(mediaTime: number): number | undefined
  /** Media time of a time of day, if it lies at or after a known point. */
  mediaTimeAt(wallclock: number): number | undefined
  clear(): void
}

/** Points come about once a second; ten minutes of them are kept. */
const MOST_POINTS = 600

export function positionMap(): PositionMap {
  let points: { mediaTime: number; wallclock: number }[] = []
  return {
    add(mediaTime, wallclock) {
      points = points.filter((point) => point.mediaTime < mediaTime).slice(-MOST_POINTS)
      points.push({ mediaTime, wallclock })
    },
    wallclockAt(mediaTime) {
      // A little tolerance: a browser's currentTime is rounded to microseconds.
      const point = points.findLast((candidate) => candidate.mediaTime <= mediaTime + 0.001) ?? points[0]
      return point === undefined ? undefined : point.wallclock + (mediaTime - point.mediaTime) * 1000
    },
    mediaTimeAt(wallclock) {
      const point = points.findLast((candidate) => candidate.wallclock <= wallclock)
      return point === undefined ? undefined : point.mediaTime + (wallclock - point.wallclock) / 1000
    },
    clear() {
      points = []
    },
  }
}
