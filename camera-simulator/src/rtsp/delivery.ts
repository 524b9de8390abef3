import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ActiveFaults } from '../fault.ts'
import type { UdpSender, UdpViewer } from './udp-sender.ts'

/** A viewer with this many bytes waiting gets no more pictures until it has caught up. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024
const TRICKLE_EVERY_MS = 100

/** The output of one connection. Faults that change bytes, not their meaning, happen here. */
export class Delivery {
  readonly #socket: Socket
  readonly #faults: ActiveFaults
  readonly #udp: UdpSender | undefined
  readonly #waiting: Buffer[] = []
  /** By the channels that their packets would have inside of the connection. */
  readonly udpViewers = new Map<number, UdpViewer>()
  #trickle: NodeJS.Timeout | undefined

  /** `udp`: what sends the media, if not the connection. */
  constructor(socket: Socket, faults: ActiveFaults, udp: UdpSender | undefined) {
    this.#socket = socket
    this.#faults = faults
    this.#udp = udp
  }

  get isOverfull(): boolean {
    const waiting = this.#waiting.reduce((sum, bytes) => sum + bytes.length, 0)
    return this.#socket.writableLength + waiting > MAX_WAITING_BYTES
  }

  /** What is sent now does not arrive as it is. */
  get isLosing(): boolean {
    return this.#faults.has('stall') || this.#faults.has('garbage')
  }

  media(bytes: Buffer): void {
    if (this.#udp === undefined) this.#write(this.#faults.has('garbage') ? randomBytes(bytes.length) : bytes)
    else if (!this.#faults.has('stall')) this.#udp.send(bytes, this.udpViewers)
  }

  reply(bytes: Buffer): void {
    this.#write(bytes)
  }

  close(): void {
    clearInterval(this.#trickle)
    this.#waiting.length = 0
  }

  #write(bytes: Buffer): void {
    if (this.#socket.destroyed || this.#faults.has('stall')) return
    if (!this.#faults.has('slow') && this.#waiting.length === 0) {
      this.#socket.write(bytes)
      return
    }
    this.#waiting.push(bytes)
    this.#trickle ??= setInterval(() => this.#release(), TRICKLE_EVERY_MS)
  }

  #release(): void {
    const { bytesPerSecond = Number.POSITIVE_INFINITY } = this.#faults.get('slow') ?? {}
    let allowance = Math.max(1, (bytesPerSecond * TRICKLE_EVERY_MS) / 1000)
    while (allowance > 0) {
      const next = this.#waiting.shift()
      if (next === undefined) break
      const now = next.subarray(0, Math.floor(allowance))
      if (now.length < next.length) this.#waiting.unshift(next.subarray(now.length))
      this.#socket.write(now)
      allowance -= next.length
    }
    if (this.#waiting.length > 0 || this.#faults.has('slow')) return
    clearInterval(this.#trickle)
    this.#trickle = undefined
  }
}
