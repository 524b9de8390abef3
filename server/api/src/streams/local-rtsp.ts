import { createHash } from 'node:crypto'
import { getCameraConnection } from '@sightline/contract/camera-connection'
import { getDenyReason } from '@sightline/contract/rights'
import type { MemberCaller } from '@sightline/platform/sessions'

/** Where a camera sends a stream in its own network. The address is empty, the port 0 or the path empty while it isn't known. */
export interface LocalStream {
  readonly address: string
  readonly port: number
  /** With its query. */
  readonly path: string
  readonly isSecure: boolean
}

/** Whether a caller may know where cameras are: as `cameras/{cameraId}/connection/details`, with its local addresses. */
export const maySeeLocalRtsp = (caller: MemberCaller): boolean =>
  caller.rights.has('localExceptions') && getDenyReason(getCameraConnection, caller) === undefined

/**
 * The address of a stream in the camera's network; undefined if it isn't known, or if it could contain credentials.
 *
 * @param password the stored one of the camera.
 */
export function localRtspUrl(stream: LocalStream, password: string | undefined): string | undefined {
  const { address, port, path, isSecure } = stream
  const isKnown = address !== '' && port !== 0 && path !== ''
  if (!isKnown || mayContainCredentials(path, password)) return undefined
  const host = address.includes(':') ? `[${address}]` : address
  return `${isSecure ? 'rtsps' : 'rtsp'}://${host}:${port}${path}`
}

/**
 * Names of credentials before `=` or `:`, in a query or in the path itself, as cameras write them: `?user=…`, `&loginpas=…`,
 * `/user=admin_password=…_channel=1`.
 */
const CREDENTIAL_NAME =
  /(?:us(?:e)?r|login|pas|pwd|psw|auth|token|key|secret|cred|sign|session_?id|md5|hash)[\w.[\]-]*\s*[=:]/

/** Of encoded text inside of encoded text; what is encoded more often isn't shown. */
const MAX_ENCODINGS = 4

function mayContainCredentials(path: string, password: string | undefined): boolean {
  const readings = listReadings(path)
  if (readings === undefined) return true
  const secrets = password ? listShapes(password).map(folded) : []
  return readings
    .map(folded)
    .some((text) => text.includes('@') || CREDENTIAL_NAME.test(text) || secrets.some((secret) => text.includes(secret)))
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The path as it is written and as often as it can be decoded; undefined if that is too often. */
function listReadings(path: string): readonly string[] | undefined {
  const readings = [path]
  let text = path
  for (let count = 0; count < MAX_ENCODINGS; count += 1) {
    const decoded = percentDecoded(text)
    if (decoded === text) return [...readings, ...readings.map((each) => each.replaceAll('+', ' '))]
    readings.push(decoded)
    text = decoded
  }
  return undefined
}

/** Unlike `decodeURIComponent`, it leaves a lone % as it is. */
const percentDecoded = (text: string): string =>
  Buffer.from(
    Buffer.from(text)
      .toString('latin1')
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

/** The password as cameras write it into addresses: plain, as digits of its bytes, in Base64 or as a hash. */
function listShapes(password: string): readonly string[] {
  const bytes = Buffer.from(password)
  const hashes = ['md5', 'sha1', 'sha256'].map((name) => createHash(name).update(bytes).digest())
  const encoded = [bytes, ...hashes].flatMap((each) => [each.toString('hex'), ...listBase64(each)])
  return [password, ...encoded]
}

/** The Base64 of bytes, also behind others as in `user:password`: without the characters that their neighbors share. */
function listBase64(bytes: Buffer): readonly string[] {
  const shifted = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url')
    const isShared = (before + bytes.length) % 3 !== 0
    return text.slice(Math.ceil((before * 4) / 3), isShared ? -1 : undefined)
  })
  const urlSafe = shifted.filter((text) => text.length >= MIN_ENCODED)
  return [...urlSafe, ...urlSafe.map((text) => text.replaceAll('-', '+').replaceAll('_', '/'))]
}

/** Shorter pieces say nothing about a password, but are in many paths. */
const MIN_ENCODED = 4
