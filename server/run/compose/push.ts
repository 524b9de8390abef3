import type { PushDeps } from '@sightline/api'
import { systemClock } from '@sightline/platform/clock'
import { isPushEndpoint, publicPushKey, pushDelivery } from '@sightline/platform/web-push'
import type { Config } from './config.ts'
import type { Secrets } from './secrets.ts'

/** Sends push messages, for the API and for alerts. */
export function openPush(config: Config, secrets: Secrets): PushDeps {
  const { pushNetworks: networks } = config
  const settings = { privateKey: secrets.pushKey, contact: contactOf(config), networks, clock: systemClock }
  return {
    applicationServerKey: publicPushKey(secrets.pushKey),
    deliver: pushDelivery(settings),
    isEndpoint: (address) => isPushEndpoint(address, settings),
  }
}

/** Contact address for operators of push services (RFC 8292 §2.1); some reject messages without it. */
function contactOf({ mail, publicUrl }: Config): string {
  if (mail.kind === 'smtp') return `mailto:${mail.from}`
  return publicUrl?.protocol === 'https:' ? publicUrl.origin : 'mailto:operator@sightline.invalid'
}
