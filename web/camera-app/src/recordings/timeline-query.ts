import type { Client } from '@sightline/client'
import { type EndReason, getRecordingTimeline, type RecordingTimeline } from '@sightline/contract/recordings'
import { queryOptions } from '@tanstack/react-query'
import type { Span } from './timeline/span.ts'

/** The footage of a day. Times are milliseconds since 1970. */
export interface TimelineContent {
  readonly recorded: readonly Span[]
  readonly gaps: readonly (Span & { readonly reason: EndReason })[]
}

/** Footage grows during the day. */
const REFRESH_MS = 5000

/** The recordings of a camera on one day. */
export const timelineQuery = (client: Client, given: { cameraId: number; day: Span; isToday: boolean }) =>
  queryOptions({
    queryKey: ['cameras', given.cameraId, 'recordingTimeline', given.day.from],
    queryFn: async ({ signal }): Promise<TimelineContent> => {
      const { cameraId, day } = given
      const query = { from: new Date(day.from).toISOString(), till: new Date(day.till).toISOString(), resolution: '1' }
      const timeline = await client.call(getRecordingTimeline, { params: { cameraId }, query }, { signal })
      return contentOf(timeline)
    },
    ...(given.isToday ? { refetchInterval: REFRESH_MS } : { staleTime: 60_000 }),
  })

const spanOf = ({ start, end }: { start: string; end: string }): Span => ({
  from: Date.parse(start),
  till: Date.parse(end),
})

/** Times as numbers. */
const contentOf = ({ segments, gaps }: Pick<RecordingTimeline, 'segments' | 'gaps'>): TimelineContent => ({
  recorded: segments.map(spanOf),
  gaps: gaps.map((gap) => ({ ...spanOf(gap), reason: gap.reason })),
})
