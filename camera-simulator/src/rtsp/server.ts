import { createServer, type Server } from 'node:net'
import { closeServer, listen } from '../listening.ts'
import { type RtspCamera, SimulatorConnection } from './connection.ts'

/** RTSP 1.0 over TCP with interleaved packets (RFC 2326), one camera on one port. */
export class RtspServer {
  readonly #camera: RtspCamera
  readonly #connections = new Set<SimulatorConnection>()
  #server: Server | undefined

  constructor(camera: RtspCamera) {
    this.#camera = camera
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

  resetConnections(): void {
    for (const connection of this.#connections) connection.reset()
  }

  async close(): Promise<void> {
    this.resetConnections()
    if (this.#server !== undefined) await closeServer(this.#server)
  }
}
