import { generateKeyPairSync } from 'node:crypto'
import type { WebPushSubscription } from '@sightline/contract/push-devices'
import { type Sealing, sealing } from '@sightline/platform/sealing'
import { isPushEndpoint, publicPushKey, pushDelivery } from '@sightline/platform/web-push'
import type { PushParts } from './index.ts'

/** Writes to browsers as the product does; push services may be on loopback. For tests. */
export function pushTesting(clock: { readonly now: number }): { readonly push: PushParts; readonly sealing: Sealing } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const settings = {
    privateKey,
    contact: 'mailto:operator@video.example',
    networks: ['127.0.0.0/8'],
    clock: { now: () => clock.now },
  }
  return {
    sealing: sealing(Buffer.alloc(32, 7)),
    push: {
      applicationServerKey: publicPushKey(privateKey),
      deliver: pushDelivery(settings),
      isEndpoint: (address) => isPushEndpoint(address, settings),
    },
  }
}

/** What a browser gives out whom nobody writes to; of each number another one. */
export function aSubscription(number: number): WebPushSubscription {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const keys = { p256dh: point.toString('base64url'), auth: Buffer.alloc(16, number).toString('base64url') }
  return { endpoint: `https://push.example/${number}`, keys }
}
