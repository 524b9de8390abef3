import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Logger, pathForLog } from '@sightline/platform/log'

/** One line per finished request: the request, the response status, the duration. */
export function logAccess(
  log: Logger,
  req: IncomingMessage,
  res: ServerResponse,
  known: { readonly address: string; readonly requestId: string },
): void {
  const startedAt = performance.now()
  const { method, url = '/' } = req
  res.once('close', () => {
    const ms = Math.round((performance.now() - startedAt) * 10) / 10
    const status = res.writableFinished ? res.statusCode : 499
    const fields = {
      method,
      // Created only when a line is written, which is rare.
      get path() {
        return pathForLog(url)
      },
      status,
      ms,
      ...known,
    }
    log.info(fields, 'request')
  })
}
