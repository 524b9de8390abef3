import * as z from 'zod/mini'
import { dateTime, dateTimeText, idText, route } from '../wire/index.ts'

/** Whether a camera is in maintenance, which suppresses offline alerts (api.md §8). */
export const cameraMaintenance = z.object({
  enabled: z.boolean(),
  /** Null: until it is ended, or not in maintenance. */
  until: z.nullable(dateTime),
})
export type CameraMaintenance = z.infer<typeof cameraMaintenance>

const ofCamera = {
  path: 'devices/{cameraId}/maintenance',
  access: 'object',
  support: 'yes',
  operation: 257,
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  reply: cameraMaintenance,
} as const

export const getCameraMaintenance = route({
  ...ofCamera,
  name: 'getCameraMaintenance',
  summary: 'Get the maintenance status of a camera',
  method: 'GET',
  right: 'CameraView',
  errors: ['notFound'],
})

export const putCameraMaintenance = route({
  ...ofCamera,
  name: 'putCameraMaintenance',
  summary: 'Start or end maintenance of a camera; during maintenance, no offline alerts are sent',
  method: 'PUT',
  right: 'editCamera',
  body: z.object({ enabled: z.boolean(), until: z.optional(z.nullable(dateTimeText)) }),
  errors: ['validation', 'notFound'],
})
