import { type PushParts, pushQueue, sendDuePushes, watchCameras } from '@sightline/api'
import type { BrandSource } from '@sightline/platform/brands'
import { MS_PER_SECOND, repeatUntil, systemClock } from '@sightline/platform/clock'
import { type Db, idSource } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import { sealing } from '@sightline/platform/sealing'
import { isPushEndpoint, publicPushKey, pushDelivery } from '@sightline/platform/web-push'
import type { Config } from './config.ts'
import type { Secrets } from './secrets.ts'

/** How often cameras are looked at; delays are whole minutes. */
const WATCH_EVERY_MS = 5 * MS_PER_SECOND
const SEND_EVERY_MS = MS_PER_SECOND

/** How browsers are written to, by the API as well as by alerts. */
export function openPush(config: Config, secrets: Secrets): PushParts {
  const { pushNetworks: networks } = config
  const settings = { privateKey: secrets.pushKey, contact: contactOf(config), networks, clock: systemClock }
  return {
    applicationServerKey: publicPushKey(secrets.pushKey),
    deliver: pushDelivery(settings),
    isEndpoint: (address) => isPushEndpoint(address, settings),
  }
}

/** Where operators of push services reach whoever runs this (RFC 8292 §2.1); some refuse a message without it. */
function contactOf({ mail, publicUrl }: Config): string {
  if (mail.kind === 'smtp') return `mailto:${mail.from}`
  return publicUrl?.protocol === 'https:' ? publicUrl.origin : 'mailto:operator@sightline.invalid'
}

export interface AlertsParts {
  /** Under the role `alerts`. */
  readonly db: Db
  readonly brands: BrandSource
  readonly push: PushParts
  readonly secrets: Secrets
  readonly log: Logger
}

/** Tells people of cameras that stay offline and that are back, by mail and in their browsers, until it is disposed. */
export function startAlerts({ db, brands, push, secrets, log }: AlertsParts): AsyncDisposable {
  const closing = new AbortController()
  const { signal } = closing
  const seals = sealing(secrets.installationKey)
  const ids = idSource(db)
  const clock = systemClock
  const pushes = pushQueue({ ids, sealing: seals, clock })
  const parts = { db, ids, brands, outbox: mailOutbox(seals, clock), pushes, clock, log }
  const watching = watchCameras(parts, { everyMs: WATCH_EVERY_MS, signal })
  const sending = repeatUntil(signal, SEND_EVERY_MS, () =>
    sendDuePushes({ db, sealing: seals, clock, log, deliver: push.deliver }, signal).catch((err: unknown) =>
      log.warn({ err }, 'messages to browsers cannot be read'),
    ),
  )
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await Promise.all([watching, sending])
    },
  }
}
