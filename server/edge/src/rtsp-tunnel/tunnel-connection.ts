import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/**
 * RTSP over HTTP as one connection: what is written goes into the answer to a GET as it is; what is read comes base64 from
 * the body of a POST, which a client may replace by another. Ends with the GET.
 */
export class TunnelConnection extends Duplex {
  readonly #down: Socket
  #up: Socket | undefined
  /** Of the POST, less than four characters. */
  #text = ''

  constructor(down: Socket) {
    super()
    this.#down = down
    const gone = () => this.destroy()
    down.on('error', gone).on('end', gone).on('close', gone)
    // Nothing that a client sends there matters, but its end does.
    down.resume()
  }

  /** `first` is what was read of the body. */
  receive(up: Socket, first: Uint8Array): void {
    this.#up?.destroy()
    this.#up = up
    this.#text = ''
    up.on('error', () => up.destroy())
    up.on('end', () => up.destroy())
    up.on('data', (bytes) => this.#decode(bytes))
    this.#decode(first)
    up.resume()
  }

  /** Requests are encoded one by one, so there may be padding in between. */
  #decode(bytes: Uint8Array): void {
    const text = this.#text + Buffer.from(bytes).toString('latin1').replaceAll(/\s/g, '')
    const whole = text.length - (text.length % 4)
    this.#text = text.slice(whole)
    if (!/^[A-Za-z0-9+/=]*$/.test(text)) return void this.destroy()
    const pieces = text.slice(0, whole).match(/[^=]+={0,2}/g) ?? []
    const decoded = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')))
    if (decoded.length > 0 && !this.push(decoded)) this.#up?.pause()
  }

  override _read(): void {
    this.#up?.resume()
  }

  override _write(chunk: Uint8Array, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#down.write(chunk, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#down.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    for (const socket of [this.#down, this.#up]) socket?.destroy()
    done(error)
  }
}
