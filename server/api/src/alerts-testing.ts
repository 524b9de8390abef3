import { randomBytes } from 'node:crypto'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import type { ManualClock } from '@sightline/platform/clock'
import { type Db, idSource, instant } from '@sightline/platform/db'
import { type EnvelopeEncryption, envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type Logger, silentLogger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import { idleMedia } from './media-testing.ts'
import type { EventAlertDeps } from './notification-settings/event-alerts/index.ts'
import { pushQueue } from './push-devices/index.ts'

/** Sends camera notifications like a process of the product, for tests. */
export function alertDeps(given: {
  /** Under the role `alerts`. */
  readonly db: Db
  readonly clock: ManualClock
  readonly seals?: EnvelopeEncryption
  readonly log?: Logger
  readonly media?: Pick<MediaPlane, 'recordedPicture'>
}): EventAlertDeps {
  const { db, clock, seals = envelopeEncryption(randomBytes(32)), log = silentLogger, media = idleMedia } = given
  const ids = idSource(db)
  const ownHosts = () => ['video.example']
  return {
    db,
    ids,
    brands: brandSource(createBrandLookup(db), { scheme: 'https', ownHosts, clock }),
    outbox: mailOutbox(seals, clock),
    pushes: pushQueue({ ids, encryption: seals, clock }),
    media,
    clock,
    log,
  }
}

/** As the media plane leaves a camera's row. */
export async function setStatus(
  owner: Db,
  of: { readonly accountId: number; readonly cameraId: number },
  /** Since when it is offline; undefined if it is online. */
  offlineSince: number | undefined,
): Promise<void> {
  const values = {
    online: offlineSince === undefined,
    offline_since: offlineSince === undefined ? null : instant(offlineSince),
    changed_at: instant(Date.now()),
  }
  await owner.plain
    .insertInto('camera_status')
    .values({ account_id: of.accountId, camera_id: of.cameraId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'camera_id']).doUpdateSet(values))
    .execute()
}
