import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { getPushPicture } from '@sightline/contract/push-pictures'
import type { Db } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { serve } from '@sightline/platform/http'
import { createRateLimiter } from '@sightline/platform/limits'
import { fail } from '@sightline/platform/result'
import { toPictureReply } from '../cameras/index.ts'
import { canShowPicture } from '../notification-settings/index.ts'
import { isRegistered, openPictureToken } from '../push-devices/index.ts'

interface Deps {
  /** The caller is a browser without a user. */
  readonly deviceDb: Db
  readonly encryption: EnvelopeEncryption
  readonly media: Pick<MediaPlane, 'recordedPicture'>
  readonly now: () => number
}

const noSuchPicture: ApiError = {
  error: 'notFound',
  detail: 'this picture is no longer available: it expired, or the notification is not for this browser any more',
}
/** Of one browser; it needs one picture per message. */
const PICTURES = { perSecond: 0.5, burst: 20 }

/** Pictures of push messages, read from the footage when a browser shows the message (docs/decisions/0135). */
export const pushPictures = ({ deviceDb, encryption, media, now }: Deps) => {
  const limiter = createRateLimiter(PICTURES, () => performance.now())
  return [
    serve(getPushPicture, async (_caller, { header }) => {
      const picture = openPictureToken(encryption, header('authorization'), now())
      if (picture === undefined) return fail(noSuchPicture)
      const waitMs = limiter.consume(String(picture.pushDeviceId))
      if (waitMs !== undefined) return fail({ error: 'tooManyRequests', retryAfter: Math.max(1, waitMs / 1000) })
      const { accountId, userId, cameraId, at } = picture
      const isAllowed = await deviceDb.inTenant(
        { accountId, userId },
        async (tx) => (await isRegistered(tx, picture)) && (await canShowPicture(tx, picture)),
      )
      if (!isAllowed) return fail(noSuchPicture)
      return toPictureReply(await media.recordedPicture({ accountId, cameraId, at, format: 'jpeg' }))
    }),
  ]
}
