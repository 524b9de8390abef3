import type { IncomingMessage } from 'node:http'

/** The value of the first cookie of that name, as it was sent (RFC 6265 §4.2.1). */
export function readCookie(req: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  const start = `${name}=`
  const pair = (req.headers.cookie ?? '').split(';').find((one) => one.trimStart().startsWith(start))
  return pair?.trim().slice(start.length)
}
