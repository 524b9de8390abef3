import { getCloudSync, getSyncJobs, patchCloudSync } from '@sightline/contract/cloud-sync'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCamera, lockCamera } from '../cameras/index.ts'
import { syncFault, toCloudSync } from './rules.ts'
import { listSyncJobs, loadSyncSettings, saveSync } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** Gaps in footage that are filled from a camera's card (docs/decisions/0117). */
export const cloudSync = ({ db, media, now }: Deps) => [
  serve(getCloudSync, async (caller, { params: { cameraId } }) =>
    db.inTenant(caller, async (tx) => {
      const camera = await findCamera(tx, caller, cameraId)
      return camera === undefined ? fail(noSuchCamera) : ok(toCloudSync(await loadSyncSettings(tx, camera)))
    }),
  ),

  serveChange(patchCloudSync, async (change, { params: { cameraId }, body: { enabled } }) => {
    const { caller } = change
    const changed = await change.tx(caller, async (tx) => {
      const camera = await lockCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      const settings = await loadSyncSettings(tx, camera)
      const fault = enabled ? syncFault(settings) : undefined
      if (fault !== undefined) return fail(fault)
      change.ifMatch(toCloudSync(settings))
      await saveSync(tx, camera, enabled)
      const done = { action: 'patchCloudSync', before: { enabled: settings.enabled }, after: { enabled } }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...done })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...done, data: {} })
      return ok(toCloudSync({ ...settings, enabled }))
    })
    if (changed.ok) media.camerasChanged()
    return changed
  }),

  serve(getSyncJobs, async (caller, { params: { cameraId } }) =>
    db.inTenant(caller, async (tx) => {
      const camera = await findCamera(tx, caller, cameraId)
      return camera === undefined ? fail(noSuchCamera) : ok(await listSyncJobs(tx, camera))
    }),
  ),
]
