/** Signature Version 4 of Amazon Web Services, as S3 uses it. */
import { createHash, createHmac } from 'node:crypto'

export interface S3Credentials {
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
}

export interface RequestToSign {
  readonly method: string
  readonly url: URL
  /** Lower-case names. `host` is added. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, 64 hexadecimal digits. */
  readonly sha256: string
  /** Milliseconds since 1970. */
  readonly now: number
}

export const EMPTY_SHA256 = createHash('sha256').digest('hex')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** RFC 3986: only unreserved characters stay. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&')

/** The headers to send, with `authorization`. The path's characters must need no escaping but that of the URL. */
export function signRequest(
  { method, url, headers, sha256, now }: RequestToSign,
  { accessKey, secretKey, region }: S3Credentials,
): Record<string, string> {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': sha256,
    'x-amz-date': time,
  }
  const names = Object.keys(all).sort()
  const signed = names.join(';')
  const lines = names.map((name) => `${name}:${all[name]?.trim() ?? ''}\n`).join('')
  const canonical = [method, url.pathname, canonicalQuery(url), lines, signed, sha256].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secretKey}`, day), region), 's3'), 'aws4_request')
  const signature = hmac(key, toSign).toString('hex')
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope},SignedHeaders=${signed},Signature=${signature}`,
  }
}
