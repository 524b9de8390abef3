/** Writes the content of a NAL unit, bits from the most significant end, as {@link BitReader} reads them. */
export class RbspWriter {
  readonly #bytes: number[] = []
  #open = 0
  #count = 0

  /** The lowest `count` bits of `value`, at most 32. */
  bits(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#open = this.#open * 2 + (Math.floor(value / 2 ** bit) % 2)
      if (++this.#count === 8) this.#flush()
    }
  }

  /** ue(v) (H.264 §9.1); 0 is also the code of 0 in se(v). */
  unsignedGolomb(value: number): void {
    const length = 32 - Math.clz32(value + 1)
    this.bits(0, length - 1)
    this.bits(value + 1, length)
  }

  /** A NAL unit: header, what was written, rbsp_trailing_bits, with emulation prevention (H.264 §7.4.1). */
  toNal(header: number): Uint8Array {
    this.bits(1, 1)
    while (this.#count > 0) this.bits(0, 1)
    const nal = [header]
    let zeros = 0
    for (const byte of this.#bytes) {
      if (zeros === 2 && byte <= 3) {
        nal.push(3)
        zeros = 0
      }
      zeros = byte === 0 ? zeros + 1 : 0
      nal.push(byte)
    }
    return Uint8Array.from(nal)
  }

  #flush(): void {
    this.#bytes.push(this.#open)
    this.#open = 0
    this.#count = 0
  }
}
