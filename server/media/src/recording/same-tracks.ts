import type { TrackConfig } from '../frame/index.ts'
import { initSegment } from '../mux/index.ts'

/** Whether a segment may hold both: their init segments are the same. */
export const sameTracks = (a: readonly TrackConfig[], b: readonly TrackConfig[]): boolean =>
  a.length === b.length && initSegmentOf(a).equals(initSegmentOf(b))

const initSegmentOf = (tracks: readonly TrackConfig[]): Buffer => Buffer.from(initSegment(tracks))
