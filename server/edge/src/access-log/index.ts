import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@sightline/platform/log'

/** Ids, tokens and codes in a path are 16 characters and more of these, with a digit or mixed case among them. */
const SECRET_SEGMENT = /^(?=.*[0-9A-Z])[A-Za-z0-9_-]{16,}$/

/** A path as it may be written down: without its query, and without segments that look like a secret. */
export const pathForLog = (url: string): string =>
  (url.split('?', 1)[0] ?? '')
    .split('/')
    .map((segment) => (SECRET_SEGMENT.test(segment) ? '…' : segment))
    .join('/')

/** One line per request when it is over: what was asked, what was answered, how long it took. */
export function logAccess(
  log: Logger,
  req: IncomingMessage,
  res: ServerResponse,
  known: { readonly address: string; readonly requestId: string },
): void {
  const startedAt = performance.now()
  const path = pathForLog(req.url ?? '/')
  res.once('close', () => {
    const ms = Math.round((performance.now() - startedAt) * 10) / 10
    const status = res.writableFinished ? res.statusCode : 499
    log.info({ method: req.method, path, status, ms, ...known }, 'request')
  })
}
