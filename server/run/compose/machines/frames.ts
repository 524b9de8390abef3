/**
 * Messages on a connection between two machines: four bytes of length (big-endian), then JSON. Bytes and maps, which JSON
 * doesn't know, are objects of one field each. What arrives is data until a schema has parsed it.
 */
import type { Duplex } from 'node:stream'

/** A picture of a camera with its key frame; everything else is far smaller. */
export const MAX_FRAME_BYTES = 24 * 1024 * 1024
/** Of a connection that hasn't said yet what it is for. */
export const MAX_FIRST_FRAME_BYTES = 16 * 1024
const LENGTH_BYTES = 4
const BYTES = '~bytes'
const MAP = '~map'

/** Whoever sends such a frame doesn't speak our language, or means harm. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame'
}

/** The text that {@link parseMessage} reads. */
export const messageText = (message: unknown): string =>
  JSON.stringify(message, function (this: Record<string, unknown>, key, value: unknown) {
    // A buffer has been made JSON already in `value`.
    const own = this[key]
    if (own instanceof Uint8Array) return { [BYTES]: Buffer.from(own).toString('base64') }
    if (own instanceof Map) return { [MAP]: [...own] }
    return value
  })

/** @throws SyntaxError if it isn't JSON. */
export const parseMessage = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if (BYTES in value && typeof value[BYTES] === 'string') return Buffer.from(value[BYTES], 'base64')
    if (MAP in value && Array.isArray(value[MAP])) return new Map(value[MAP].filter(isEntry))
    return value
  })

const isEntry = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2

function toFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + length)
  frame.writeUInt32BE(length)
  frame.write(text, LENGTH_BYTES)
  return frame
}

/** Cuts what arrives into frames. */
export class FrameReader {
  readonly #socket: Duplex
  #waiting: Buffer[] = []
  #bytes = 0

  constructor(socket: Duplex) {
    this.#socket = socket
  }

  /** The next frame's text; undefined at the end. Rejects if it is too long, or the connection breaks. */
  async next(maxBytes: number): Promise<string | undefined> {
    const head = await this.#take(LENGTH_BYTES)
    if (head === undefined) return undefined
    const length = head.readUInt32BE()
    if (length > maxBytes) throw new BadFrame(`a frame of ${length} bytes; at most ${maxBytes} are allowed`)
    return (await this.#take(length))?.toString('utf8')
  }

  /** What arrived after the last frame; for a connection that goes on without frames. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#bytes = 0
    return rest
  }

  async #take(length: number): Promise<Buffer | undefined> {
    while (this.#bytes < length) {
      const chunk = await this.#read()
      if (chunk === undefined) return undefined
      this.#waiting.push(chunk)
      this.#bytes += chunk.length
    }
    const all = this.#waiting.length === 1 ? this.#waiting[0] : Buffer.concat(this.#waiting)
    const taken = all?.subarray(0, length) ?? Buffer.alloc(0)
    const left = all?.subarray(length) ?? Buffer.alloc(0)
    this.#waiting = left.length > 0 ? [left] : []
    this.#bytes = left.length
    return taken
  }

  /** Reads only what is asked for, so that a sender has to wait for a slow receiver. */
  #read(): Promise<Buffer | undefined> {
    const socket = this.#socket
    const ready: Buffer | null = socket.read()
    if (ready !== null) return Promise.resolve(ready)
    if (socket.readableEnded || socket.destroyed) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      const done = () => {
        socket.off('readable', readable).off('end', ended).off('close', ended).off('error', failed)
      }
      const readable = () => {
        const chunk: Buffer | null = socket.read()
        if (chunk === null) return
        done()
        resolve(chunk)
      }
      const ended = () => {
        done()
        resolve(undefined)
      }
      const failed = (error: Error) => {
        done()
        reject(error)
      }
      socket.on('readable', readable).on('end', ended).on('close', ended).on('error', failed)
    })
  }
}

/** What waits for a peer that doesn't read; beyond it the connection is of no use. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024

/** @returns false if the connection is closed, or is closed now because the peer doesn't read. */
export function sendFrame(socket: Duplex, text: string): boolean {
  if (socket.destroyed || !socket.writable) return false
  if (socket.writableLength > MAX_UNSENT_BYTES) {
    socket.destroy(new Error('the other machine doesn’t read what it is sent'))
    return false
  }
  socket.write(toFrame(text))
  return true
}
