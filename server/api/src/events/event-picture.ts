import type { ApiError } from '@sightline/contract/errors'
import { getEventPicture } from '@sightline/contract/events'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import { serveChange } from '@sightline/platform/http'
import { fail } from '@sightline/platform/result'
import { findCamera, pictureFormat, recordFootageView, toPictureReply } from '../cameras/index.ts'
import { findEvent } from './store.ts'

const noSuchEvent: ApiError = { error: 'notFound' }
const noCamera: ApiError = { error: 'notFound', detail: 'this event has no camera, or its camera was removed' }

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'recordedPicture'>
}

/** What the footage of an event's camera shows at the time of the event. */
export const eventPicture = ({ db, media }: Deps) =>
  serveChange(getEventPicture, async (change, { params: { eventId }, header }) => {
    const { caller } = change
    const found = await db.inTenant(caller, async (tx) => {
      const event = await findEvent(tx, caller, eventId)
      const cameraId = event?.cameraId ?? undefined
      return { event, camera: cameraId === undefined ? undefined : await findCamera(tx, caller, cameraId) }
    })
    if (found.event === undefined) return fail(noSuchEvent)
    if (found.camera === undefined) return fail(noCamera)
    const format = pictureFormat(caller, header('accept'))
    if (!format.ok) return format
    const { accountId, cameraId } = found.camera
    const at = Date.parse(found.event.timestamp)
    const answer = await media.recordedPicture({ accountId, cameraId, at, format: format.value })
    if (answer.kind !== 'picture') return toPictureReply(answer)
    const target = { kind: 'event', id: eventId }
    const view = { action: 'eventPicture', target, format: format.value, cameraId, at: answer.takenAt } as const
    const recorded = await recordFootageView(change, view)
    return recorded.ok ? toPictureReply(answer) : recorded
  })
