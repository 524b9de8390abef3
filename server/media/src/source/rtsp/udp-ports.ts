import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { PacketOrder } from './packet-order.ts'
import type { Arrival } from './run-timeline.ts'

const FIRST_PORT = 20_000
const PORT_PAIRS = 20_000
const MAX_TRIES = 20
const RECEIVE_BUFFER_BYTES = 1024 * 1024
/** An RTP header and an empty receiver report: routers then let the camera's packets in. */
const OPENERS = [Buffer.from('800000000000000000000000', 'hex'), Buffer.from('80c9000100000000', 'hex')] as const

export interface UdpPortsOptions {
  /** Packets from any other address are ignored. */
  readonly peer: string
  /** In order. */
  readonly onRtp: (bytes: Uint8Array, arrival: Arrival) => void
  readonly onRtcp: (bytes: Uint8Array, arrival: Arrival) => void
}

/** The two ports of one track (RFC 3550 §11): RTP on the even one, RTCP on the next. */
export class UdpPorts implements Disposable {
  readonly rtpPort: number
  readonly #sockets: readonly [rtp: Socket, rtcp: Socket]
  readonly #peer: string
  readonly #order: PacketOrder
  #rtcpPort: number | undefined

  private constructor(rtpPort: number, sockets: readonly [Socket, Socket], { peer, onRtp, onRtcp }: UdpPortsOptions) {
    this.rtpPort = rtpPort
    this.#sockets = sockets
    this.#peer = peer
    this.#order = new PacketOrder(onRtp)
    const receive = (socket: Socket, pass: (bytes: Uint8Array, arrival: Arrival) => void): void => {
      socket.on('message', (bytes, { address }) => {
        if (address === peer) pass(bytes, { wallClock: Date.now(), monotonic: performance.now() })
      })
      // Packets that the camera no longer wants come back as errors; its connection says when it is gone.
      socket.on('error', () => undefined)
    }
    receive(sockets[0], (bytes, arrival) => this.#order.take(bytes, arrival))
    receive(sockets[1], onRtcp)
  }

  /** Undefined if no pair of ports is free. */
  static async open(options: UdpPortsOptions, random = Math.random): Promise<UdpPorts | undefined> {
    const type = isIPv6(options.peer) ? 'udp6' : 'udp4'
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const port = FIRST_PORT + 2 * Math.floor(random() * PORT_PAIRS)
      const rtp = await bind(type, port)
      const rtcp = rtp && (await bind(type, port + 1))
      if (rtp !== undefined && rtcp !== undefined) return new UdpPorts(port, [rtp, rtcp], options)
      rtp?.close()
    }
    return undefined
  }

  /** The camera sends from these ports. */
  open(rtpPort: number, rtcpPort: number): void {
    this.#rtcpPort = rtcpPort
    const [rtp, rtcp] = this.#sockets
    rtp.send(OPENERS[0], rtpPort, this.#peer, ignore)
    rtcp.send(OPENERS[1], rtcpPort, this.#peer, ignore)
  }

  report(bytes: Uint8Array): void {
    if (this.#rtcpPort !== undefined) this.#sockets[1].send(bytes, this.#rtcpPort, this.#peer, ignore)
  }

  [Symbol.dispose](): void {
    this.#order[Symbol.dispose]()
    for (const socket of this.#sockets) socket.close()
  }
}

const ignore = (): void => undefined

async function bind(type: 'udp4' | 'udp6', port: number): Promise<Socket | undefined> {
  const socket = createSocket({ type, recvBufferSize: RECEIVE_BUFFER_BYTES })
  try {
    socket.bind(port)
    await once(socket, 'listening')
    return socket
  } catch {
    socket.close()
    return undefined
  }
}
