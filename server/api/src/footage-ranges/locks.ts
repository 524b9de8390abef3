import type { ApiError } from '@sightline/contract/errors'
import {
  addRecordingLock,
  deleteRecordingLock,
  getRecordingLocks,
  MAX_LOCK_DAYS,
  MAX_LOCKS,
} from '@sightline/contract/footage-ranges'
import { MS_PER_DAY } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCameraInScope, lockCamera } from '../cameras/index.ts'
import { spanFault } from '../recordings/index.ts'
import { insertLock, loadRecordingLocks, removeLock } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const noSuchLock: ApiError = { error: 'notFound', detail: 'lock not found: it may have been removed' }
const tooManyLocks: ApiError = {
  error: 'businessRule',
  detail: `a camera can have at most ${MAX_LOCKS} locks: remove one, or lock a longer range`,
}

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly now: () => number
}

/** Footage that must stay. The media workers read the locks before they delete anything. */
export const recordingLocks = ({ db, ids, now }: Deps) => [
  serve(getRecordingLocks, async (caller, { params: { cameraId } }) => {
    const camera = await findCameraInScope(db, caller, cameraId)
    if (!camera.ok) return camera
    return ok(await db.inTenant(caller, (tx) => loadRecordingLocks(tx, caller, cameraId)))
  }),

  serveChange(addRecordingLock, async (change, { params: { cameraId }, body: { from, till, reason = '' } }) => {
    const fault = spanFault({ from, till }, MAX_LOCK_DAYS * MS_PER_DAY)
    if (fault !== undefined) return fail(fault)
    const { caller } = change
    const lockId = await ids.next()
    return change.tx(caller, async (tx) => {
      if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      if ((await loadRecordingLocks(tx, caller, cameraId)).length >= MAX_LOCKS) return fail(tooManyLocks)
      const { accountId, userId } = caller
      await insertLock(tx, { accountId, cameraId, lockId, from, till, reason, lockedBy: userId, now: now() })
      const lock = (await loadRecordingLocks(tx, caller, cameraId)).find((one) => one.lockId === lockId)
      if (lock === undefined) return fail(noSuchLock)
      const changed = { action: 'addRecordingLock', after: { from: lock.from, till: lock.till, reason } }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], before: undefined, ...changed, data: {} })
      return ok(lock)
    })
  }),

  serveChange(deleteRecordingLock, (change, { params: { cameraId, lockId } }) => {
    const { caller } = change
    return change.tx(caller, async (tx) => {
      if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      const lock = (await loadRecordingLocks(tx, caller, cameraId)).find((one) => one.lockId === lockId)
      if (lock === undefined) return fail(noSuchLock)
      await removeLock(tx, { accountId: caller.accountId, cameraId, lockId })
      const { from, till, reason } = lock
      const changed = { action: 'deleteRecordingLock', before: { from, till, reason } }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], after: undefined, ...changed, data: {} })
      return ok(undefined)
    })
  }),
]
