/** The most hosts of one brand. */
export const MAX_BRAND_HOSTS = 20

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** A domain name (RFC 1123) with a port or without. Its last label is no number, so that an IP address is none. */
const DOMAIN = new RegExp(`^(?=[^:]{1,253}(?::|$))(?:${LABEL}\\.)*(?![0-9]+(?::|$))${LABEL}(?::([1-9][0-9]{0,4}))?$`)
const MAX_PORT = 65_535

/** The message for an invalid host, or undefined if it is valid. */
export function brandHostProblem(text: string): string | undefined {
  const port = DOMAIN.exec(text.trim().toLowerCase())
  return port === null || Number(port[1] ?? 1) > MAX_PORT ? 'Enter a domain name, such as video.example.com' : undefined
}

/** As the host is stored and compared: lower case, without the port that a browser leaves out. */
export const normalBrandHost = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/:(80|443)$/, '')

/** The host in an address that was pasted: `https://Video.example.com/app` is `video.example.com`. */
export const hostInText = (text: string): string =>
  normalBrandHost(text.trim().replace(/^https?:\/\/([^/?#]*).*$/i, '$1'))
