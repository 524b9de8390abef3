import type { Socket } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'

/** A viewer whose two halves have met: what it reads, and what it sends. */
type Met = (down: Socket, requests: Readable) => void

const MAX_HEAD_BYTES = 16_384
const TYPE = 'application/x-rtsp-tunnelled'

/** The server's side of RTSP over HTTP: a GET and a POST with the same cookie are one RTSP connection. */
export class TunnelServer {
  readonly #met: Met
  readonly #onRejected: () => void
  readonly #waiting = new Map<string, Socket>()

  constructor(met: Met, onRejected: () => void) {
    this.#met = met
    this.#onRejected = onRejected
  }

  /** Reads the head of a request; whatever isn't half a tunnel gets 400, as web servers answer RTSP. */
  accept(socket: Socket): void {
    let head = Buffer.alloc(0)
    const read = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 && head.length <= MAX_HEAD_BYTES) return
      socket.off('data', read)
      const rest = head.subarray(end + 4)
      if (end >= 0 && this.#open(socket, head.subarray(0, end).toString('latin1'), rest)) return
      this.#onRejected()
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    }
    socket.on('error', () => socket.destroy())
    socket.on('data', read)
  }

  #open(socket: Socket, head: string, rest: Buffer): boolean {
    const [method] = /^(?:GET|POST)(?= \S+ HTTP\/1\.\d\r\n)/.exec(head) ?? []
    const [, cookie] = /^x-sessioncookie:\s*(\S+)$/im.exec(head) ?? []
    if (method === undefined || cookie === undefined) return false
    if (method === 'GET') {
      this.#waiting.set(cookie, socket)
      socket.on('close', () => this.#waiting.delete(cookie))
      socket.write(`HTTP/1.0 200 OK\r\nContent-Type: ${TYPE}\r\nConnection: close\r\n\r\n`)
      return true
    }
    const down = this.#waiting.get(cookie)
    if (down === undefined) return false
    const requests = decodeBase64(socket, rest)
    down.on('close', () => socket.destroy())
    socket.on('close', () => down.destroy())
    this.#met(down, requests)
    return true
  }
}

/** Requests are encoded one by one, so padding may come in between. */
function decodeBase64(socket: Socket, first: Buffer): Readable {
  const decoded = new PassThrough()
  let text = ''
  const read = (chunk: Buffer): void => {
    text += chunk.toString('latin1').replaceAll(/\s/g, '')
    const whole = text.length - (text.length % 4)
    for (let at = 0; at < whole; at += 4) decoded.write(Buffer.from(text.slice(at, at + 4), 'base64'))
    text = text.slice(whole)
  }
  read(first)
  socket.on('data', read)
  return decoded
}
