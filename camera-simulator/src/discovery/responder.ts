import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { bye, type DiscoveredDevice, hello, isMatch, parseProbe, probeMatches } from './messages.ts'

const GROUP = '239.255.255.250'
const PORT = 3702

const isLoopback = (address: string): boolean => address.startsWith('127.')

export interface DiscoverySettings {
  /** Address of the interface to listen and speak on; `127.0.0.1` keeps it on this machine. */
  readonly interfaceAddress: string
}

/** Answers WS-Discovery probes for a set of cameras; sends Hello and Bye for each. */
export class DiscoveryResponder {
  readonly #socket: Socket
  readonly #devices: readonly DiscoveredDevice[]
  readonly #isLocalOnly: boolean

  private constructor(socket: Socket, settings: DiscoverySettings, devices: readonly DiscoveredDevice[]) {
    this.#socket = socket
    this.#devices = devices
    this.#isLocalOnly = isLoopback(settings.interfaceAddress)
    socket.on('message', (bytes, from) => this.#receive(bytes, from))
  }

  /** Fails if the interface doesn't exist or another program uses the port without sharing it. */
  static async open(settings: DiscoverySettings, devices: readonly DiscoveredDevice[]): Promise<DiscoveryResponder> {
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    try {
      socket.bind(PORT)
      await once(socket, 'listening')
      socket.addMembership(GROUP, settings.interfaceAddress)
      socket.setMulticastInterface(settings.interfaceAddress)
      socket.setMulticastLoopback(true)
    } catch (cause) {
      socket.close()
      throw new Error(`discovery cannot join ${GROUP}:${PORT} on the interface ${settings.interfaceAddress}`, { cause })
    }
    // From here on an error is a datagram that could not be sent: discovery promises nothing.
    socket.on('error', () => undefined)
    const responder = new DiscoveryResponder(socket, settings, devices)
    await responder.#sayToAll(hello)
    return responder
  }

  async close(): Promise<void> {
    await this.#sayToAll(bye)
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
  }

  async #sayToAll(message: (device: DiscoveredDevice) => string): Promise<void> {
    await Promise.all(this.#devices.map((device) => this.#send(message(device), PORT, GROUP)))
  }

  #receive(bytes: Buffer, from: RemoteInfo): void {
    // The port must be bound on all interfaces to receive multicast, so packets from elsewhere are dropped here.
    if (this.#isLocalOnly && !isLoopback(from.address)) return
    const probe = parseProbe(bytes.toString('utf8'))
    if (probe === undefined) return
    for (const device of this.#devices) {
      if (isMatch(probe, device)) this.#socket.send(probeMatches(probe, device), from.port, from.address)
    }
  }

  async #send(text: string, port: number, address: string): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.send(text, port, address, () => resolve()))
  }
}
