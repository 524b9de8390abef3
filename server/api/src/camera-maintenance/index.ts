import {
  type CameraMaintenance,
  getCameraMaintenance,
  putCameraMaintenance,
} from '@sightline/contract/camera-maintenance'
import type { ApiError } from '@sightline/contract/errors'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCamera, lockCamera } from '../cameras/index.ts'
import { loadMaintenance, saveMaintenance } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

interface Deps {
  readonly db: Db
  readonly now: () => number
}

/** Cameras in maintenance; `notification-settings/alerts` sends nothing about them meanwhile. */
export const cameraMaintenance = ({ db, now }: Deps) => [
  serve(getCameraMaintenance, async (caller, { params: { cameraId } }) =>
    db.inTenant(caller, async (tx) => {
      if ((await findCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      return ok(await loadMaintenance(tx, { accountId: caller.accountId, cameraId }, now()))
    }),
  ),

  serveChange(putCameraMaintenance, async (change, { params: { cameraId }, body }) => {
    const { caller } = change
    const at = now()
    const fault = untilFault(body, at)
    const of = { accountId: caller.accountId, cameraId }
    return change.tx(caller, async (tx) => {
      if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail(noSuchCamera)
      if (fault !== undefined) return fail(fault)
      const before = await loadMaintenance(tx, of, at)
      change.ifMatch(before)
      const until = endOf(body, before, at)
      if (until !== undefined) await saveMaintenance(tx, of, until)
      const after = await loadMaintenance(tx, of, at)
      const changed = { action: 'putCameraMaintenance', before, after }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...changed })
      const data = { enabled: String(after.enabled) }
      await addUserActions(tx, { caller, at, cameraIds: [cameraId], ...changed, data })
      return ok(after)
    })
  }),
]

interface Wanted {
  readonly enabled: boolean
  readonly until?: number | null | undefined
}

/**
 * The new end of the maintenance, null for never; undefined if none is active, so that a current offline period
 * continues to count.
 */
function endOf({ enabled, until }: Wanted, before: CameraMaintenance, now: number): number | null | undefined {
  if (enabled) return until ?? null
  return before.enabled ? now : undefined
}

function untilFault({ enabled, until }: Wanted, now: number): ApiError | undefined {
  if (!enabled || until === undefined || until === null || until > now) return undefined
  const message = 'Choose a time in the future'
  return { error: 'validation', detail: message, fields: [{ field: 'until', message }] }
}
