/**
 * Removes the emulation prevention bytes of a NAL unit (00 00 03 becomes 00 00; H.264 §7.4.1, H.265 §7.4.2).
 * Reads at most `limit` bytes: parameter sets are short, and what a camera sends is not to be trusted.
 */
export function unescapeNal(nal: Uint8Array, limit: number): Uint8Array {
  const length = Math.min(nal.length, limit)
  const plain = new Uint8Array(length)
  let written = 0
  let zeros = 0
  for (let read = 0; read < length; read++) {
    const byte = nal[read] ?? 0
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    plain[written++] = byte
  }
  return plain.subarray(0, written)
}

/**
 * Reads bits from the most significant end. Past the end it yields zeros and sets `overrun`, so that a parser may read a whole
 * structure and ask once at the end whether it was there.
 */
export class BitReader {
  readonly #bytes: Uint8Array
  #position = 0
  overrun = false

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  bit(): number {
    const byte = this.#bytes[this.#position >> 3]
    if (byte === undefined) {
      this.overrun = true
      return 0
    }
    const value = (byte >> (7 - (this.#position & 7))) & 1
    this.#position++
    return value
  }

  flag(): boolean {
    return this.bit() === 1
  }

  /** An unsigned number of up to 32 bits. */
  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 2 + this.bit()
    return value
  }

  skip(count: number): void {
    this.#position += count
    if (this.#position > this.#bytes.length * 8) this.overrun = true
  }

  /** ue(v), Exp-Golomb (H.264 §9.1). More than 31 leading zeros is no legal value and counts as an overrun. */
  unsignedGolomb(): number {
    let zeros = 0
    while (!this.overrun && !this.flag()) {
      zeros++
      if (zeros > 31) {
        this.overrun = true
        return 0
      }
    }
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  /** se(v), signed Exp-Golomb (H.264 §9.1.1). */
  signedGolomb(): number {
    const code = this.unsignedGolomb()
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2
  }
}
