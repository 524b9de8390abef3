import { IncomingMessage, type ServerResponse } from 'node:http'
import { cutTarget, isValidText, STORABLE } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { readBody } from '../../sign-in-pages/index.ts'

const FORM = 'application/x-www-form-urlencoded'

/**
 * The same request with its form parsed and checked, and `query` appended for clients that need it (api.md §3).
 * Anything else than a form, without a query, passes unchanged: the provider reports what it expects. A failure is a
 * sentence for the client.
 */
export async function withCheckedForm(req: IncomingMessage, query: string): Promise<Result<IncomingMessage, string>> {
  if (!isValidText(decodedBasic(req))) return fail(`Authorization: ${STORABLE}`)
  const type = req.headers['content-type']
  const isForm = type?.toLowerCase().startsWith(FORM) ?? query !== ''
  if (!isForm) return query === '' ? ok(req) : fail(`with parameters in the query, the body must be ${FORM} or empty`)
  const body = await readBody(req)
  if (body === undefined) return fail('the body can be at most 8 KiB')
  const whole = [body, query].filter((part) => part !== '').join('&')
  const wrong = [...new URLSearchParams(whole)].find((parameter) => !parameter.every(isValidText))
  return wrong === undefined
    ? ok(withBody(req, Buffer.from(whole)))
    : fail(`a parameter contains invalid text: ${STORABLE}`)
}

/** Id and secret of a client as RFC 6749 §2.3.1 has them in a header: encoded like a form, then in Base64. */
function decodedBasic({ headers }: IncomingMessage): string {
  const credentials = /^basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return Buffer.from(credentials, 'base64').toString('utf8').replaceAll('%00', '\0')
}

function withBody(req: IncomingMessage, body: Buffer): IncomingMessage {
  const moved = new IncomingMessage(req.socket)
  moved.method = req.method ?? 'POST'
  moved.url = cutTarget(req.url).path
  moved.httpVersion = req.httpVersion
  // Without a charset: a form is UTF-8, and it was checked as UTF-8.
  moved.headers = { ...req.headers, 'content-type': FORM, 'content-length': String(body.length) }
  delete moved.headers['transfer-encoding']
  moved.complete = true
  moved.push(body)
  moved.push(null)
  return moved
}

/** An error of RFC 6749 §5.2 that is found before the provider sees the request. */
export function sendOAuthError(
  res: ServerResponse,
  refusal: { readonly status: number; readonly error: string; readonly description: string },
): void {
  const body = JSON.stringify({ error: refusal.error, error_description: refusal.description })
  // The rest of the request isn't read.
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  }
  res.writeHead(refusal.status, headers)
  res.end(body)
}
