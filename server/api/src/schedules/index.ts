import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import {
  deleteCameraSchedule,
  getCameraSchedule,
  getZoneSchedule,
  putCameraSchedule,
  putZoneSchedule,
  type ScheduleSpans,
} from '@sightline/contract/schedules'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { changeCameras } from '../cameras/index.ts'
import { findZone, lockZone } from '../zones/index.ts'
import { scheduleFault } from './rules.ts'
import {
  loadCameraSchedule,
  loadZoneFollowers,
  loadZoneSchedule,
  saveCameraSchedule,
  saveZoneSchedule,
  toSchedule,
  toSpans,
} from './store.ts'

const notFound: ApiError = { error: 'notFound' }
const notWhole: ApiError = { error: 'notAuthorized', detail: 'this needs access to all cameras in the zone' }

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** When cameras in the mode `scheduled` record, and when they notify. */
export const schedules = (deps: Deps) => [...ofCameras(deps), ...ofZones(deps)]

const ofCameras = ({ db, media, now }: Deps) => {
  const replace = (
    change: ScheduleChange,
    cameraId: number,
    { action, spans }: { readonly action: string; readonly spans: ScheduleSpans | null },
  ) =>
    changeCameras(change, media, async (tx, caller) => {
      const before = await loadCameraSchedule(tx, caller, { cameraId, lock: true })
      if (before === undefined) return fail(notFound)
      change.ifMatch(toSchedule(before, now()))
      const next = spans ?? before.zone
      const fault = scheduleFault(next, before.isInUse)
      if (fault !== undefined) return fail(fault)
      await saveCameraSchedule(tx, { accountId: caller.accountId, cameraId }, spans)
      const target = { kind: 'camera', id: cameraId }
      const changed = { action, before: toSpans(before), after: toSpans(next) }
      await change.audit({ target, ...changed })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...changed })
      return ok({ ...toSchedule(before, now()), ...toSpans(next), inherited: spans === null })
    })
  return [
    serve(getCameraSchedule, async (caller, { params: { cameraId } }) => {
      const found = await db.inTenant(caller, (tx) => loadCameraSchedule(tx, caller, { cameraId }))
      return found === undefined ? fail(notFound) : ok(toSchedule(found, now()))
    }),
    serveChange(putCameraSchedule, (change, { params, body }) =>
      replace(change, params.cameraId, { action: 'putCameraSchedule', spans: body }),
    ),
    serveChange(deleteCameraSchedule, async (change, { params }) => {
      const replaced = await replace(change, params.cameraId, { action: 'deleteCameraSchedule', spans: null })
      return replaced.ok ? ok(undefined) : replaced
    }),
  ]
}

const ofZones = ({ db, media, now }: Deps) => [
  serve(getZoneSchedule, async (caller, { params: { zoneId } }) =>
    db.inTenant(caller, async (tx) => {
      if ((await findZone(tx, caller, zoneId)) === undefined) return fail(notFound)
      const found = await loadZoneSchedule(tx, { accountId: caller.accountId, zoneId })
      return found === undefined ? fail(notFound) : ok(toSchedule(found, now()))
    }),
  ),

  serveChange(putZoneSchedule, (change, { params: { zoneId }, body }) =>
    changeCameras(change, media, async (tx, caller) => {
      const key = { accountId: caller.accountId, zoneId }
      await lockZone(tx, key)
      const zone = await findZone(tx, caller, zoneId)
      const before = await loadZoneSchedule(tx, key)
      if (zone === undefined || before === undefined) return fail(notFound)
      if (!zone.whole) return fail(notWhole)
      change.ifMatch(toSchedule(before, now()))
      const fault = scheduleFault(body, before.isInUse)
      if (fault !== undefined) return fail(fault)
      await saveZoneSchedule(tx, key, body)
      const target = { kind: 'zone', id: zoneId }
      const changed = { action: 'putZoneSchedule', before: toSpans(before), after: toSpans(body) }
      await change.audit({ target, ...changed })
      const cameraIds = await loadZoneFollowers(tx, key)
      await addUserActions(tx, { caller, at: now(), cameraIds, ...changed })
      return ok({ ...toSchedule(before, now()), ...toSpans(body) })
    }),
  ),
]

type ScheduleChange = Pick<Change<MemberCaller>, 'caller' | 'tx' | 'reauthorize' | 'audit' | 'ifMatch'>
