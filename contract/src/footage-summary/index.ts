import * as z from 'zod/mini'
import { dateTime, idText, route } from '../wire/index.ts'

/** How much time a summary covers, and how long it lasts (specification §9). */
export const SUMMARY_HOURS = 24
export const SUMMARY_SECONDS = 30

/** How many machines in turn a summary has footage of: those with the most. */
export const MAX_SUMMARY_PARTS = 12

/** A video of what one machine recorded. */
const summaryPart = z.object({
  /** As that of the whole summary. */
  url: z.string(),
  from: dateTime,
  till: dateTime,
  /** How long the video is. */
  seconds: z.number(),
})
export type SummaryPart = z.infer<typeof summaryPart>

export const getCameraSummary = route({
  name: 'getCameraSummary',
  summary:
    'Get the address of a 30-second video of the last 24 hours of a camera, without the times when nothing was recorded',
  method: 'GET',
  path: 'cameras/{cameraId}/summary',
  access: 'object',
  right: 'playback',
  support: 'video',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  reply: z.object({
    /**
     * Opens the video for half an hour. With `&pictures=1` it answers {@link SummaryPictures} instead; with `&download=1` it is a file
     * to save, for those who may export. If several machines recorded the camera, it is the part with the most footage.
     */
    url: z.string(),
    /** One video, or one of each machine that recorded a part of the time, in order. */
    parts: z.array(summaryPart),
    from: dateTime,
    till: dateTime,
    createdAt: dateTime,
  }),
  errors: ['notFound', 'tooManyRequests'],
})

/** When the pictures of a summary were taken: each is shown equally long. */
export const summaryPictures = z.object({
  /** Milliseconds since 1970, ascending. */
  pictures: z.array(z.int()),
})
export type SummaryPictures = z.infer<typeof summaryPictures>
