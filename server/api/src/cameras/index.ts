import {
  type Camera,
  getCamera,
  getCameraStatus,
  getCameraStatuses,
  getCameras,
  getSnapshot,
  patchCamera,
} from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane, SnapshotAnswer, SnapshotFormat } from '@sightline/contract/media-plane'
import { toDateTime } from '@sightline/contract/wire'
import { holdsZone } from '@sightline/contract/zones'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type RawReply, serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { keepPeople } from '../permission-profiles/index.ts'
import { timeZoneFault } from '../reference-lists/index.ts'
import { snapshotFormat, snapshotRefusal, toFilter, toSettings, unsupportedChange } from './rules.ts'
import {
  findCamera,
  keepZone,
  listCameras,
  listStatuses,
  lockCamera,
  reachesCameraIn,
  saveCamera,
  wasTold,
} from './store.ts'

export { namePatternOf } from './rules.ts'
export { findCamera, listCameras, lockCamera, reachableCameras, slotFault } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const noSuchZone: ApiError = { error: 'notFound', detail: 'there is no such zone' }

const hiddenPicture: ApiError = {
  error: 'mediaNotSupported',
  detail: 'the owner has not shown video to support: there are blurred pictures only, as image/jpeg',
}

/** The camera if the caller may reach it. Foreign, ungranted and nonexistent answer alike. */
export async function reachCamera(db: Db, caller: MemberCaller, cameraId: number): Promise<Result<Camera, ApiError>> {
  const camera = await db.inTenant(caller, (tx) => findCamera(tx, caller, cameraId))
  return camera === undefined ? fail(noSuchCamera) : ok(camera)
}

export const cameras = ({ db, ids, media }: { db: Db; ids: IdSource; media: MediaPlane }) => [
  serve(getCameras, async (caller, { query }) =>
    ok(await db.inTenant(caller, (tx) => listCameras(tx, caller, toFilter(query)))),
  ),

  serve(getCameraStatuses, async (caller, { query }) =>
    ok(await db.inTenant(caller, (tx) => listStatuses(tx, caller, query))),
  ),

  serve(getCamera, async (caller, { params }) => reachCamera(db, caller, params.cameraId)),

  serve(patchCamera, async ({ accountId, userId }, { params, body, address, changedSince, callerNow }) => {
    const fault = timeZoneFault(body.timeZone)
    if (fault !== undefined) return fail(fault)
    return db.inTenant({ accountId, userId }, async (tx): Promise<Result<Camera, ApiError>> => {
      await keepPeople(tx, accountId)
      const asked = await callerNow(tx)
      if (!asked.ok) return asked
      const caller = asked.value
      const before = await lockCamera(tx, caller, params.cameraId)
      if (before === undefined) return fail(noSuchCamera)
      const { name = before.name, zoneId = before.zoneId, timeZone = before.timeZone } = body
      const next = { ...before, name, zoneId, timeZone }
      const refusal = await moveFault(tx, caller, { from: before.zoneId, to: zoneId })
      if (refusal !== undefined) return fail(refusal)
      const unsupported = unsupportedChange(body, before)
      if (unsupported !== undefined) return fail(unsupported)
      const stale = changedSince(before)
      if (stale !== undefined) return fail(stale)
      await saveCamera(tx, next)
      const target = { kind: 'camera', id: params.cameraId }
      const entry = { action: 'patchCamera', target, before: toSettings(before), after: toSettings(next) }
      await appendAudit(tx, { ids, caller, address, entry })
      return ok(next)
    })
  }),

  serve(getCameraStatus, async (caller, { params }) => {
    const [status] = await db.inTenant(caller, (tx) => listStatuses(tx, caller, { cameraIds: [params.cameraId] }))
    return status === undefined ? fail(noSuchCamera) : ok(status)
  }),

  serve(getSnapshot, async (caller, { params, query, header, address }) => {
    const camera = await reachCamera(db, caller, params.cameraId)
    if (!camera.ok) return camera
    const unsupported = snapshotRefusal(query)
    if (unsupported !== undefined) return fail(unsupported)
    const format = snapshotFormat(header('accept'), caller.support?.video)
    if (format === undefined) return fail(hiddenPicture)
    const answer = await media.snapshot({ cameraId: params.cameraId, format })
    if (answer.kind === 'picture') await tellOwner({ db, ids, caller, address, cameraId: params.cameraId, format })
    return toReply(answer)
  }),
]

/** What support has seen stands in the owner's log before it is shown. */
async function tellOwner(given: {
  readonly db: Db
  readonly ids: IdSource
  readonly caller: MemberCaller
  readonly address: string
  readonly cameraId: number
  readonly format: SnapshotFormat
}): Promise<void> {
  const { db, ids, caller, address, cameraId } = given
  const { accountId, support } = caller
  if (support === undefined) return
  const picture = given.format === 'blurredJpeg' ? 'blurred' : 'clear'
  await db.inTenant(caller, async (tx) => {
    if (await wasTold(tx, { accountId, cameraId, staffId: support.staffId, picture })) return
    const entry = { action: 'snapshot', target: { kind: 'camera', id: cameraId }, after: { picture } }
    await appendAudit(tx, { ids, caller, address, entry })
  })
}

/**
 * Why a camera must not be moved. It changes who reaches the camera: those who were given the one zone lose it, those who
 * were given the other gain it. So both zones have to be the caller's as a whole, who then can neither take a camera from
 * people beyond his reach nor come by more than he has. Support, which decides nobody's access, moves none. The zone stays
 * until the transaction ends.
 */
async function moveFault(
  tx: Tx,
  caller: MemberCaller,
  { from, to }: { from: number; to: number },
): Promise<ApiError | undefined> {
  if (from === to) return undefined
  const { accountId } = caller
  const isTheirs = holdsZone(caller, { accountId, zoneId: to })
  if (!(isTheirs ? await keepZone(tx, { accountId, zoneId: to }) : await reachesCameraIn(tx, caller, to)))
    return noSuchZone
  if (caller.support !== undefined) return { error: 'notAuthorized', detail: 'a support session may not move a camera' }
  if (isTheirs && holdsZone(caller, { accountId, zoneId: from })) return undefined
  return { error: 'notAuthorized', detail: 'this needs access to the whole of both zones' }
}

function toReply(answer: SnapshotAnswer): Result<RawReply, ApiError> {
  switch (answer.kind) {
    case 'picture': {
      const headers = {
        'x-taken-at': toDateTime(answer.takenAt),
        'cache-control': 'private, no-store',
        vary: 'accept, origin',
      }
      return ok({ contentType: answer.contentType, bytes: answer.bytes, headers })
    }
    case 'cameraOffline':
      return fail({ error: 'cameraOffline', detail: 'the camera is not connected, so there is no picture of now' })
    case 'noDecoder':
      return fail({
        error: 'mediaNotSupported',
        detail: 'this server has no decoder; where video is shown, Accept: video/mp4 needs none',
      })
    case 'timedOut':
      return fail({ error: 'timedOut', detail: 'the camera sent no key picture in time' })
  }
}
