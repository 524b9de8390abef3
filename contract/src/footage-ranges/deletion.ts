import * as z from 'zod/mini'
import { dateTime, dateTimeText, id, idText, route } from '../wire/index.ts'

/** Footage younger than this is not deleted on request (specification §7). */
export const UNDELETABLE_MINUTES = 15

/**
 * `refused`: footage in it was locked meanwhile. `waiting`: the worker that has the disk deletes it, within seconds; a disk of
 * a machine that is away, once it is back.
 */
const recordingDeletionState = z.enum(['waiting', 'done', 'refused'])

export const recordingDeletion = z.object({
  deletionId: id,
  cameraId: id,
  from: dateTime,
  till: dateTime,
  state: recordingDeletionState,
  requestedAt: dateTime,
  endedAt: z.nullable(dateTime),
})
export type RecordingDeletion = z.infer<typeof recordingDeletion>

export const deleteRecordings = route({
  name: 'deleteRecordings',
  summary:
    'Delete a range of footage of a camera, all streams of it, for ever; what is locked or of the last 15 minutes is refused',
  method: 'DELETE',
  path: 'cameras/{cameraId}/recordings',
  access: 'object',
  right: 'deleteRecording',
  support: 'no',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  query: z.object({ from: dateTimeText, till: dateTimeText }),
  status: 202,
  reply: recordingDeletion,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const getRecordingDeletion = route({
  name: 'getRecordingDeletion',
  summary: 'Get how a deletion of footage goes',
  method: 'GET',
  path: 'cameras/{cameraId}/recordings/deletions/{deletionId}',
  access: 'object',
  right: 'playback',
  support: 'yes',
  ids: { 'params.cameraId': 'camera', 'params.deletionId': 'recordingDeletion' },
  params: z.object({ cameraId: idText, deletionId: idText }),
  reply: recordingDeletion,
  errors: ['notFound'],
})
