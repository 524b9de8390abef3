import { fail, ok, type Result } from '@sightline/platform/result'
import { type CameraFault, fault, quoted } from '../camera-fault.ts'

/** The location of a stream, always without credentials. */
export interface RtspAddress {
  /** IPv6 without brackets. */
  readonly host: string
  readonly port: number
  /** Begins with a slash; the query belongs to it. */
  readonly path: string
  /** Over TLS (`rtsps`). */
  readonly isSecure?: boolean
}

const DEFAULT_PORT = 554
const DEFAULT_SECURE_PORT = 322
const MAX_URL = 2048
/** The characters allowed in a request line: no space, no control character, only ASCII. */
const URL_TEXT = /^[\x21-\x7e]*$/

/** Reads `rtsp://host[:port]/path`, or `rtsps`. A user or password inside is refused: credentials travel apart, so that they never reach a log. */
export function parseRtspAddress(text: string): Result<RtspAddress, CameraFault> {
  const refused = fail(
    fault('addressRefused', 'expected a URL such as rtsp://192.168.1.20/stream, without user name and password'),
  )
  if (text.length > MAX_URL || !URL_TEXT.test(text) || !URL.canParse(text)) return refused
  const url = new URL(text)
  const isSecure = url.protocol === 'rtsps:'
  if ((url.protocol !== 'rtsp:' && !isSecure) || url.username !== '' || url.password !== '' || url.hostname === '')
    return refused
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return ok({
    host,
    port: url.port === '' ? defaultPort(isSecure) : Number(url.port),
    path: `${url.pathname || '/'}${url.search}`,
    ...(isSecure ? { isSecure } : {}),
  })
}

const defaultPort = (isSecure: boolean): number => (isSecure ? DEFAULT_SECURE_PORT : DEFAULT_PORT)

export function rtspUrl({ host, port, path, isSecure = false }: RtspAddress): string {
  const authority = host.includes(':') ? `[${host}]` : host
  const scheme = isSecure ? 'rtsps' : 'rtsp'
  return port === defaultPort(isSecure) ? `${scheme}://${authority}${path}` : `${scheme}://${authority}:${port}${path}`
}

/**
 * The URL a `control` attribute or a Content-Base means (RFC 2326 §C.1.1). Whatever host it names, the result stays with the one that
 * was checked: cameras behind a router name inner addresses, hostile ones name anything.
 */
export function resolveControl(base: RtspAddress, control: string): Result<RtspAddress, CameraFault> {
  if (control === '' || control === '*') return ok(base)
  if (control.length > MAX_URL || !URL_TEXT.test(control))
    return fail(fault('badReply', `control URL ${quoted(control)} is not valid`))
  // Some cameras write the scheme twice.
  const absolute = /^(?:rtspu?s?:\/\/)+[^/?#]*/i.exec(control)
  if (absolute !== null) {
    const path = control.slice(absolute[0].length)
    return ok({ ...base, path: path.startsWith('/') ? path : `/${path}` })
  }
  if (control.startsWith('/')) return ok({ ...base, path: `${base.path.replace(/\/$/, '')}${control}` })
  // Not RFC 1808: every camera expects the control to be appended, even behind a query.
  return ok({ ...base, path: base.path.endsWith('/') ? `${base.path}${control}` : `${base.path}/${control}` })
}
