import type { MediaPlane } from '@sightline/contract/media-plane'
import { getRecordedPicture, MAX_PICTURE_WIDTH } from '@sightline/contract/recording-list'
import { pictureHour } from '@sightline/platform/audit'
import type { Db } from '@sightline/platform/db'
import { type Change, serveChange } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { findCameraInScope, pictureFormat, recordSupportView, toPictureReply } from '../cameras/index.ts'
import { isPictureViewLogged } from './store.ts'

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
    const recorded =
      caller.support === undefined
        ? await recordMemberView(change, { cameraId, at: answer.takenAt })
        : await recordSupportView(change, { action: 'recordedPicture', target, format: format.value })
    return recorded.ok ? toPictureReply(answer) : recorded
  })

/** Of members, the log says which hours of footage they looked at by single pictures. */
const recordMemberView = (
  change: Pick<Change<MemberCaller>, 'caller' | 'tx' | 'audit'>,
  { cameraId, at }: { readonly cameraId: number; readonly at: number },
) =>
  change.tx(change.caller, async (tx) => {
    const { accountId, userId, apiKeyId } = change.caller
    const after = pictureHour(at)
    const view = { accountId, userId, apiKeyId, cameraId, from: after.from }
    if (await isPictureViewLogged(tx, view)) return ok(undefined)
    await change.audit({ action: 'recordedPicture', target: { kind: 'camera', id: cameraId }, after })
    return ok(undefined)
  })
