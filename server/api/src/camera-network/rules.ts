import {
  type CameraNetwork,
  type CameraNetworkPatch,
  type NetworkPart,
  networkPartNames,
} from '@sightline/contract/camera-network'
import type { ApiError } from '@sightline/contract/errors'
import type { NetworkState } from '@sightline/contract/media-plane'
import type { Right } from '@sightline/contract/rights'

type Rights = Pick<ReadonlySet<Right>, 'has'>

/** Parts with local addresses, which take the right `localExceptions`. */
const LOCAL_PARTS = ['ipv4', 'dns', 'ports'] as const satisfies readonly NetworkPart[]

/** As a caller with these rights sees it. */
export function toNetwork(cameraId: number, state: NetworkState, rights: Rights, confirmed = true): CameraNetwork {
  if (rights.has('localExceptions')) return { cameraId, ...state, confirmed }
  const hidden = { ipv4: 'hidden', dns: 'hidden', ports: 'hidden' } as const
  const unavailable = { ...state.unavailable, ...hidden }
  return { cameraId, ...state, ipv4: null, dns: null, ports: null, unavailable, confirmed }
}

export const patchedParts = (patch: CameraNetworkPatch): readonly NetworkPart[] =>
  networkPartNames.filter((name) => patch[name] !== undefined)

/** Why the caller may not change what a patch names. */
export const patchDenyReason = (rights: Rights, patch: CameraNetworkPatch): ApiError | undefined =>
  rights.has('localExceptions') || !LOCAL_PARTS.some((name) => patch[name] !== undefined)
    ? undefined
    : { error: 'notAuthorized', detail: 'this needs the right localExceptions' }

/** Why this camera can't be set like that. */
export function settingFault(state: NetworkState, patch: CameraNetworkPatch): ApiError | undefined {
  const missing = patchedParts(patch).find((name) => state[name] === null)
  if (missing !== undefined)
    return { error: 'capabilityNotSupported', detail: `${missing}: the camera doesn't offer this setting by ONVIF` }
  const { ports = {} } = patch
  const names = Object.keys(ports) as (keyof typeof ports)[]
  const closed = names.find((name) => state.ports?.[name] === null)
  if (closed !== undefined)
    return { error: 'capabilityNotSupported', detail: `ports.${closed}: the camera doesn't offer this port` }
  const open = Object.values({ ...state.ports, ...ports }).filter((port) => port !== null)
  return new Set(open).size === open.length
    ? undefined
    : { error: 'validation', detail: 'body: ports: each port can be used once' }
}

/** A camera that moves its ports at once would miss an address that is sent after them. */
export const togetherFault = ({ ipv4, ports }: CameraNetworkPatch): ApiError | undefined =>
  ipv4 === undefined || ports === undefined
    ? undefined
    : { error: 'validation', detail: 'body: ports: change the address and the ports one after the other' }

/** Without the parts that are so already. */
export function withoutKnown(state: NetworkState, patch: CameraNetworkPatch): Omit<CameraNetworkPatch, 'password'> {
  const changed = patchedParts(patch).filter((name) => !includesAll(state[name], patch[name]))
  return Object.fromEntries(changed.map((name) => [name, patch[name]]))
}

const includesAll = (known: object | null, wanted: object | undefined): boolean =>
  Object.entries(wanted ?? {}).every(
    ([name, value]) => JSON.stringify((known as Record<string, unknown> | null)?.[name]) === JSON.stringify(value),
  )

/** Of the stored connection. */
interface KnownConnection {
  readonly address: string
  readonly onvif: { readonly port: number; readonly isSecure: boolean } | null
  readonly rtspPort: number
  readonly namedPort: number | null
}

/** Where the server reaches the camera. */
export interface CameraEndpoint {
  readonly address: string
  readonly onvifPort: number
  readonly rtspPort: number
  readonly namedPort: number | null
}

/**
 * Where it is reached after the change. A part of the connection that isn't what the camera says of itself (a host name, a
 * forwarded port) stays as it is. Undefined if nothing of it changes.
 */
export function movedEndpoint(
  { address, onvif, rtspPort, namedPort }: KnownConnection,
  before: NetworkState,
  { ipv4, ports = {} }: CameraNetworkPatch,
): CameraEndpoint | undefined {
  if (onvif === null) return undefined
  const follow = (own: number, name: 'http' | 'https' | 'rtsp') =>
    own === before.ports?.[name] ? (ports[name] ?? own) : own
  const onvifPort = follow(onvif.port, onvif.isSecure ? 'https' : 'http')
  const next = {
    address: ipv4?.dhcp === false && address === before.ipv4?.address ? ipv4.address : address,
    onvifPort,
    rtspPort: follow(rtspPort, 'rtsp'),
    namedPort: namedPort === onvif.port ? onvifPort : namedPort,
  }
  const isSame = next.address === address && next.onvifPort === onvif.port && next.rtspPort === rtspPort
  return isSame ? undefined : next
}

/** What a camera that accepted a change and hasn't responded since was told. */
export const expectedState = (before: NetworkState, { ipv4, dns, ports, ntp }: CameraNetworkPatch): NetworkState => ({
  ...before,
  ...(ipv4 && { ipv4: ipv4.dhcp ? { dhcp: true, address: null, prefixLength: null, gateway: null } : ipv4 }),
  ...(dns && { dns: dns.dhcp ? { dhcp: true, servers: [] } : dns }),
  ...(ports && before.ports && { ports: { ...before.ports, ...ports } }),
  ...(ntp && before.ntp && { ntp: { ...before.ntp, ...ntp } }),
})

export const pickParts = (state: NetworkState, names: readonly NetworkPart[]) =>
  Object.fromEntries(names.map((name) => [name, state[name]]))
