import type { ApiError } from '@sightline/contract/errors'
import { deleteRecordings, getRecordingDeletion, UNDELETABLE_MINUTES } from '@sightline/contract/footage-ranges'
import { toDateTime } from '@sightline/contract/wire'
import { MS_PER_DAY } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCameraInScope, lockCamera } from '../cameras/index.ts'
import { spanFault } from '../recordings/index.ts'
import { findDeletion, hasLockedPart, insertDeletion, isBeingExported } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const noSuchDeletion: ApiError = { error: 'notFound' }
const tooNew: ApiError = {
  error: 'businessRule',
  detail: `recordings of the latest ${UNDELETABLE_MINUTES} minutes cannot be deleted: choose an earlier end`,
}
const isLocked: ApiError = {
  error: 'businessRule',
  detail: 'part of this footage is locked: remove the lock, or choose another range',
}

const isExported: ApiError = {
  error: 'businessRule',
  detail: 'part of this footage is being exported: wait until the export is done, or cancel it',
}

/** A year and a day: everything that most cameras have. */
const LONGEST_MS = 367 * MS_PER_DAY

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly now: () => number
}

/** Deleting footage on request. The media workers that have its disks do it, after they have looked at the locks again. */
export const recordingDeletions = ({ db, ids, now }: Deps) => [
  serveChange(deleteRecordings, async (change, { params: { cameraId }, query: { from, till } }) => {
    const fault = spanFault({ from, till }, LONGEST_MS)
    if (fault !== undefined) return fail(fault)
    if (till > now() - UNDELETABLE_MINUTES * 60_000) return fail(tooNew)
    const { caller } = change
    const deletionId = await ids.next()
    return change.tx(caller, async (tx) => {
      if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      const { accountId, userId } = caller
      const range = { accountId, cameraId, from, till }
      if (await hasLockedPart(tx, range)) return fail(isLocked)
      if (await isBeingExported(tx, range)) return fail(isExported)
      await insertDeletion(tx, { ...range, deletionId, requestedBy: userId, now: now() })
      const deletion = await findDeletion(tx, { accountId, cameraId, deletionId })
      if (deletion === undefined) return fail(noSuchDeletion)
      const changed = { action: 'deleteRecordings', before: { from: toDateTime(from), till: toDateTime(till) } }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], after: undefined, ...changed, data: {} })
      return ok(deletion)
    })
  }),

  serve(getRecordingDeletion, async (caller, { params: { cameraId, deletionId } }) => {
    const camera = await findCameraInScope(db, caller, cameraId)
    if (!camera.ok) return camera
    const { accountId } = caller
    const deletion = await db.inTenant(caller, (tx) => findDeletion(tx, { accountId, cameraId, deletionId }))
    return deletion === undefined ? fail(noSuchDeletion) : ok(deletion)
  }),
]
