import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { StreamRequest } from '@sightline/media/control'
import { answerUnavailable } from './piped-stream.ts'

/** What is asked of a worker. */
export interface RelayedRequest extends Pick<StreamRequest, 'url' | 'headers'> {
  readonly method: string
  readonly body: Buffer
}

/** What is read of a worker at a time. */
const READ_BYTES = 256 * 1024
const MAX_HEAD_BYTES = 64 * 1024
/** Of the line with the length of a chunk. */
const MAX_LINE_CHARACTERS = 64
const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Sends a request to a worker's local socket, and its answer to the client as fast as the client takes it.
 *
 * Everything is read into one buffer, again and again. Node's own streams take a new one of 64 KB for each read, and of a large file two
 * thirds of the front's processor time were garbage collections of them.
 */
export function relayAnswer(request: RelayedRequest, res: ServerResponse, socketPath: string): void {
  const answer = new RelayedAnswer(res, request.method)
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  const worker = connect({
    path: socketPath,
    onread: {
      buffer,
      callback: (count) => {
        const isTaken = answer.take(buffer.subarray(0, count), () => worker.resume())
        if (answer.isComplete) worker.destroy()
        return isTaken
      },
    },
  })
  worker.on('error', () => undefined)
  worker.on('close', () => answer.cutOff())
  res.on('close', () => worker.destroy())
  // In one piece: a worker that has answered closes the connection, and a write after that would break it before the answer is read.
  worker.write(Buffer.concat([Buffer.from(headOf(request), 'latin1'), request.body]))
}

function headOf({ method, url, headers, body }: RelayedRequest): string {
  const { 'transfer-encoding': _, ...kept } = headers
  const sent = { ...kept, connection: 'close', ...(body.length > 0 && { 'content-length': String(body.length) }) }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** The answer of a worker, a server of our own, on its way to the client (RFC 9112). */
class RelayedAnswer {
  readonly #res: ServerResponse
  readonly #method: string
  #head: Buffer | undefined = Buffer.alloc(0)
  /** Of a body with a length: bytes to come. */
  #left = 0
  #chunks: ChunkReader | undefined
  isComplete = false

  constructor(res: ServerResponse, method: string) {
    this.#res = res
    this.#method = method
  }

  /** Returns whether `bytes` may be overwritten; if not, `onTaken` is called once they may. */
  take(bytes: Buffer, onTaken: () => void): boolean {
    if (this.isComplete) return true
    try {
      const body = this.#head === undefined ? bytes : this.#takeHead(bytes)
      return body === undefined || this.#pass(body, onTaken)
    } catch {
      this.#break()
      return true
    }
  }

  /** The worker closed the connection. */
  cutOff(): void {
    if (!this.isComplete) this.#break()
  }

  #break(): void {
    this.isComplete = true
    if (this.#res.headersSent) this.#res.destroy()
    else answerUnavailable(this.#res)
  }

  #end(last?: Buffer): void {
    this.isComplete = true
    this.#res.end(last)
  }

  /** Returns what follows the head, once that is here. */
  #takeHead(bytes: Buffer): Buffer | undefined {
    const head = Buffer.concat([this.#head ?? Buffer.alloc(0), bytes])
    const end = head.indexOf(HEAD_END)
    if (end < 0) {
      if (head.length > MAX_HEAD_BYTES) throw new Error('the head of a worker’s answer is too long')
      this.#head = head
      return undefined
    }
    this.#head = undefined
    this.#start(head.subarray(0, end).toString('latin1'))
    return head.subarray(end + HEAD_END.length)
  }

  #start(text: string): void {
    const [first = '', ...lines] = text.split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${first} `)?.[1])
    if (!(status >= 200)) throw new Error('a worker’s answer doesn’t begin with a status')
    const headers: Record<string, string | string[]> = {}
    for (const line of lines) addHeader(headers, line)
    const hasBody = this.#method !== 'HEAD' && status !== 204 && status !== 304
    if (hasBody) this.#frameBody(headers)
    for (const ours of ['connection', 'keep-alive', 'transfer-encoding']) delete headers[ours]
    this.#res.writeHead(status, headers)
    if (this.#chunks === undefined && this.#left === 0) this.#end()
  }

  #frameBody({ 'transfer-encoding': coding, 'content-length': length }: Record<string, string | string[]>): void {
    if (coding === 'chunked') this.#chunks = new ChunkReader()
    else if (typeof length === 'string' && /^\d+$/.test(length)) this.#left = Number(length)
    else throw new Error('a worker’s answer has no length')
  }

  #pass(bytes: Buffer, onTaken: () => void): boolean {
    if (this.isComplete || bytes.length === 0) return true
    const parts = this.#chunks === undefined ? this.#readLength(bytes) : this.#chunks.read(bytes)
    const isLast = this.#chunks === undefined ? this.#left === 0 : this.#chunks.isComplete
    const last = parts.pop()
    for (const part of parts) this.#res.write(part)
    if (isLast) {
      // Nothing is read into the buffer any more.
      this.#end(last)
      return true
    }
    if (last === undefined) return true
    this.#res.write(last, () => onTaken())
    return false
  }

  #readLength(bytes: Buffer): Buffer[] {
    const part = bytes.subarray(0, this.#left)
    this.#left -= part.length
    return [part]
  }
}

function addHeader(headers: Record<string, string | string[]>, line: string): void {
  const colon = line.indexOf(':')
  const name = line.slice(0, colon).toLowerCase()
  const value = line.slice(colon + 1).trim()
  const before = headers[name]
  headers[name] = before === undefined ? value : [before, value].flat()
}

/** Reads a body in chunks (RFC 9112 §7.1), cut anywhere. */
class ChunkReader {
  isComplete = false
  /** The line that is being read, between chunks. */
  #line: string | undefined = ''
  #left = 0

  /** The parts of the body in these bytes, which they share. */
  read(bytes: Buffer): Buffer[] {
    const parts: Buffer[] = []
    for (let at = 0; at < bytes.length && !this.isComplete; ) {
      if (this.#line === undefined) {
        const part = bytes.subarray(at, at + this.#left)
        parts.push(part)
        at += part.length
        this.#left -= part.length
        if (this.#left === 0) this.#line = ''
      } else at = this.#readLine(bytes, at)
    }
    return parts
  }

  /** A chunk ends with an empty line, and its length is in the next. */
  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(0x0a, at)
    const till = end < 0 ? bytes.length : end + 1
    this.#line = `${this.#line ?? ''}${bytes.toString('latin1', at, till)}`
    if (this.#line.length > MAX_LINE_CHARACTERS) throw new Error('a chunk’s length is too long')
    if (end < 0) return till
    const text = this.#line.trim()
    this.#line = ''
    if (text === '') return till
    const length = /^[0-9a-f]+$/i.test(text) ? Number.parseInt(text, 16) : Number.NaN
    if (!Number.isSafeInteger(length)) throw new Error('a chunk has no length')
    if (length === 0) this.isComplete = true
    else {
      this.#left = length
      this.#line = undefined
    }
    return till
  }
}
