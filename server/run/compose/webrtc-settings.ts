import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { WebRtcSettings } from '@sightline/media/control'
import { z } from 'zod'
import type { Config } from './config.ts'
import { port, setting } from './setting.ts'

const addresses = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.string().refine((text) => isIP(text) > 0)).max(8))

/** Live video over WebRTC (docs/guide/video.md). */
export const WEBRTC_SETTINGS = {
  SIGHTLINE_WEBRTC_PORT: setting({
    summary:
      'First UDP port for live video over WebRTC (WHEP); each media worker uses one port, counted up from it. Signaling uses the port of the web pages.',
    values: '0 to 65535, such as `8189`; 0 turns WebRTC off',
    unset: '`0`',
    schema: port.default(0),
  }),
  SIGHTLINE_WEBRTC_ADDRESSES: setting({
    summary:
      'IP addresses where viewers reach the UDP ports of SIGHTLINE_WEBRTC_PORT, for example behind NAT, in a container or with a reverse proxy. If set, all addresses of this machine are listened on.',
    values: 'IP addresses, separated by commas, such as `203.0.113.7,192.168.1.20`',
    unset: 'the address of `SIGHTLINE_HOST`, or those of this machine',
    schema: addresses.optional(),
  }),
}

/** Each worker has a port of its own. */
export function webRtcPort(
  { webRtc, listen }: Pick<Config, 'webRtc' | 'listen'>,
  index: number,
): WebRtcSettings | undefined {
  if (webRtc === undefined) return undefined
  const port = webRtc.port + index
  const { addresses } = webRtc
  if (addresses !== undefined) return { host: addresses.some(isIPv6) ? '::' : '0.0.0.0', port, addresses }
  const host = listen.host === 'localhost' ? '127.0.0.1' : listen.host
  return { host, port, addresses: host === '0.0.0.0' || host === '::' ? ownAddresses(host) : [host] }
}

/** Those of all workers; none if WebRTC is off. */
export const webRtcPorts = (config: Pick<Config, 'webRtc' | 'listen' | 'mediaWorkers'>): readonly WebRtcSettings[] =>
  Array.from({ length: config.mediaWorkers }, (_, index) => webRtcPort(config, index) ?? []).flat()

/** Those that others can reach. */
const ownAddresses = (host: string): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family, scopeid }) => !internal && (family === 'IPv4' || (host === '::' && scopeid === 0)))
    .map(({ address }) => address)

const LOOPBACK = /^(?:127\.|::1$|localhost$)/

/** One sentence if the settings contradict each other. */
export function findWebRtcContradiction(
  { webRtc, listen, tls, mediaWorkers }: Pick<Config, 'webRtc' | 'listen' | 'tls' | 'mediaWorkers'>,
  hasAddresses: boolean,
): string | undefined {
  if (webRtc === undefined)
    return hasAddresses
      ? 'SIGHTLINE_WEBRTC_ADDRESSES is set, but WebRTC is off. Set SIGHTLINE_WEBRTC_PORT too.'
      : undefined
  const last = webRtc.port + mediaWorkers - 1
  if (last > 65_535)
    return `SIGHTLINE_WEBRTC_PORT is ${webRtc.port}, and ${mediaWorkers} media workers need the ports up to ${last}. Choose a lower one.`
  const isReachable = webRtc.addresses !== undefined || tls.kind !== 'behind-proxy' || !LOOPBACK.test(listen.host)
  return isReachable
    ? undefined
    : 'SIGHTLINE_WEBRTC_PORT needs SIGHTLINE_WEBRTC_ADDRESSES behind a proxy, because media goes directly to viewers. Set it to the addresses where they reach this machine.'
}
