import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** Where a viewer wants the packets of a track: its RTP port; RTCP goes to the next one. */
export interface UdpViewer {
  readonly address: string
  readonly rtpPort: number
}

/** The port from which a camera sends its media over UDP. */
export class UdpSender {
  readonly port: number
  readonly #socket: Socket
  #isClosed = false

  private constructor(socket: Socket) {
    this.#socket = socket
    this.port = socket.address().port
    // A viewer that is gone comes back as an error.
    socket.on('error', () => undefined)
  }

  static async open(host: string): Promise<UdpSender> {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    socket.bind(0, host)
    await once(socket, 'listening')
    return new UdpSender(socket)
  }

  /** Interleaved packets (RFC 2326 §10.12), to the viewers of their channels. */
  send(bytes: Buffer, viewers: ReadonlyMap<number, UdpViewer>): void {
    // The connection of a viewer may notice a moment later that it has ended.
    if (this.#isClosed) return
    for (let at = 0; at + 4 <= bytes.length; ) {
      const end = at + 4 + bytes.readUInt16BE(at + 2)
      const channel = bytes[at + 1] ?? 0
      const viewer = viewers.get(channel & ~1)
      if (viewer !== undefined)
        this.#socket.send(bytes.subarray(at + 4, end), viewer.rtpPort + (channel & 1), viewer.address)
      at = end
    }
  }

  close(): void {
    this.#isClosed = true
    this.#socket.close()
  }
}
