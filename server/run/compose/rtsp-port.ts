import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { renewCertificate, TLS_SUITES } from '@sightline/edge'
import { answerToServerOptions } from '@sightline/media/rtsp-server'
import type { KeyPair } from '@sightline/platform/certificate'
import { addressGroup } from '@sightline/platform/limits'
import { fail, ok, type Result } from '@sightline/platform/result'

/** Before a request has named its camera. */
const MAX_HEAD_BYTES = 8192
const NAMES_CAMERA_WITHIN_MS = 10_000
/** Connections that haven't named a camera, of all clients and of one address (a /64 of IPv6). */
const MAX_WAITING = 500
const MAX_WAITING_OF_ONE = 20

export interface RtspPortOptions {
  readonly host: string
  readonly port: number
  /** Undefined without TLS. */
  readonly keyPair: KeyPair | undefined
  readonly open: (url: string, connection: { socket: Socket; head: Uint8Array; address: string }) => void
}

export interface RtspPort extends AsyncDisposable {
  /** New connections get this certificate. */
  renew(keyPair: KeyPair): void
}

/**
 * Listens for RTSP, or returns one sentence with the reason for a failure. A connection goes to the worker of the camera
 * that its first request names.
 */
export async function listenForRtsp(options: RtspPortOptions): Promise<Result<RtspPort, string>> {
  const { host, port, keyPair, open } = options
  const waiting = new Map<string, { readonly socket: Socket; readonly group: string }>()
  // From the first byte on: a TLS handshake may never end.
  const count = (socket: Socket) => {
    const [key, group] = [endpointOf(socket), addressGroup(addressOf(socket))]
    const ofOne = [...waiting.values()].filter((other) => other.group === group).length
    socket.on('error', () => socket.destroy())
    if (waiting.size >= MAX_WAITING || ofOne >= MAX_WAITING_OF_ONE) return void socket.destroy()
    waiting.set(key, { socket, group })
    socket.once('close', () => waiting.get(key)?.socket === socket && waiting.delete(key))
  }
  const accept = (socket: Socket) => {
    const key = endpointOf(socket)
    if (!waiting.has(key)) return void socket.destroy()
    socket.on('error', () => socket.destroy())
    readHead(socket, (url, head) => {
      waiting.delete(key)
      open(url, { socket, head, address: addressOf(socket) })
    })
  }
  const patience = { noDelay: true, handshakeTimeout: NAMES_CAMERA_WITHIN_MS }
  const server: Server =
    keyPair === undefined ? createServer(patience) : createTlsServer({ ...TLS_SUITES, ...keyPair, ...patience })
  server.on('connection', count)
  server.on(keyPair === undefined ? 'connection' : 'secureConnection', accept)
  const refusal = await new Promise<Error | undefined>((resolve) => {
    server.once('error', resolve)
    server.listen(port, host, () => resolve(undefined))
  })
  if (refusal !== undefined)
    return fail(`Could not listen for RTSP (${refusal.message}). Set SIGHTLINE_RTSP_PORT to a free port.`)
  // Running out of file descriptors while accepting is reported here; it is temporary.
  server.on('error', () => undefined)
  return ok({
    renew: (renewed) => renewCertificate(server, renewed),
    async [Symbol.asyncDispose]() {
      for (const { socket } of waiting.values()) socket.destroy()
      // Those that were piped end with their workers.
      server.close()
    },
  })
}

const addressOf = ({ remoteAddress = '' }: Socket): string => remoteAddress.replace(/^::ffff:/, '')

/** The same for a TLS connection and the one below it. */
const endpointOf = (socket: Socket): string => `${addressOf(socket)} ${socket.remotePort}`

/**
 * Reads up to the end of the header of the first request that names a camera; bytes that are no request end the connection. What some
 * players ask about the server before is answered here.
 */
function readHead(socket: Socket, done: (url: string, head: Uint8Array) => void): void {
  let head: Buffer = Buffer.alloc(0)
  const timer = setTimeout(() => socket.destroy(), NAMES_CAMERA_WITHIN_MS)
  socket.once('close', () => clearTimeout(timer))
  const take = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const options = answerToServerOptions(head.toString('latin1'))
    const optionsEnd = head.indexOf('\r\n\r\n') + 4
    if (options !== undefined && optionsEnd >= 4) {
      socket.write(options)
      const rest = head.subarray(optionsEnd)
      head = Buffer.alloc(0)
      take(rest)
      return
    }
    const isWhole = head.includes('\r\n\r\n')
    if (!isWhole && head.length <= MAX_HEAD_BYTES) return
    const target = /^[A-Z_]{1,32} ([\x21-\x7e]{1,4096}) RTSP\/1\.0\r\n/.exec(head.toString('latin1', 0, 4200))?.[1]
    const url = target === undefined ? null : URL.parse(target)
    if (!isWhole || url === null) return void socket.destroy()
    clearTimeout(timer)
    socket.off('data', take)
    socket.pause()
    done(`${url.pathname}${url.search}`, head)
  }
  socket.on('data', take)
}
