import {
  type CameraMaintenance,
  getCameraMaintenance,
  putCameraMaintenance,
} from '@sightline/contract/camera-maintenance'
import type { ApiError } from '@sightline/contract/errors'
import type { Db, Tx } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { findCamera, lockCamera } from '../cameras/index.ts'
import { listDevices, lockDevice } from '../devices/index.ts'
import { loadDeviceMaintenance, loadMaintenance, saveDeviceMaintenance, saveMaintenance } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

interface Deps {
  readonly db: Db
  readonly now: () => number
}

/** Cameras and recorders in maintenance; `notification-settings/alerts` sends nothing about them meanwhile. */
export const cameraMaintenance = ({ db, now }: Deps) => [
  serve(getCameraMaintenance, async (caller, { params: { cameraId } }) =>
    db.inTenant(caller, async (tx) => {
      const { accountId } = caller
      if ((await findCamera(tx, caller, cameraId)) !== undefined)
        return ok(await loadMaintenance(tx, { accountId, cameraId }, now()))
      const [device] = await listDevices(tx, caller, { deviceId: cameraId })
      return device === undefined ? fail(noSuchCamera) : ok(await loadDeviceMaintenance(tx, device, now()))
    }),
  ),

  serveChange(putCameraMaintenance, async (change, { params: { cameraId }, body }) => {
    const { caller } = change
    const at = now()
    const fault = untilFault(body, at)
    const of = { accountId: caller.accountId, cameraId }
    return change.tx(caller, async (tx) => {
      if ((await lockCamera(tx, caller, cameraId)) === undefined) return putOfDevice(change, tx, { body, at, cameraId })
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

interface OfId {
  readonly body: Wanted
  readonly at: number
  readonly cameraId: number
}

/** The same call for a recorder: ids of cameras and devices are from one space (api.md §9). */
async function putOfDevice(
  change: Pick<Change<MemberCaller, CameraMaintenance>, 'caller' | 'ifMatch' | 'audit'>,
  tx: Tx,
  { body, at, cameraId }: OfId,
): Promise<Result<CameraMaintenance, ApiError>> {
  const device = await lockDevice(tx, change.caller, cameraId)
  if (device === undefined) return fail(noSuchCamera)
  const fault = untilFault(body, at)
  if (fault !== undefined) return fail(fault)
  const before = await loadDeviceMaintenance(tx, device, at)
  change.ifMatch(before)
  const until = endOf(body, before, at)
  if (until !== undefined) await saveDeviceMaintenance(tx, device, until)
  const after = await loadDeviceMaintenance(tx, device, at)
  await change.audit({ action: 'putCameraMaintenance', target: { kind: 'device', id: cameraId }, before, after })
  return ok(after)
}

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
