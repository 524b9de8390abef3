import {
  type Camera,
  getCamera,
  getCameraStatus,
  getCameraStatuses,
  getCameras,
  getSnapshot,
} from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane, SnapshotAnswer } from '@sightline/contract/media-plane'
import { toDateTime } from '@sightline/contract/wire'
import type { Db } from '@sightline/platform/db'
import { type RawReply, serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { snapshotFormat, toFilter } from './rules.ts'
import { findCamera, listCameras, listStatuses } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }

/** The camera if the caller may reach it. Foreign, ungranted and nonexistent answer alike. */
export async function reachCamera(db: Db, caller: MemberCaller, cameraId: number): Promise<Result<Camera, ApiError>> {
  const camera = await db.inTenant(caller, (tx) => findCamera(tx, caller, cameraId))
  return camera === undefined ? fail(noSuchCamera) : ok(camera)
}

export const cameras = ({ db, media }: { db: Db; media: MediaPlane }) => [
  serve(getCameras, async (caller, { query }) =>
    ok(await db.inTenant(caller, (tx) => listCameras(tx, caller, toFilter(query)))),
  ),

  serve(getCameraStatuses, async (caller, { query }) =>
    ok(await db.inTenant(caller, (tx) => listStatuses(tx, caller, query))),
  ),

  serve(getCamera, async (caller, { params }) => reachCamera(db, caller, params.cameraId)),

  serve(getCameraStatus, async (caller, { params }) => {
    const [status] = await db.inTenant(caller, (tx) => listStatuses(tx, caller, { cameraIds: [params.cameraId] }))
    return status === undefined ? fail(noSuchCamera) : ok(status)
  }),

  serve(getSnapshot, async (caller, { params, header }) => {
    const camera = await reachCamera(db, caller, params.cameraId)
    if (!camera.ok) return camera
    const format = snapshotFormat(header('accept'))
    return toReply(await media.snapshot({ cameraId: params.cameraId, format }))
  }),
]

function toReply(answer: SnapshotAnswer): Result<RawReply, ApiError> {
  switch (answer.kind) {
    case 'picture': {
      const headers = { 'x-taken-at': toDateTime(answer.takenAt), 'cache-control': 'private, no-store', vary: 'accept' }
      return ok({ contentType: answer.contentType, bytes: answer.bytes, headers })
    }
    case 'cameraOffline':
      return fail({ error: 'cameraOffline', detail: 'the camera is not connected, so there is no picture of now' })
    case 'noDecoder':
      return fail({ error: 'mediaNotSupported', detail: 'this server has no decoder; ask with Accept: video/mp4' })
    case 'timedOut':
      return fail({ error: 'timedOut', detail: 'the camera sent no key picture in time' })
  }
}
