import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { DEVICE, type OnvifClient, type OnvifResult, type OnvifService } from './onvif-client.ts'
import type { HttpAddress } from './onvif-http.ts'
import { list, neededText, optionalElement, text } from './shapes.ts'

/** The services of a camera that are used; undefined: the camera doesn't name it, which doesn't mean that it lacks it. */
export type OnvifServices = Readonly<Record<OnvifServiceName, OnvifService | undefined>>

export type OnvifServiceName = keyof typeof NAMESPACES

/** By the name of each service, other than that of the device itself. */
export const NAMESPACES = {
  media: 'http://www.onvif.org/ver10/media/wsdl',
  media2: 'http://www.onvif.org/ver20/media/wsdl',
  events: 'http://www.onvif.org/ver10/events/wsdl',
  ptz: 'http://www.onvif.org/ver20/ptz/wsdl',
  imaging: 'http://www.onvif.org/ver20/imaging/wsdl',
  deviceIo: 'http://www.onvif.org/ver10/deviceIO/wsdl',
  analytics: 'http://www.onvif.org/ver20/analytics/wsdl',
  recording: 'http://www.onvif.org/ver10/recording/wsdl',
  search: 'http://www.onvif.org/ver10/search/wsdl',
  replay: 'http://www.onvif.org/ver10/replay/wsdl',
} as const

export const { media: MEDIA, media2: MEDIA2, events: EVENTS } = NAMESPACES
const MAX_SERVICES = 64

const servicesShape = z.object({
  Service: list(z.object({ Namespace: neededText, XAddr: neededText }), MAX_SERVICES),
})
const place = optionalElement(z.object({ XAddr: text }))
const capabilitiesShape = z.object({
  Capabilities: optionalElement(
    z.object({
      Device: place,
      Media: place,
      Events: place,
      PTZ: place,
      Imaging: place,
      Analytics: place,
      Extension: optionalElement(z.object({ DeviceIO: place, Recording: place, Search: place, Replay: place })),
    }),
  ),
})

/** By GetServices, and by the older GetCapabilities where the camera doesn't know it or names no media service. */
export async function findServices(client: OnvifClient): Promise<OnvifResult<OnvifServices>> {
  const newer = await namedServices(client)
  if (!newer.ok && newer.failure.kind !== 'badReply' && newer.failure.kind !== 'timeout') return newer
  const services = newer.ok ? newer.value : new Map<string, string>()
  if (!services.has(MEDIA) && !services.has(MEDIA2)) {
    const older = await namedCapabilities(client)
    if (!older.ok) return newer.ok ? ok(reachable(client.address, services)) : older
    for (const [namespace, address] of older.value) if (!services.has(namespace)) services.set(namespace, address)
  }
  return ok(reachable(client.address, services))
}

async function namedServices(client: OnvifClient): Promise<OnvifResult<Map<string, string>>> {
  const service = { address: client.address, named: '' }
  const content = '<o:IncludeCapability>false</o:IncludeCapability>'
  const call = { service, namespace: DEVICE, operation: 'GetServices', content, shape: servicesShape }
  const reply = await client.call(call)
  if (!reply.ok) return reply
  return ok(new Map(reply.value.value.Service.map(({ Namespace, XAddr }) => [Namespace, XAddr])))
}

async function namedCapabilities(client: OnvifClient): Promise<OnvifResult<Map<string, string>>> {
  const service = { address: client.address, named: '' }
  const operation = 'GetCapabilities'
  const asked = (category: string) => {
    const content = `<o:Category>${category}</o:Category>`
    return client.call({ service, namespace: DEVICE, operation, content, shape: capabilitiesShape })
  }
  const whole = await asked('All')
  // Some cameras know single categories only.
  const reply = whole.ok || whole.failure.isRefusal !== true ? whole : await asked('Media')
  if (!reply.ok) return fail(reply.failure)
  const { Device, Media, Events, PTZ, Imaging, Analytics, Extension } = reply.value.value.Capabilities ?? {}
  const named = [
    [DEVICE, Device?.XAddr],
    [MEDIA, Media?.XAddr],
    [EVENTS, Events?.XAddr],
    [NAMESPACES.ptz, PTZ?.XAddr],
    [NAMESPACES.imaging, Imaging?.XAddr],
    [NAMESPACES.analytics, Analytics?.XAddr],
    [NAMESPACES.deviceIo, Extension?.DeviceIO?.XAddr],
    [NAMESPACES.recording, Extension?.Recording?.XAddr],
    [NAMESPACES.search, Extension?.Search?.XAddr],
    [NAMESPACES.replay, Extension?.Replay?.XAddr],
  ] as const
  return ok(new Map(named.flatMap(([namespace, address]) => (address ? [[namespace, address] as const] : []))))
}

function reachable(reached: HttpAddress, services: ReadonlyMap<string, string>): OnvifServices {
  const device = services.get(DEVICE)
  const find = (namespace: string): OnvifService | undefined => {
    const named = services.get(namespace)
    const address = named === undefined ? undefined : onReachedHost(reached, named, device)
    return named === undefined || address === undefined ? undefined : { address, named }
  }
  return {
    media: find(NAMESPACES.media),
    media2: find(NAMESPACES.media2),
    events: find(NAMESPACES.events),
    ptz: find(NAMESPACES.ptz),
    imaging: find(NAMESPACES.imaging),
    deviceIo: find(NAMESPACES.deviceIo),
    analytics: find(NAMESPACES.analytics),
    recording: find(NAMESPACES.recording),
    search: find(NAMESPACES.search),
    replay: find(NAMESPACES.replay),
  }
}

/**
 * Where an address that the camera named is reached: always on the host that was reached before, because cameras behind a router
 * name inner addresses and hostile ones name anything. The port is the one reached if the camera names the same port for its
 * device service (`device`), since a router may have changed it; otherwise the named one. A camera that was reached over TLS is
 * never asked without it. undefined for what is no http.
 */
export function onReachedHost(
  reached: HttpAddress,
  named: string,
  device: string | undefined,
): HttpAddress | undefined {
  // A few cameras name the path only.
  if (/^\/[^/]/.test(named)) return { ...reached, path: named }
  const url = toUrl(named)
  if (url === undefined) return undefined
  const own = toUrl(device ?? '')
  const isSameHost = url.hostname.replaceAll(/[[\]]/g, '').toLowerCase() === reached.host.toLowerCase()
  const isAtDevice = own === undefined ? !isSameHost : own.host === url.host && own.protocol === url.protocol
  const path = `${url.pathname}${url.search}`
  if (isAtDevice && !isSameHost) return { ...reached, path }
  if (reached.isSecure === true && url.protocol === 'http:') return { ...reached, path }
  const isSecure = url.protocol === 'https:'
  return { host: reached.host, port: Number(url.port || (isSecure ? '443' : '80')), path, isSecure }
}

function toUrl(named: string): URL | undefined {
  const url = URL.canParse(named) ? new URL(named) : undefined
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined
}
