/** A camera answers on this port if the caller names a path of a stream and no port (RFC 7826). */
export const DEFAULT_RTSP_PORT = 554
/** The same over TLS. */
export const DEFAULT_RTSPS_PORT = 322

const HOST_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const HOST_NAME = new RegExp(`^${HOST_LABEL}(?:\\.${HOST_LABEL})*\\.?$`, 'i')
const IPV6 = /^[0-9a-f:.]*:[0-9a-f:.]*$/i
const MAX_HOST_LENGTH = 253

/** Why a text isn't the address of a camera; undefined if it may be one. It can still be unreachable. */
export function cameraAddressProblem(text: string): string | undefined {
  if (text === '') return 'Please enter an IP address or host name'
  if (text.includes('://') || text.includes('/')) return 'Enter the IP address or host name only, such as 192.168.1.64'
  if (text.length > MAX_HOST_LENGTH) return 'This address is too long'
  const isDottedNumbers = /^[\d.]+$/.test(text)
  if (isDottedNumbers && !/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text))
    return 'Enter a valid IP address, such as 192.168.1.64'
  return HOST_NAME.test(text) || IPV6.test(text) ? undefined : 'Enter a valid IP address or host name'
}

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
