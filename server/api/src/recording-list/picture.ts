import type { MediaPlane } from '@sightline/contract/media-plane'
import { getRecordedPicture, MAX_PICTURE_WIDTH } from '@sightline/contract/recording-list'
import type { Db } from '@sightline/platform/db'
import { serveChange } from '@sightline/platform/http'
import { findCameraInScope, pictureFormat, recordFootageView, toPictureReply } from '../cameras/index.ts'

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'recordedPicture'>
}

/** What a camera's footage shows at a time. */
export const recordedPicture = ({ db, media }: Deps) =>
  serveChange(getRecordedPicture, async (change, { params: { cameraId }, query, header }) => {
    const { caller } = change
    const camera = await findCameraInScope(db, caller, cameraId)
    if (!camera.ok) return camera
    const format = pictureFormat(caller, header('accept'))
    if (!format.ok) return format
    const width = query.width === undefined ? {} : { width: Math.min(query.width, MAX_PICTURE_WIDTH) }
    const question = { accountId: caller.accountId, cameraId, at: query.time, format: format.value, ...width }
    const answer = await media.recordedPicture(question)
    if (answer.kind !== 'picture') return toPictureReply(answer)
    const target = { kind: 'camera', id: cameraId }
    const view = { action: 'recordedPicture', target, format: format.value, cameraId, at: answer.takenAt } as const
    const recorded = await recordFootageView(change, view)
    return recorded.ok ? toPictureReply(answer) : recorded
  })
