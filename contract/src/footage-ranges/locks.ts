import * as z from 'zod/mini'
import { boundedText } from '../user-details/index.ts'
import { dateTime, dateTimeText, id, idText, nothing, route } from '../wire/index.ts'

/** A range of a camera's footage that nothing deletes: no person, no retention, no quota, no full disk. */
export const recordingLock = z.object({
  lockId: id,
  cameraId: id,
  from: dateTime,
  till: dateTime,
  /** Why it was locked; empty if nobody said so. */
  reason: z.string(),
  /** The user who locked it; null for callers who don't see the account's users. */
  lockedBy: z.nullable(id),
  lockedAt: dateTime,
})
export type RecordingLock = z.infer<typeof recordingLock>

/** The longest range of one lock. */
export const MAX_LOCK_DAYS = 31
/** Locks per camera. */
export const MAX_LOCKS = 200

const ofCamera = { access: 'object', ids: { 'params.cameraId': 'camera' } } as const
const path = 'cameras/{cameraId}/recordings/locks'
const cameraParams = z.object({ cameraId: idText })

export const getRecordingLocks = route({
  ...ofCamera,
  name: 'getRecordingLocks',
  summary: 'List the ranges of footage of a camera that are protected from deletion',
  method: 'GET',
  path,
  right: 'playback',
  support: 'yes',
  params: cameraParams,
  reply: z.array(recordingLock),
  list: { key: 'lockId', sort: ['from', 'lockedAt'], defaultLimit: 'all' },
  errors: ['notFound'],
})

export const addRecordingLock = route({
  ...ofCamera,
  name: 'addRecordingLock',
  summary: 'Protect a range of footage from deletion until the lock is removed',
  method: 'POST',
  path,
  right: 'lockRecording',
  support: 'no',
  params: cameraParams,
  body: z.object({ from: dateTimeText, till: dateTimeText, reason: z.optional(boundedText(0, 200)) }),
  status: 201,
  created: 'cameras/{cameraId}/recordings/locks',
  reply: recordingLock,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const deleteRecordingLock = route({
  ...ofCamera,
  name: 'deleteRecordingLock',
  summary: 'Remove a lock: its footage is kept as long as the subscription keeps it',
  method: 'DELETE',
  path: 'cameras/{cameraId}/recordings/locks/{lockId}',
  right: 'lockRecording',
  support: 'no',
  ids: { 'params.cameraId': 'camera', 'params.lockId': 'recordingLock' },
  params: z.object({ cameraId: idText, lockId: idText }),
  status: 204,
  reply: nothing,
  errors: ['notFound'],
})
