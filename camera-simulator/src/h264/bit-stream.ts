/** Bits of a raw byte sequence payload, most significant first (ITU-T H.264 §7.2, §9.1). */
export class BitReader {
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** How many bits have been read. */
  get position(): number {
    return this.#position
  }

  bit(): number {
    const byte = this.#bytes[this.#position >> 3]
    if (byte === undefined) throw new RangeError(`H.264: bit ${this.#position} lies past the end of the payload`)
    const value = (byte >> (7 - (this.#position & 7))) & 1
    this.#position += 1
    return value
  }

  /** `count` up to 32; unsigned. */
  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i += 1) value = value * 2 + this.bit()
    return value
  }

  ue(): number {
    let zeros = 0
    while (this.bit() === 0) {
      zeros += 1
      if (zeros > 32) throw new RangeError('H.264: an Exp-Golomb code longer than 32 bits')
    }
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  se(): number {
    const code = this.ue()
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2
  }
}

const STARTING_BYTES = 4096

/** Writes bits, most significant first, into a buffer that grows and is used again. */
export class BitWriter {
  #bytes = new Uint8Array(STARTING_BYTES)
  #length = 0
  #pending = 0
  #pendingBits = 0

  clear(): void {
    this.#length = 0
    this.#pending = 0
    this.#pendingBits = 0
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes))
    larger.set(this.#bytes)
    this.#bytes = larger
  }

  /** `count` up to 24. */
  bits(value: number, count: number): void {
    this.#pending = ((this.#pending << count) | value) >>> 0
    this.#pendingBits += count
    this.#room(4)
    while (this.#pendingBits >= 8) {
      this.#pendingBits -= 8
      this.#bytes[this.#length] = (this.#pending >>> this.#pendingBits) & 0xff
      this.#length += 1
    }
    this.#pending &= (1 << this.#pendingBits) - 1
  }

  /** Unsigned Exp-Golomb; values below 2^23. */
  ue(value: number): void {
    const code = value + 1
    const zeros = 31 - Math.clz32(code)
    this.bits(0, zeros)
    this.bits(code, zeros + 1)
  }

  se(value: number): void {
    this.ue(value > 0 ? value * 2 - 1 : -value * 2)
  }

  alignWithZeros(): void {
    if (this.#pendingBits > 0) this.bits(0, 8 - this.#pendingBits)
  }

  /** Appends whole bytes; only on a byte boundary. */
  append(bytes: Uint8Array): void {
    if (this.#pendingBits !== 0) throw new Error('H.264: bytes can be appended on a byte boundary only')
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Copies `count` bits of `source`, beginning at bit `from`. */
  copy(source: Uint8Array, from: number, count: number): void {
    let position = from
    const end = from + count
    while (position < end) {
      const inByte = position & 7
      const take = Math.min(8 - inByte, end - position)
      const byte = source[position >> 3] ?? 0
      this.bits((byte >> (8 - inByte - take)) & ((1 << take) - 1), take)
      position += take
    }
  }

  /** rbsp_trailing_bits(): a one, then zeros up to the byte boundary. */
  finish(): Uint8Array {
    this.bits(1, 1)
    this.alignWithZeros()
    return this.#bytes.subarray(0, this.#length)
  }
}
