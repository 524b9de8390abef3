import * as z from 'zod/mini'

/** A camera answers on this port if the caller names a path of a stream and no port (RFC 7826). */
export const DEFAULT_RTSP_PORT = 554
/** The same over TLS. */
export const DEFAULT_RTSPS_PORT = 322

const HOST_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const HOST_NAME = new RegExp(`^${HOST_LABEL}(?:\\.${HOST_LABEL})*\\.?$`, 'i')
/** An IPv4 address with a port has a colon too, and isn't one. */
const ipv6 = z.ipv6()
const MAX_HOST_LENGTH = 253

/** Why a text isn't the address of a camera; undefined if it may be one. It can still be unreachable. */
export function cameraAddressProblem(text: string): string | undefined {
  if (text === '') return 'Please enter an IP address or host name'
  if (text.includes('://') || text.includes('/')) return 'Enter the IP address or host name only, such as 192.168.1.64'
  if (text.length > MAX_HOST_LENGTH) return 'This address is too long'
  const isDottedNumbers = /^[\d.]+$/.test(text)
  if (isDottedNumbers && !/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text))
    return 'Enter a valid IP address, such as 192.168.1.64'
  return HOST_NAME.test(text) || ipv6.safeParse(text).success ? undefined : 'Enter a valid IP address or host name'
}

const MAC_ADDRESS = /^(?:[0-9a-f]{2}([:-]?)[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})$/i

/** The MAC address in lower case with colons, however its digits are separated; undefined if it is none of one device. */
export function parseMacAddress(text: string): string | undefined {
  const pairs = MAC_ADDRESS.test(text.trim())
    ? (text
        .replaceAll(/[^0-9a-f]/gi, '')
        .toLowerCase()
        .match(/../g) ?? [])
    : []
  // The lowest bit of the first byte is set in addresses of groups.
  const isGroup = Number.parseInt(pairs[0] ?? '01', 16) % 2 === 1
  return isGroup || pairs.every((pair) => pair === '00') ? undefined : pairs.join(':')
}

/** Why a text isn't the MAC address of a device. */
export function macAddressProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Please enter a MAC address'
  return parseMacAddress(text) === undefined ? 'Enter a valid MAC address, such as 00:1a:2b:3c:4d:5e' : undefined
}

/** Whether a caller with these rights may add cameras in one way at least. */
export const mayAddCameras = (rights: Pick<ReadonlySet<string>, 'has'>): boolean =>
  rights.has('addCameraManually') || rights.has('addPnpCamera')

/** The address as it is stored: lower case, IPv6 without brackets. */
export const normalizeCameraAddress = (text: string): string =>
  text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()

/** Why a text isn't the path of a stream on a camera. */
export function streamPathProblem(text: string): string | undefined {
  if (!text.startsWith('/')) return 'The stream path starts with a slash, such as /stream1'
  return /^[\x21-\x7e]+$/.test(text) ? undefined : 'The stream path can’t contain spaces or special characters'
}
