import { appendAudit } from '@sightline/platform/audit'
import { type Clock, MS_PER_DAY, MS_PER_HOUR } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import type { JobTasks } from '@sightline/platform/jobs'
import { ok } from '@sightline/platform/result'
import { findCamera, removeCamera } from '../cameras/index.ts'
import { listFailedAdditions, lockFailure } from './store.ts'

interface FailedAdditionsDeps {
  /** Under the role `app`. */
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
}

/** A failed addition stays in the list for that long. */
const KEPT_MS = MS_PER_DAY

/** Dismisses additions that failed a day ago, so that they hold no slot and leave the list. */
export const additionTasks = ({ db, ids, clock }: FailedAdditionsDeps): JobTasks => ({
  dismissFailedAdditions: {
    everyMs: MS_PER_HOUR,
    async run() {
      for (const camera of await listFailedAdditions(db, clock.now() - KEPT_MS))
        await dismiss({ db, ids, clock }, camera)
      return ok(undefined)
    },
  },
})

async function dismiss(
  { db, ids, clock }: FailedAdditionsDeps,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<void> {
  await db.inTenant({ accountId, userId: accountId }, async (tx) => {
    // It may have been tried again meanwhile.
    if ((await lockFailure(tx, { accountId, cameraId }))?.isFailed !== true) return
    const camera = await findCamera(tx, { accountId, access: { kind: 'all' } }, cameraId)
    if (camera === undefined) return
    await removeCamera(tx, camera, clock.now())
    const before = { name: camera.name, zoneId: camera.zoneId }
    const entry = { action: 'dismissCameraAddition', target: { kind: 'camera', id: cameraId }, before }
    await appendAudit(tx, { ids, caller: { accountId, userId: null, clientId: 'server' }, address: '', entry })
  })
}
