import type { ApiError } from '@sightline/contract/errors'
import type { RecordedPictureAnswer, SnapshotAnswer, SnapshotFormat } from '@sightline/contract/media-plane'
import { toDateTime } from '@sightline/contract/wire'
import { pictureHour } from '@sightline/platform/audit'
import type { Change, RawReply } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { snapshotFormat } from './rules.ts'
import { isPictureViewLogged, isViewLogged, type LoggedView } from './store.ts'

const hiddenPicture: ApiError = {
  error: 'mediaNotSupported',
  detail: "the owner doesn't allow support to see video: only blurred snapshots are available, as image/jpeg",
}

/** What a caller gets for their Accept header; support sees nothing clear while the owner hides video. */
export function pictureFormat(caller: MemberCaller, accept: string | undefined): Result<SnapshotFormat, ApiError> {
  const format = snapshotFormat(accept, caller.support?.video)
  return format === undefined ? fail(hiddenPicture) : ok(format)
}

/** The owner's log records what support sees, before it is sent. */
export async function recordSupportView(
  change: Pick<Change<MemberCaller>, 'caller' | 'tx' | 'audit'>,
  view: Pick<LoggedView, 'action' | 'target'> & { readonly format: SnapshotFormat },
): Promise<Result<undefined, ApiError>> {
  const { accountId, support } = change.caller
  if (support === undefined) return ok(undefined)
  const { action, target } = view
  const picture = view.format === 'blurredJpeg' ? 'blurred' : 'clear'
  return change.tx(change.caller, async (tx) => {
    if (await isViewLogged(tx, { accountId, action, target, staffId: support.staffId, picture })) return ok(undefined)
    await change.audit({ action, target, after: { picture } })
    return ok(undefined)
  })
}

interface FootageView extends Pick<LoggedView, 'action' | 'target'> {
  readonly format: SnapshotFormat
  readonly cameraId: number
  /** When the picture was recorded, milliseconds since 1970. */
  readonly at: number
}

/** The log records who sees a picture of footage, before it is sent. */
export const recordFootageView = (
  change: Pick<Change<MemberCaller>, 'caller' | 'tx' | 'audit'>,
  view: FootageView,
): Promise<Result<undefined, ApiError>> =>
  change.caller.support === undefined ? recordMemberView(change, view) : recordSupportView(change, view)

/** Of members, the log says which hours of footage they looked at by single pictures. */
const recordMemberView = (
  change: Pick<Change<MemberCaller>, 'caller' | 'tx' | 'audit'>,
  { cameraId, at }: Pick<FootageView, 'cameraId' | 'at'>,
) =>
  change.tx(change.caller, async (tx) => {
    const { accountId, userId, apiKeyId } = change.caller
    const after = pictureHour(at)
    const view = { accountId, userId, apiKeyId, cameraId, from: after.from }
    if (await isPictureViewLogged(tx, view)) return ok(undefined)
    await change.audit({ action: 'recordedPicture', target: { kind: 'camera', id: cameraId }, after })
    return ok(undefined)
  })

/** The reply to a question for a picture. */
export function toPictureReply(answer: SnapshotAnswer | RecordedPictureAnswer): Result<RawReply, ApiError> {
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
      return fail({ error: 'cameraOffline', detail: 'the camera is offline, so no current snapshot is available' })
    case 'noFootage':
      return fail({
        error: 'notFound',
        detail: 'there is no footage of that time: none was recorded, or it was deleted',
      })
    case 'noDecoder':
      return fail({
        error: 'mediaNotSupported',
        detail: 'this server has no video decoder: request the picture with Accept: video/mp4 if you can see video',
      })
    case 'timedOut':
      return fail({ error: 'timedOut', detail: 'no picture could be made in time: try again' })
  }
}
