/** An RTSP request (RFC 2326 §6). Header names are in lower case; the last of several with the same name counts. */
export interface ParsedRequest {
  readonly method: string
  readonly uri: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

export type ParsedMessage =
  | { readonly kind: 'request'; readonly request: ParsedRequest; readonly bytes: number }
  /** Binary data the client sent between its requests: RTCP, or sound for the camera. */
  | { readonly kind: 'interleaved'; readonly channel: number; readonly bytes: number }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'broken' }

const DOLLAR = 0x24
const MAX_HEADER_BYTES = 16_384
const MAX_BODY_BYTES = 65_536

function parseHead(head: string): Omit<ParsedRequest, 'body'> | undefined {
  const [first = '', ...lines] = head.split('\r\n')
  const [, method, uri] = /^([A-Z_]+) (\S+) RTSP\/1\.0$/.exec(first) ?? []
  if (method === undefined || uri === undefined) return undefined
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return { method, uri, headers }
}

/** Parses the beginning of the bytes that a client has sent so far. */
export function parseRtsp(bytes: Buffer): ParsedMessage {
  if (bytes[0] === DOLLAR) {
    const length = bytes.length < 4 ? undefined : 4 + bytes.readUInt16BE(2)
    return length === undefined || bytes.length < length
      ? { kind: 'incomplete' }
      : { kind: 'interleaved', channel: bytes.readUInt8(1), bytes: length }
  }
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return { kind: bytes.length > MAX_HEADER_BYTES ? 'broken' : 'incomplete' }
  const head = parseHead(bytes.toString('latin1', 0, end))
  if (head === undefined) return { kind: 'broken' }
  const length = Number(head.headers.get('content-length') ?? 0)
  if (!Number.isInteger(length) || length < 0 || length > MAX_BODY_BYTES) return { kind: 'broken' }
  const bodyEnd = end + 4 + length
  if (bytes.length < bodyEnd) return { kind: 'incomplete' }
  return { kind: 'request', request: { ...head, body: bytes.subarray(end + 4, bodyEnd) }, bytes: bodyEnd }
}

/** Status lines of the simulator's replies (RFC 2326 §7.1.1). */
const REASONS = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  453: 'Not Enough Bandwidth',
  454: 'Session Not Found',
  455: 'Method Not Valid in This State',
  459: 'Aggregate Operation Not Allowed',
  461: 'Unsupported Transport',
  501: 'Not Implemented',
  551: 'Option not supported',
} as const

export type RtspStatus = keyof typeof REASONS

export interface RtspReply {
  readonly status: RtspStatus
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
}

export function formatReply(request: ParsedRequest, reply: RtspReply): Buffer {
  const lines = [`RTSP/1.0 ${reply.status} ${REASONS[reply.status]}`, `CSeq: ${request.headers.get('cseq') ?? '0'}`]
  for (const [name, value] of reply.headers ?? []) lines.push(`${name}: ${value}`)
  if (reply.body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(reply.body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${reply.body ?? ''}`)
}
