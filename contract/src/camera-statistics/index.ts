import * as z from 'zod/mini'
import { dateTime, id, idText, route } from '../wire/index.ts'

export const statisticsPeriod = z.enum(['hour', 'day', 'week'])
export type StatisticsPeriod = z.infer<typeof statisticsPeriod>

/** How long each period is, and how long its points are, in seconds. */
export const statisticsSpans: Readonly<Record<StatisticsPeriod, { readonly seconds: number; readonly point: number }>> =
  {
    hour: { seconds: 3600, point: 60 },
    day: { seconds: 86_400, point: 900 },
    week: { seconds: 604_800, point: 7200 },
  }

/** What happened from `time` on, for as long as a point is. */
export const statisticsPoint = z.object({
  time: dateTime,
  /** kbit/s of all streams of the camera; the average. */
  bandwidth: z.number(),
  /** Milliseconds by which keyframes came later than at best; the average. Null: too few came to tell. */
  latency: z.nullable(z.number()),
  /** The worst of them. */
  maxLatency: z.nullable(z.number()),
  /** Pictures that were damaged on their way, or depended on damaged ones. */
  droppedFrames: z.int(),
  /** KiB that waited in the server to be written; the most. */
  buffer: z.number(),
})
export type StatisticsPoint = z.infer<typeof statisticsPoint>

export const cameraStatistics = z.object({
  cameraId: id,
  period: statisticsPeriod,
  from: dateTime,
  till: dateTime,
  /** Seconds from one point to the next. */
  pointSeconds: z.int(),
  /** Oldest first. Times without a connection to the camera have none. */
  points: z.array(statisticsPoint),
})
export type CameraStatistics = z.infer<typeof cameraStatistics>

export const getCameraStatistics = route({
  name: 'getCameraStatistics',
  summary: 'Get bandwidth, latency, dropped frames and buffer of a camera over the last hour, day or week',
  method: 'GET',
  path: 'cameras/{cameraId}/statistics',
  access: 'object',
  right: 'logFiles',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  query: z.object({ period: z.optional(statisticsPeriod) }),
  reply: cameraStatistics,
  errors: ['validation', 'notFound'],
})
