import { toDateTime } from '@sightline/contract/wire'

/** Footage of one stream without a gap, of one hour at most. Times in milliseconds since 1970. */
export interface Slice {
  readonly cameraId: number
  readonly stream: string
  readonly start: number
  readonly end: number
  readonly bytes: number
  readonly runId: string
}

/** Shorter gaps are ignored. */
const GAP_MS = 2000

/** Footage that can be watched without a gap, as the download contains it. */
export interface FootageSpan {
  readonly cameraId: number
  readonly stream: string
  readonly from: string
  readonly till: string
  readonly bytes: number
}

/** Joins slices, sorted by stream and time, into spans. `end` returns the last span. */
export function spanJoiner() {
  let open: Slice | undefined
  const close = (): FootageSpan[] => {
    if (open === undefined) return []
    const { cameraId, stream, start, end, bytes } = open
    open = undefined
    return [{ cameraId, stream, from: toDateTime(start), till: toDateTime(end), bytes }]
  }
  return {
    /** The spans that this slice completes. */
    add(slice: Slice): FootageSpan[] {
      // A row without footage only contains the cause of a gap.
      if (slice.bytes === 0) return []
      const { cameraId, stream, start } = slice
      const goesOn = open?.cameraId === cameraId && open.stream === stream && start - open.end <= GAP_MS
      if (open !== undefined && goesOn) {
        open = { ...open, end: Math.max(open.end, slice.end), bytes: open.bytes + slice.bytes }
        return []
      }
      const over = close()
      open = slice
      return over
    },
    end: close,
  }
}
