/** What was sent, for about a second, in case it is lost. */

const MAX_PACKETS = 1024
const MAX_BYTES = 2 * 1024 * 1024
/** The same packet isn't on its way twice. */
const AGAIN_AFTER_MS = 30
/** In a second; beyond it, the viewer asks for a whole picture. */
const MAX_REPEATED = 1000

interface Sent {
  readonly packet: Buffer
  repeatedAt: number
}

export class SentPackets {
  readonly #packets = new Map<number, Sent>()
  #bytes = 0
  #second = 0
  #repeated = 0

  /** A sealed packet; sent again as it is, because a seal depends on nothing else. */
  add(packet: Buffer): void {
    const sequence = packet.readUInt16BE(2)
    this.#drop(sequence)
    this.#packets.set(sequence, { packet, repeatedAt: Number.NEGATIVE_INFINITY })
    this.#bytes += packet.length
    for (const oldest of this.#packets.keys()) {
      if (this.#packets.size <= MAX_PACKETS && this.#bytes <= MAX_BYTES) break
      this.#drop(oldest)
    }
  }

  repeat(sequences: readonly number[]): readonly Buffer[] {
    const now = performance.now()
    if (now - this.#second > 1000) {
      this.#second = now
      this.#repeated = 0
    }
    return sequences.flatMap((sequence) => {
      const sent = this.#packets.get(sequence)
      if (sent === undefined || now - sent.repeatedAt < AGAIN_AFTER_MS || this.#repeated >= MAX_REPEATED) return []
      sent.repeatedAt = now
      this.#repeated++
      return [sent.packet]
    })
  }

  #drop(sequence: number): void {
    this.#bytes -= this.#packets.get(sequence)?.packet.length ?? 0
    this.#packets.delete(sequence)
  }
}
