import { uint16 } from './rtp-packet.ts'
import type { Arrival } from './run-timeline.ts'

const WINDOW_MS = 50
/** A key picture comes as some hundred packets at once. */
const WINDOW_PACKETS = 512
/** Further away than this it is no late packet but another place in the number space. */
const MAX_AHEAD = 3000
const MAX_LATE = 100
const MAX_SEQUENCE = 0xff_ff

interface Waiting {
  readonly bytes: Uint8Array
  readonly arrival: Arrival
}

/**
 * Puts the RTP packets of one UDP port in order: a packet that overtook others waits for them, up to 50 ms or 512 packets.
 * What is still missing then is lost.
 */
export class PacketOrder implements Disposable {
  readonly #pass: (bytes: Uint8Array, arrival: Arrival) => void
  readonly #waiting = new Map<number, Waiting>()
  #next: number | undefined
  #taken = 0
  #timer: NodeJS.Timeout | undefined
  #afterReading: NodeJS.Immediate | undefined

  constructor(pass: (bytes: Uint8Array, arrival: Arrival) => void) {
    this.#pass = pass
  }

  /** The bytes are kept until their turn. */
  take(bytes: Uint8Array, arrival: Arrival): void {
    const sequence = uint16(bytes, 2)
    this.#taken++
    this.#next ??= (sequence - MAX_LATE) & MAX_SEQUENCE
    const ahead = (sequence - this.#next) & MAX_SEQUENCE
    if (ahead >= MAX_AHEAD) {
      // Repeated, late, or elsewhere: the reader knows what to do with it.
      if (ahead <= MAX_SEQUENCE - MAX_LATE) this.#next = (sequence + 1) & MAX_SEQUENCE
      this.#pass(bytes, arrival)
      return
    }
    this.#waiting.set(sequence, { bytes, arrival })
    if (ahead === 0) this.#drain(sequence)
    else if (this.#waiting.size >= WINDOW_PACKETS) this.#skip()
    this.#watchOldest()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#afterReading)
    this.#waiting.clear()
  }

  /** Each packet waits for its own 50 ms: others may have come and gone since the timer was set. */
  #watchOldest(): void {
    if (this.#waiting.size === 0 || this.#timer !== undefined || this.#afterReading !== undefined) return
    const waitMs = Math.max(0, this.#oldest() + WINDOW_MS - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#readFirst()
    }, waitMs)
  }

  /** What is missing may be in the socket of a process that was busy. */
  #readFirst(): void {
    const before = this.#taken
    this.#afterReading = setImmediate(() => {
      if (this.#taken === before) this.#timeIsUp()
      else this.#readFirst()
    })
  }

  #timeIsUp(): void {
    this.#afterReading = undefined
    while (this.#waiting.size > 0 && this.#oldest() + WINDOW_MS <= performance.now()) this.#skip()
    this.#watchOldest()
  }

  /** When the one that has waited for the longest arrived. */
  #oldest(): number {
    let oldest = Number.POSITIVE_INFINITY
    for (const { arrival } of this.#waiting.values()) oldest = Math.min(oldest, arrival.monotonic)
    return oldest
  }

  /** Goes on with the first packet that is there. */
  #skip(): void {
    const distance = (sequence: number): number => (sequence - (this.#next ?? sequence)) & 0xff_ff
    const [first] = [...this.#waiting.keys()].toSorted((a, b) => distance(a) - distance(b))
    if (first !== undefined) this.#drain(first)
  }

  #drain(from: number): void {
    let sequence = from
    for (;;) {
      const packet = this.#waiting.get(sequence)
      if (packet === undefined) break
      this.#waiting.delete(sequence)
      sequence = (sequence + 1) & 0xff_ff
      this.#next = sequence
      this.#pass(packet.bytes, packet.arrival)
    }
  }
}
