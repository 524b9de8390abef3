import type { IncomingMessage } from 'node:http'
import { isValidText } from '@sightline/platform/http'

/** Enough for an address of 255 characters and a password of 128, percent-encoded. */
const MAX_BYTES = 8192

/** The fields of a posted form; undefined if it isn't a form, exceeds 8 KiB, or contains invalid text. */
export async function readFields(req: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(req.headers['content-type'] ?? '')) return undefined
  const text = await readBody(req)
  const fields = new URLSearchParams(text)
  return text === undefined || ![...fields].flat().every(isValidText) ? undefined : fields
}

/** The body as text; undefined beyond 8 KiB. The connection stays open for the response. */
export async function readBody(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Whether the form came from our own page. Browsers send Sec-Fetch-Site, older ones Origin; a request with neither
 * isn't a browser's form.
 */
export function isSameOrigin(req: IncomingMessage, origin: string): boolean {
  const site = req.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return req.headers.origin === origin
}
