import { type StreamClientMessage, type StreamServerMessage, streamClientMessage } from '@sightline/contract/streams'
import { type RawData, WebSocket } from 'ws'

export interface ViewerSocketLimits {
  /** Beyond this in the socket nothing more is written until it has drained. */
  readonly maxSocketBytes: number
  /** A socket that doesn't drain at all for this long is closed. */
  readonly stuckAfterMs: number
  readonly pingEveryMs: number
}

export interface ViewerSocketOptions {
  readonly limits: ViewerSocketLimits
  readonly onMessage: (message: StreamClientMessage) => void
  /** The viewer closed the connection, or doesn't answer any more. */
  readonly onLeft: () => void
}

const CLOSE_TIMEOUT_MS = 2000
const MAX_MESSAGE_BYTES = 1024

/** The socket of one viewer of recordings: what was understood of its messages, and what it takes. */
export class ViewerSocket {
  readonly #socket: WebSocket
  readonly #options: ViewerSocketOptions
  readonly #closed = Promise.withResolvers<void>()
  readonly #beat: ReturnType<typeof setInterval>
  #drained = Promise.withResolvers<void>()
  #isAnswering = true

  constructor(socket: WebSocket, options: ViewerSocketOptions) {
    this.#socket = socket
    this.#options = options
    this.#beat = setInterval(() => this.#checkAnswer(), options.limits.pingEveryMs)
    socket.on('pong', () => {
      this.#isAnswering = true
    })
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? undefined : parseMessage(data)
      if (message !== undefined) options.onMessage(message)
    })
    // 'close' follows; an error of the viewer's connection isn't our fault.
    socket.on('error', () => socket.terminate())
    const left = () => {
      clearInterval(this.#beat)
      this.#closed.resolve()
      this.#drained.resolve()
      options.onLeft()
    }
    socket.once('close', left)
    if (socket.readyState === WebSocket.CLOSED) queueMicrotask(left)
  }

  get isFull(): boolean {
    return this.#socket.bufferedAmount > this.#options.limits.maxSocketBytes
  }

  say(message: StreamServerMessage): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  write(bytes: Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#socket.send(bytes, () => {
      if (!this.#isHalfFull) this.#drained.resolve()
    })
  }

  /** Waits until the viewer has taken most of what was written. Resolves with false if it takes nothing. */
  async drain(isOver: () => boolean): Promise<boolean> {
    const givenUpAt = performance.now() + this.#options.limits.stuckAfterMs
    while (!isOver() && this.#isHalfFull) {
      const left = givenUpAt - performance.now()
      if (left <= 0) return false
      const { promise, resolve } = this.#drained
      const timer = setTimeout(resolve, left)
      await promise
      clearTimeout(timer)
      this.#drained = Promise.withResolvers()
    }
    return true
  }

  /** What was waited for is over. */
  wake(): void {
    this.#drained.resolve()
  }

  /** A revoked viewer is gone within 5 s (R16), also one that does not read. */
  async close(): Promise<void> {
    clearInterval(this.#beat)
    if (this.#socket.readyState === WebSocket.CLOSED) return
    this.#socket.close(1000)
    const tooLong = setTimeout(() => this.#socket.terminate(), CLOSE_TIMEOUT_MS)
    await this.#closed.promise
    clearTimeout(tooLong)
  }

  get #isHalfFull(): boolean {
    return this.#socket.bufferedAmount > this.#options.limits.maxSocketBytes / 2
  }

  #checkAnswer(): void {
    if (!this.#isAnswering) {
      this.#options.onLeft()
      this.#socket.terminate()
      return
    }
    this.#isAnswering = false
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }
}

/** Undefined if it can't be understood. */
function parseMessage(data: RawData): StreamClientMessage | undefined {
  if (!(data instanceof Buffer) || data.length > MAX_MESSAGE_BYTES) return undefined
  try {
    const parsed = streamClientMessage.safeParse(JSON.parse(data.toString()))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
