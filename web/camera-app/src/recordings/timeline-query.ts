import type { Client } from '@sightline/client'
import { getRecordingTimeline, getRecordingTimelines, type RecordingTimeline } from '@sightline/contract/recordings'
import { queryOptions } from '@tanstack/react-query'
import type { TimelineContent } from './draw-timeline.ts'
import type { Span } from './span.ts'

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

/** The recordings of several cameras on one day, by camera. */
export const timelinesQuery = (
  client: Client,
  { cameraIds, day, isToday }: { cameraIds: readonly number[]; day: Span; isToday: boolean },
) =>
  queryOptions({
    queryKey: ['recordings/timeline', cameraIds.join(), day.from],
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, TimelineContent>> => {
      const span = { from: new Date(day.from).toISOString(), till: new Date(day.till).toISOString() }
      const query = { ...span, cameraIds: cameraIds.join(), resolution: '1' }
      const { cameras } = await client.call(getRecordingTimelines, { query }, { signal })
      return new Map(cameras.map((camera) => [camera.cameraId, contentOf(camera)]))
    },
    ...(isToday ? { refetchInterval: REFRESH_MS } : { staleTime: 60_000 }),
  })

const spanOf = ({ start, end }: { start: string; end: string }): Span => ({
  from: Date.parse(start),
  till: Date.parse(end),
})

/** Times as numbers. */
const contentOf = ({ segments, gaps }: Pick<RecordingTimeline, 'segments' | 'gaps'>): TimelineContent => ({
  recorded: segments.map(spanOf),
  fromCard: segments.filter(({ origin }) => origin === 'card').map(spanOf),
  gaps: gaps.map((gap) => ({ ...spanOf(gap), reason: gap.reason })),
})
