import { type CameraFault, fault, quoted } from '../camera-fault.ts'

/** A reply of the camera, or (rarely) its own request: only the start line shows which. */
export interface RtspMessage {
  readonly startLine: string
  /** Names in lower case; a repeated header keeps all its values. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: string
}

interface HeldHeader {
  readonly parsed: Omit<RtspMessage, 'body'>
  readonly bodyStart: number
  readonly end: number
}

export interface RtspReceiver {
  /** One interleaved packet (RFC 2326 §10.12). The bytes are good only during the call. */
  packet(channel: number, bytes: Uint8Array): void
  message(message: RtspMessage): void
}

export const MAX_HEADER_BYTES = 65_536
const MAX_BODY_BYTES = 65_536
const MAX_HEADERS = 256
const DOLLAR = 0x24
const CR = 0x0d
const LF = 0x0a
const FRAME_HEADER_BYTES = 4

const decoder = new TextDecoder()

/**
 * Splits the bytes of an RTSP connection into packets and messages. A complete packet inside a chunk is passed on
 * without copying; only what crosses the end of a chunk is copied to one scratch buffer.
 */
export class RtspFraming {
  readonly #receiver: RtspReceiver
  #scratch = new Uint8Array(4096)
  /** Bytes in scratch: the start of something whose end hasn't arrived. */
  #held = 0
  /** How far a header was searched for its end, so that bytes which come one by one are not searched again and again. */
  #scanned = 0
  /** A header whose body hasn't arrived. */
  #header: HeldHeader | undefined

  constructor(receiver: RtspReceiver) {
    this.#receiver = receiver
  }

  /** Passes on everything complete. A fault is final, because the start of the next message is unknown. */
  feed(chunk: Uint8Array): CameraFault | undefined {
    let at = 0
    while (at < chunk.length) {
      const taken = this.#held > 0 ? this.#continueHeld(chunk, at) : this.#takeWhole(chunk, at)
      if (typeof taken !== 'number') return taken
      at += taken
    }
    return undefined
  }

  #takeWhole(chunk: Uint8Array, at: number): number | CameraFault {
    const first = chunk[at] ?? 0
    // Some cameras put an empty line after a body.
    if (first === CR || first === LF) return 1
    if (first === DOLLAR) {
      const available = chunk.length - at
      const total = available < FRAME_HEADER_BYTES ? Number.POSITIVE_INFINITY : frameLength(chunk, at)
      if (available < total) return this.#hold(chunk, at)
      this.#receiver.packet(chunk[at + 1] ?? 0, chunk.subarray(at + FRAME_HEADER_BYTES, at + total))
      return total
    }
    if (!isUpperCase(first)) {
      return fault(
        'desync',
        `expected "$" or the start of a message, got byte 0x${first.toString(16).padStart(2, '0')}`,
      )
    }
    const taken = this.#takeMessage(chunk.subarray(at))
    return taken === 0 ? this.#hold(chunk, at) : taken
  }

  #continueHeld(chunk: Uint8Array, at: number): number | CameraFault {
    return this.#scratch[0] === DOLLAR ? this.#continueFrame(chunk, at) : this.#continueMessage(chunk, at)
  }

  #continueFrame(chunk: Uint8Array, at: number): number {
    const wanted = this.#held < FRAME_HEADER_BYTES ? FRAME_HEADER_BYTES : frameLength(this.#scratch, 0)
    const taken = Math.min(wanted - this.#held, chunk.length - at)
    this.#append(chunk, at, taken)
    if (this.#held >= FRAME_HEADER_BYTES && this.#held === frameLength(this.#scratch, 0)) {
      const end = this.#held
      this.#held = 0
      this.#receiver.packet(this.#scratch[1] ?? 0, this.#scratch.subarray(FRAME_HEADER_BYTES, end))
    }
    return taken
  }

  #continueMessage(chunk: Uint8Array, at: number): number | CameraFault {
    const before = this.#held
    const room = MAX_HEADER_BYTES + MAX_BODY_BYTES - before
    const added = Math.min(room, chunk.length - at)
    this.#append(chunk, at, added)
    const taken = this.#takeMessage(this.#scratch.subarray(0, this.#held))
    if (typeof taken !== 'number') return taken
    if (taken === 0) return added
    this.#held = 0
    return taken - before
  }

  /** Bytes of the message at the start of `bytes`, 0 if its end hasn't arrived. */
  #takeMessage(bytes: Uint8Array): number | CameraFault {
    const header = this.#header ?? this.#takeHeader(bytes)
    if (header === undefined || 'kind' in header) return header ?? 0
    if (bytes.length < header.end) {
      this.#header = header
      return 0
    }
    this.#header = undefined
    this.#scanned = 0
    this.#receiver.message({ ...header.parsed, body: decoder.decode(bytes.subarray(header.bodyStart, header.end)) })
    return header.end
  }

  #takeHeader(bytes: Uint8Array): HeldHeader | CameraFault | undefined {
    const bodyStart = endOfHeader(bytes, this.#scanned)
    this.#scanned = Math.max(0, bytes.length - 3)
    if (bodyStart > MAX_HEADER_BYTES || (bodyStart < 0 && bytes.length > MAX_HEADER_BYTES)) {
      return fault('badReply', `a header is larger than ${MAX_HEADER_BYTES} bytes`)
    }
    if (bodyStart < 0) return undefined
    const parsed = parseHeader(bytes.subarray(0, bodyStart))
    const length = parsed.headers.get('content-length')?.[0] ?? '0'
    const bodyLength = /^\d{1,9}$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY
    if (bodyLength <= MAX_BODY_BYTES) return { parsed, bodyStart, end: bodyStart + bodyLength }
    return fault('badReply', `expected a body of at most ${MAX_BODY_BYTES} bytes, got Content-Length ${quoted(length)}`)
  }

  #hold(chunk: Uint8Array, at: number): number {
    this.#append(chunk, at, chunk.length - at)
    return chunk.length - at
  }

  #append(chunk: Uint8Array, at: number, length: number): void {
    const needed = this.#held + length
    if (needed > this.#scratch.length) {
      const grown = new Uint8Array(Math.max(needed, this.#scratch.length * 2))
      grown.set(this.#scratch.subarray(0, this.#held))
      this.#scratch = grown
    }
    this.#scratch.set(chunk.subarray(at, at + length), this.#held)
    this.#held = needed
  }
}

const frameLength = (bytes: Uint8Array, at: number): number =>
  FRAME_HEADER_BYTES + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))

const isUpperCase = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a

/**
 * Where the body begins; -1 while no empty line has arrived. Bare line feeds are accepted, because some cameras send
 * them.
 */
function endOfHeader(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3
  }
  return -1
}

function parseHeader(bytes: Uint8Array): Omit<RtspMessage, 'body'> {
  const [startLine = '', ...lines] = decoder.decode(bytes).split(/\r?\n/, MAX_HEADERS)
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const values = headers.get(name)
    // What a reply says is sent back in requests, where a carriage return would begin another header.
    const value = line
      .slice(colon + 1)
      .replaceAll(/[\0\r]/g, ' ')
      .trim()
    if (values === undefined) headers.set(name, [value])
    else values.push(value)
  }
  return { startLine, headers }
}

/** The status of a reply; undefined if the message is no reply. */
export function parseStatus(message: RtspMessage): number | undefined {
  const match = /^RTSP\/\d\.\d (\d{3})(?: |$)/.exec(message.startLine)
  return match === null ? undefined : Number(match[1])
}
