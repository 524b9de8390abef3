import { generateKeyPairSync } from 'node:crypto'
import { type EnvelopeEncryption, envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { isPushEndpoint, publicPushKey, pushDelivery } from '@sightline/platform/web-push'
import type { PushDeps } from './index.ts'

/** Writes to browsers as the product does; push services may be on loopback. For tests. */
export function pushTesting(clock: { readonly now: number }): {
  readonly push: PushDeps
  readonly encryption: EnvelopeEncryption
} {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const settings = {
    privateKey,
    contact: 'mailto:operator@video.example',
    networks: ['127.0.0.0/8'],
    clock: { now: () => clock.now },
  }
  return {
    encryption: envelopeEncryption(Buffer.alloc(32, 7)),
    push: {
      applicationServerKey: publicPushKey(privateKey),
      deliver: pushDelivery(settings),
      isEndpoint: (address) => isPushEndpoint(address, settings),
    },
  }
}
