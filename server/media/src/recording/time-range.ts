/** A span of time, milliseconds since 1970. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}
