/** A client's request; names of headers in lower case, of a repeated header the last value. */
export interface ClientRequest {
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyMap<string, string>
}

/** Of a request with its body, and of a packet. */
const MAX_REQUEST_BYTES = 8192
const MAX_HEADERS = 64
const DOLLAR = 0x24
const FRAME_HEADER_BYTES = 4
const START_LINE = /^([A-Z_]{1,32}) ([\x21-\x7e]{1,4096}) RTSP\/1\.0$/

/**
 * Cuts what a client sends into requests; its interleaved packets (receiver reports) and bodies are dropped. Holds at most
 * 8 KiB of what isn't complete.
 */
export class RequestReader {
  #held: Buffer = Buffer.alloc(0)

  /** @returns the complete requests; undefined for bytes that are none, after which nothing more can be read. */
  feed(chunk: Uint8Array): readonly ClientRequest[] | undefined {
    this.#held = this.#held.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#held, chunk])
    const requests: ClientRequest[] = []
    for (;;) {
      const taken = this.#take(requests)
      if (taken === undefined) return undefined
      if (taken === 0) return requests
      this.#held = this.#held.subarray(taken)
    }
  }

  /** Bytes of the packet or request at the start; 0 if its end hasn't arrived. */
  #take(requests: ClientRequest[]): number | undefined {
    const length = this.#held[0] === DOLLAR ? packetLength(this.#held) : this.#takeRequest(requests)
    return length !== undefined && length > MAX_REQUEST_BYTES ? undefined : length
  }

  #takeRequest(requests: ClientRequest[]): number | undefined {
    const held = this.#held
    const end = held.indexOf('\r\n\r\n')
    if (end === -1) return held.length > MAX_REQUEST_BYTES ? undefined : 0
    if (end > MAX_REQUEST_BYTES) return undefined
    const request = parseRequest(held.toString('latin1', 0, end))
    const bodyText = request?.headers.get('content-length') ?? '0'
    if (request === undefined || !/^\d{1,4}$/.test(bodyText)) return undefined
    const length = end + 4 + Number(bodyText)
    if (length > held.length && length <= MAX_REQUEST_BYTES) return 0
    requests.push(request)
    return length
  }
}

/** Bytes of the packet; 0 if its end hasn't arrived, unless its header already says that it is too large. */
function packetLength(held: Buffer): number {
  if (held.length < FRAME_HEADER_BYTES) return 0
  const length = FRAME_HEADER_BYTES + held.readUInt16BE(2)
  return length > MAX_REQUEST_BYTES || length <= held.length ? length : 0
}

function parseRequest(text: string): ClientRequest | undefined {
  const [startLine = '', ...lines] = text.split('\r\n')
  const match = START_LINE.exec(startLine)
  if (match === null || lines.length > MAX_HEADERS) return undefined
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon <= 0) return undefined
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return { method: match[1] ?? '', url: match[2] ?? '', headers }
}
