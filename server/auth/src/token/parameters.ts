import { IncomingMessage, type ServerResponse } from 'node:http'
import { cutTarget } from '@sightline/platform/http'
import { readBody } from '../sign-in/index.ts'

const FORM = 'application/x-www-form-urlencoded'

/**
 * The same request with the parameters of its address behind those of its form, for clients that know no better (api.md
 * §3). Undefined where the body is no form or longer than 8 KiB.
 */
export async function withParametersInBody(req: IncomingMessage): Promise<IncomingMessage | undefined> {
  const type = req.headers['content-type']
  if (type !== undefined && !type.toLowerCase().startsWith(FORM)) return undefined
  const { path, query } = cutTarget(req.url)
  const body = await readBody(req)
  if (body === undefined) return undefined
  const whole = Buffer.from([body, query].filter((part) => part !== '').join('&'))
  const moved = new IncomingMessage(req.socket)
  moved.method = req.method ?? 'POST'
  moved.url = path
  moved.httpVersion = req.httpVersion
  moved.headers = { ...req.headers, 'content-type': FORM, 'content-length': String(whole.length) }
  delete moved.headers['transfer-encoding']
  moved.complete = true
  moved.push(whole)
  moved.push(null)
  return moved
}

/** An error of RFC 6749 §5.2 that is found before the provider sees the request. */
export function sendOAuthError(
  res: ServerResponse,
  refusal: { readonly status: number; readonly error: string; readonly description: string },
): void {
  const body = JSON.stringify({ error: refusal.error, error_description: refusal.description })
  // What is left of the request is not read.
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  }
  res.writeHead(refusal.status, headers)
  res.end(body)
}
