import { createServer, type Server, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createServer as createSecureServer } from 'node:tls'
import { closeServer, listen } from '../listening.ts'
import { type RtspCamera, SimulatorConnection } from './connection.ts'
import { TunnelServer } from './http-tunnel.ts'

export interface RtspListening {
  /** PEM; without it, there is no TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Only RTSP inside of HTTP is served. */
  readonly overHttp: boolean
}

/** RTSP 1.0 over TCP with interleaved packets (RFC 2326), one camera on one port. */
export class RtspServer {
  readonly #camera: RtspCamera
  readonly #listening: RtspListening
  readonly #connections = new Set<SimulatorConnection>()
  #server: Server | undefined

  constructor(camera: Omit<RtspCamera, 'viewers'>, listening: RtspListening) {
    this.#listening = listening
    const viewers = () => [...this.#connections].filter(({ hasSession }) => hasSession).length
    this.#camera = { ...camera, viewers }
  }

  /** Reply: the port. */
  async open(host: string, port: number): Promise<number> {
    const { tls, overHttp } = this.#listening
    const serve = (socket: Socket, requests: Readable = socket): void => {
      const connection = new SimulatorConnection(socket, this.#camera, requests)
      this.#connections.add(connection)
      socket.on('close', () => this.#connections.delete(connection))
    }
    const tunnels = new TunnelServer(serve)
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
  }
}
