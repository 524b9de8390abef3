import { checkCamera, getCameraCheckUp, getCameraCheckUpReport } from '@sightline/contract/camera-check-ups'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { toDateTime } from '@sightline/contract/wire'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCamera, lockCamera } from '../cameras/index.ts'
import { hasOpenJob, insertJob, listOwnJobs, loadConnection } from '../device-jobs/index.ts'
import { findNewerFirmware } from '../firmware/index.ts'
import { CHECK_UP_MS, firmwareFinding, inOrder, type StoredCheckUp, toReport } from './rules.ts'
import { loadCheckUp, loadDevice } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const neverChecked: ApiError = { error: 'notFound', detail: 'the camera was never checked' }
const atWork: ApiError = {
  error: 'businessRule',
  detail: 'the camera is being checked already or another job is running: wait until it has finished',
}
const offline: ApiError = { error: 'cameraOffline', detail: "the camera doesn't respond, so it can't be checked" }

type CameraKey = { readonly accountId: number; readonly cameraId: number }

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly now: () => number
}

/** Check-ups of cameras: measured by the worker of the camera, kept until the next one (docs/decisions/0113). */
export const cameraCheckUps = ({ db, ids, media, now }: Deps) => [
  serve(getCameraCheckUp, async (caller, { params: { cameraId } }) =>
    db.inTenant(caller, async (tx) => {
      const camera = await findCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      const last = await withFirmware(tx, camera)
      const jobs = await listOwnJobs(tx, camera)
      const open = jobs.find(({ type, state }) => type === 'checkUp' && (state === 'queued' || state === 'running'))
      return ok({
        cameraId,
        checkedAt: last === undefined ? null : toDateTime(last.checkedAt),
        findings: inOrder(last?.findings ?? []),
        jobId: open?.jobId ?? null,
      })
    }),
  ),

  serveChange(checkCamera, async (change, { params: { cameraId } }) => {
    const { caller } = change
    const jobId = await ids.next()
    const queued = await change.tx(caller, async (tx) => {
      const camera = await lockCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      if (await hasOpenJob(tx, camera)) return fail(atWork)
      const { isOnline } = await loadConnection(tx, camera)
      if (!isOnline) return fail(offline)
      await insertJob(tx, camera, { jobId, type: 'checkUp', now: now(), deadlineMs: CHECK_UP_MS })
      const done = { action: 'checkCamera', before: null, after: { jobId } }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...done })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...done, data: {} })
      return ok({ jobId })
    })
    if (queued.ok) media.camerasChanged()
    return queued
  }),

  serve(getCameraCheckUpReport, async (caller, { params: { cameraId } }) =>
    db.inTenant(caller, async (tx) => {
      const camera = await findCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      const last = await withFirmware(tx, camera)
      if (last === undefined) return fail(neverChecked)
      const bytes = Buffer.from(toReport(await loadDevice(tx, camera), last))
      const day = toDateTime(last.checkedAt).slice(0, 10)
      const headers = { 'content-disposition': `attachment; filename="camera-${cameraId}-check-up-${day}.txt"` }
      return ok({ contentType: 'text/plain; charset=utf-8', bytes, headers })
    }),
  ),
]

/** With what is offered now: firmware can come at any time. */
async function withFirmware(tx: Tx, camera: CameraKey): Promise<StoredCheckUp | undefined> {
  const last = await loadCheckUp(tx, camera)
  if (last === undefined) return undefined
  const firmware = firmwareFinding(await findNewerFirmware(tx, { ...camera }))
  return { ...last, findings: [...last.findings, firmware] }
}
