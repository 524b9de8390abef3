import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import {
  getAdjacentEvent,
  getCameraRecordings,
  getRecording,
  getRecordings,
  type Recording,
} from '@sightline/contract/recording-list'
import { MAX_TIMELINE_CAMERAS } from '@sightline/contract/recordings'
import { MS_PER_DAY } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { findCameraInScope, listCameras } from '../cameras/index.ts'
import { findAdjacentEvent } from '../events/index.ts'
import { spanFault } from '../recordings/index.ts'
import { chosenUrls } from '../streams/index.ts'
import { recordedPicture } from './picture.ts'
import { findRecording, loadRecordings } from './store.ts'
import { recordingUrls } from './urls.ts'

const noSuchRecording: ApiError = { error: 'notFound' }

/** The longest span by the number of cameras, so that a reply has thousands of recordings at most. */
const longestSpanMs = (cameras: number): number => {
  if (cameras <= 1) return 31 * MS_PER_DAY
  return cameras <= MAX_TIMELINE_CAMERAS ? 8 * MS_PER_DAY : MS_PER_DAY
}

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'recordedPicture'>
  readonly mediaOrigin: (host: string) => string
  /** Where RTSP is served; undefined if it is off. */
  readonly rtspOrigin?: ((host: string) => string | undefined) | undefined
  readonly now: () => number
}

interface Asked {
  readonly minTimestamp?: number | undefined
  readonly maxTimestamp?: number | undefined
  readonly includeUrlTypes?: string | undefined
}

/** Recordings as items, for clients that know footage that way (api.md §13); the apps read the timeline. */
export const recordingList = ({ db, media, mediaOrigin, rtspOrigin, now }: Deps) => {
  const originsOf = (host: string) => ({ origin: mediaOrigin(host), rtspOrigin: rtspOrigin?.(host) })
  const list = async (
    caller: MemberCaller,
    { cameraIds, query, host }: { readonly cameraIds: readonly number[]; readonly query: Asked; readonly host: string },
  ): Promise<Result<Recording[], ApiError>> => {
    const till = query.maxTimestamp ?? now()
    const from = query.minTimestamp ?? till - MS_PER_DAY
    const fault = spanFault({ from, till }, longestSpanMs(cameraIds.length))
    if (fault !== undefined) return fail(fault)
    const { accountId } = caller
    const found = await db.inTenant(caller, (tx) => loadRecordings(tx, { accountId, cameraIds, from, till }))
    return ok(
      found.map((one) => ({
        ...one,
        urls: chosenUrls(recordingUrls(one, { caller, ...originsOf(host) }), query.includeUrlTypes ?? ''),
      })),
    )
  }
  return [
    recordedPicture({ db, media }),
    serve(getRecordings, async (caller, { query, host }) => {
      const cameras = await db.inTenant(caller, (tx) =>
        listCameras(tx, caller, query.cameraIds === undefined ? {} : { cameraIds: query.cameraIds }),
      )
      return list(caller, { cameraIds: cameras.map(({ cameraId }) => cameraId), query, host })
    }),

    serve(getCameraRecordings, async (caller, { params: { cameraId }, query, host }) => {
      const camera = await findCameraInScope(db, caller, cameraId)
      return camera.ok ? list(caller, { cameraIds: [cameraId], query, host }) : camera
    }),

    serve(getRecording, async (caller, { params: { recordingId }, host }) => {
      const camera = await findCameraInScope(db, caller, recordingId.cameraId)
      if (!camera.ok) return camera
      const { accountId } = caller
      const found = await db.inTenant(caller, (tx) => findRecording(tx, { accountId, ...recordingId }))
      return found === undefined
        ? fail(noSuchRecording)
        : ok({ ...found, urls: recordingUrls(found, { caller, ...originsOf(host) }) })
    }),

    serve(getAdjacentEvent, async (caller, { params: { cameraId }, query }) => {
      const camera = await findCameraInScope(db, caller, cameraId)
      if (!camera.ok) return camera
      return ok(await db.inTenant(caller, (tx) => findAdjacentEvent(tx, caller, { cameraId, ...query })))
    }),
  ]
}
