import { createServer, type Server, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createServer as createSecureServer } from 'node:tls'
import { closeServer, listen } from '../listening.ts'
import { type RtspAttempt, type RtspCamera, SimulatorConnection } from './connection.ts'
import { TunnelServer } from './http-tunnel.ts'
import { UdpSender } from './udp-sender.ts'

export interface RtspListening {
  /** PEM; without it, there is no TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Only RTSP inside of HTTP is served. */
  readonly overHttp: boolean
  readonly media: 'tcp' | 'udp'
}

const MAX_REQUESTS = 1000

/** RTSP 1.0 over TCP with interleaved packets (RFC 2326), one camera on one port. */
export class RtspServer {
  readonly #camera: Omit<RtspCamera, 'udp'>
  readonly #listening: RtspListening
  readonly #connections = new Set<SimulatorConnection>()
  #server: Server | undefined
  #udp: UdpSender | undefined
  /** The newest ones, oldest first. */
  readonly requests: RtspAttempt[] = []

  constructor(camera: Omit<RtspCamera, 'viewers' | 'udp' | 'onRequest'>, listening: RtspListening) {
    this.#listening = listening
    const viewers = () => [...this.#connections].filter(({ hasSession }) => hasSession).length
    const onRequest = (request: RtspAttempt) => this.#note(request)
    this.#camera = { ...camera, viewers, onRequest }
  }

  #note(request: RtspAttempt): void {
    this.requests.push(request)
    if (this.requests.length > MAX_REQUESTS) this.requests.shift()
  }

  /** Reply: the port. */
  async open(host: string, port: number): Promise<number> {
    const { tls, overHttp, media } = this.#listening
    const udp = media === 'udp' ? await UdpSender.open(host) : undefined
    this.#udp = udp
    const serve = (socket: Socket, requests: Readable = socket): void => {
      const connection = new SimulatorConnection(socket, { ...this.#camera, udp }, requests)
      this.#connections.add(connection)
      socket.on('close', () => this.#connections.delete(connection))
    }
    const tunnels = new TunnelServer(serve, () => this.#note({ method: 'none' }))
    const accept = (socket: Socket): void => (overHttp ? tunnels.accept(socket) : serve(socket))
    const server = tls === undefined ? createServer(accept) : createSecureServer(tls, accept)
    this.#server = server
    return await listen(server, host, port)
  }

  get openConnections(): number {
    return this.#connections.size
  }

  /** All of them, or those of one stream. */
  resetConnections(path?: string): void {
    for (const connection of this.#connections) if (path === undefined || connection.path === path) connection.reset()
  }

  async close(): Promise<void> {
    this.resetConnections()
    if (this.#server !== undefined) await closeServer(this.#server)
    this.#udp?.close()
    this.#udp = undefined
  }
}
