import { isIP } from 'node:net'

/** The mail server. Contains a password: never log it. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** `tls`: from the first byte; `starttls`: before any other command, or not at all; `off`: unencrypted. */
  readonly security: 'tls' | 'starttls' | 'off'
  readonly login: { readonly user: string; readonly password: string } | undefined
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** RFC 8314: submission with TLS from the first byte, and RFC 6409: submission with STARTTLS. */
const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const

function portOf(url: URL): number | undefined {
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') return undefined
  return url.port === '' ? PORTS[url.protocol] : Number(url.port)
}

/** `smtp` encrypts by STARTTLS unless the server is this machine or `?tls=off` says otherwise. */
function securityOf(url: URL, host: string): SmtpServer['security'] | undefined {
  const asked = url.searchParams.get('tls')
  const isKnown = [...url.searchParams.keys()].every((name) => name === 'tls')
  if (!isKnown || (asked !== null && asked !== 'on' && asked !== 'off')) return undefined
  if (url.protocol === 'smtps:') return asked === 'off' ? undefined : 'tls'
  const isOff = asked === null ? isLoopback(host) : asked === 'off'
  return isOff ? 'off' : 'starttls'
}

/** Reads `smtp[s]://[user:password@]host[:port][?tls=on|off]`; undefined if it is anything else. */
export function parseSmtpServer(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = portOf(url)
  const security = securityOf(url, host)
  if (host === '' || port === undefined || port === 0 || security === undefined) return undefined
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '') return undefined
  try {
    const user = decodeURIComponent(url.username)
    const password = decodeURIComponent(url.password)
    if ((user === '') !== (password === '')) return undefined
    return { host, port, security, login: user === '' ? undefined : { user, password } }
  } catch {
    return undefined
  }
}
