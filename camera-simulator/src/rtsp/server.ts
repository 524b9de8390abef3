import { createServer, type Server } from 'node:net'
import { closeServer, listen } from '../listening.ts'
import { type RtspCamera, SimulatorConnection } from './connection.ts'

/** RTSP 1.0 over TCP with interleaved packets (RFC 2326), one camera on one port. */
export class RtspServer {
  readonly #camera: RtspCamera
  readonly #connections = new Set<SimulatorConnection>()
  #server: Server | undefined

  constructor(camera: Omit<RtspCamera, 'viewers'>) {
    const viewers = () => [...this.#connections].filter(({ hasSession }) => hasSession).length
    this.#camera = { ...camera, viewers }
  }

  /** Reply: the port. */
  async open(host: string, port: number): Promise<number> {
    const server = createServer((socket) => {
      const connection = new SimulatorConnection(socket, this.#camera)
      this.#connections.add(connection)
      socket.on('close', () => this.#connections.delete(connection))
    })
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
