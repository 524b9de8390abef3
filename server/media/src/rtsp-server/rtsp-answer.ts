export const METHODS = 'OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, GET_PARAMETER, TEARDOWN'

/** An answer to a request; names of headers in lower case. */
export interface RtspAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  415: 'Unsupported Media Type',
  454: 'Session Not Found',
  455: 'Method Not Valid in This State',
  457: 'Invalid Range',
  461: 'Unsupported Transport',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Gateway Time-out',
  551: 'Option not supported',
}

const HEADER_NAMES: Readonly<Record<string, string>> = {
  cseq: 'CSeq',
  public: 'Public',
  allow: 'Allow',
  session: 'Session',
  transport: 'Transport',
  range: 'Range',
  scale: 'Scale',
  unsupported: 'Unsupported',
  'rate-control': 'Rate-Control',
  'rtp-info': 'RTP-Info',
  'content-type': 'Content-Type',
  'content-base': 'Content-Base',
  'content-length': 'Content-Length',
}

export function answerText(cseq: string | undefined, { status, headers = {}, body = '' }: RtspAnswer): string {
  const all = { ...(cseq !== undefined && /^\d{1,10}$/.test(cseq) && { cseq }), ...headers }
  const lines = Object.entries({ ...all, 'content-length': String(Buffer.byteLength(body)) })
  const text = lines.map(([name, value]) => `${HEADER_NAMES[name] ?? name}: ${value}\r\n`).join('')
  return `RTSP/1.0 ${status} ${reasons[status] ?? 'Error'}\r\n${text}\r\n${body}`
}

/** The answer to the header of an `OPTIONS *`, which asks about the server and names no camera (RFC 2326 §10.1); undefined for others. */
export function answerToServerOptions(head: string): string | undefined {
  if (!head.startsWith('OPTIONS * RTSP/1.0\r\n')) return undefined
  const cseq = /\r\ncseq: *(\d+)\r\n/i.exec(head)?.[1]
  return answerText(cseq, { status: 200, headers: { public: METHODS } })
}
